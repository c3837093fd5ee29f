"""Holds Python just before it runs its script, and forks there for each call.

Python imports this file while it starts, since its folder is on PYTHONPATH. A forked child returns from here, and the
interpreter itself goes on to run the script as it always does: nothing of this file is on the stack or in sys.path.
The parent serves one call at a time and takes away all that it left.

Works from Python 3.8 on. Frames from the host: a length, then fields ended by NUL, then for a call the length of its
input and the input. Frames to the host: a letter, a length, a body; R ready, D declined, S started, O and E output,
X the status at the end.
"""

import os
import sys


def serve(channel, baseline):
    """Returns in the child of each call, never in the parent."""
    import _signal
    import _socket
    import atexit
    import ctypes
    import gc
    import select
    from struct import pack, unpack

    # A script can read all memory of its process, which is a copy of this one. So what belongs to a call is held in buffers
    # that are wiped, and copied nowhere else: the next call may be another caller's.

    def tell(kind, body=b""):
        for piece in (kind + pack("!I", len(body)), body):
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(channel, rest) :]

    def receive():
        (size,) = unpack("!I", receive_exactly(4))
        return receive_exactly(size)

    def receive_exactly(size):
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            count = os.readv(channel, [rest])
            if not count:
                # The host is gone or has had enough. The sandbox ends with this process.
                os._exit(0)
            rest = rest[count:]
        return data

    def to_fields(data):
        return [os.fsdecode(bytes(field)) for field in data.split(b"\0")[:-1]]

    def wipe(data):
        data[:] = bytes(len(data))

    def set_dumpable(value):
        prctl(4, value, 0, 0, 0)

    def become_script(pairs, arguments, variables, folder):
        for number, (ours, theirs) in pairs:
            os.dup2(theirs.fileno(), number)
            ours.close()
            theirs.close()
        _signal.set_wakeup_fd(-1)
        for fd in (channel, wake, waker):
            os.close(fd)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)
        os.setsid()
        set_dumpable(1)
        os.chdir(folder)
        sys.modules["__main__"] = fresh_main()
        for name in set(os.environ) - {"LC_CTYPE"}:
            # Python itself sets the one that stays, where the locale is C.
            del os.environ[name]
        for name, value in zip(variables[::2], variables[1::2]):
            os.environ[name] = value
        sys.argv.extend(arguments)
        if hasattr(sys, "orig_argv"):
            sys.orig_argv.extend(arguments)

    def fresh_main():
        """What was there before the freeze is never taken apart, and with it nothing that the script defines."""
        main = type(sys)("__main__")
        main.__dict__.update(sys.modules["__main__"].__dict__, __annotations__={})
        return main

    def relay(child, streams, text):
        """Passes input and output on until the child and all that it started are gone. Gives its status."""
        status = None
        rest = memoryview(text)
        poll = select.poll()
        for fd in (channel, wake):
            poll.register(fd, select.POLLIN)
        outputs = {streams[1].fileno(): b"O", streams[2].fileno(): b"E"}
        for fd in outputs:
            poll.register(fd, select.POLLIN)
        if 0 in streams:
            streams[0].setblocking(False)
            poll.register(streams[0], select.POLLOUT)
        while status is None or outputs:
            events = poll.poll(None if status is None else 1000)
            if not events:
                break
            for fd, _ in events:
                if fd == channel:
                    os._exit(0)
                elif fd == wake:
                    os.read(wake, 512)
                    pid, ended = (0, 0) if status is not None else os.waitpid(child, os.WNOHANG)
                    if pid:
                        status = ended
                        # What it left behind may hold its output open.
                        kill_others()
                elif fd in outputs:
                    count = read(fd)
                    if count:
                        tell(outputs[fd], memoryview(output)[:count])
                    else:
                        poll.unregister(fd)
                        del outputs[fd]
                else:
                    rest = rest[write(fd, rest) :]
                    if not rest:
                        poll.unregister(fd)
                        streams.pop(0).close()
        return status

    def read(fd):
        try:
            return os.readv(fd, [output])
        except OSError:
            return 0

    def write(fd, data):
        try:
            return os.write(fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            # A script that does not read its input closes it: that is its right.
            return len(data)

    def others():
        return [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]

    def kill_others():
        try:
            os.kill(-1, _signal.SIGKILL)
        except ProcessLookupError:
            pass

    def clear_away():
        """True when everything is as it was before the call."""
        for _ in range(2000):
            if not others():
                break
            kill_others()
            select.select([], [], [], 0.001)
        for folder, before in private.items():
            restore(folder, before)
        return not others() and not has_shared_memory() and inherited() == unchanged

    def inherited():
        """What a script may change of this process, since both have one user, and what would go on to the next call."""
        with open("/proc/self/limits") as limits, open("/proc/self/oom_score_adj") as score:
            kept = [limits.read(), score.read(), os.getpriority(os.PRIO_PROCESS, 0)]
        return kept + [os.sched_getscheduler(0), os.sched_getaffinity(0)]

    def has_shared_memory():
        for kind in ("shm", "msg", "sem"):
            try:
                with open("/proc/sysvipc/" + kind) as file:
                    if len(file.readlines()) > 1:
                        return True
            except OSError:
                pass
        return False

    def modes(folder):
        """Path -> mode of the folder and of all folders in it, which are there for other mounts."""
        found = {folder: os.stat(folder).st_mode & 0o7777}
        for entry in own_entries(folder):
            if not entry.is_dir(follow_symlinks=False):
                # Nothing of a private folder can be there yet, so this one belongs to somebody.
                os._exit(1)
            found.update(modes(entry.path))
        return found

    def own_entries(folder):
        """What another mount shows there is not this folder's."""
        device = os.stat(folder).st_dev
        return [entry for entry in os.scandir(folder) if entry.stat(follow_symlinks=False).st_dev == device]

    def restore(folder, before):
        os.chmod(folder, 0o700)
        for entry in own_entries(folder):
            if entry.is_dir(follow_symlinks=False):
                restore(entry.path, before)
            else:
                os.unlink(entry.path)
        if folder in before:
            for name in os.listxattr(folder):
                os.removexattr(folder, name)
            os.utime(folder)
            os.chmod(folder, before[folder])
        else:
            os.rmdir(folder)

    def is_shadowed(folder):
        """Whether a module that is loaded already would be found here first."""
        try:
            return any(name.split(".")[0] in loaded for name in os.listdir(folder))
        except OSError:
            return False

    def spare():
        # At its end Python takes all modules apart, and with them the pages that it shares with its parent: 20 ms.
        for name in known:
            sys.modules.pop(name, None)

    host_namespace, preloads, folders, script_folder, has_input = to_fields(receive())
    output = bytearray(65536)
    # All that is killed and cleared here must be the sandbox's own.
    if os.getppid() != 1 or os.readlink("/proc/self/ns/pid") == host_namespace or others():
        os._exit(1)
    private = {folder: modes(folder) for folder in folders.split("\n") if folder}
    prctl = ctypes.CDLL(None).prctl
    # A script has the same user and could reach into this process otherwise.
    set_dumpable(0)
    own = [name for name in sys.modules if name not in baseline]
    spared = [sys.modules.pop(name) for name in own]
    # The first that is registered is the last that runs.
    atexit.register(spare)
    for name in filter(None, preloads.split(",")):
        try:
            __import__(name)
        except Exception:
            # The script will see for itself.
            pass
    loaded = {name.split(".")[0] for name in sys.modules if name not in baseline}
    known = [name for name in sys.modules if name not in ("sys", "builtins", "__main__")]
    spared += [sys.modules[name] for name in known]
    # A frozen circle is never freed.
    spared.append(spared)
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    _signal.set_wakeup_fd(waker)
    _signal.signal(_signal.SIGCHLD, lambda *_: None)
    # Meant for the script alone, which may have something to put in order.
    _signal.signal(_signal.SIGTERM, _signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    unchanged = inherited()

    while True:
        tell(b"R")
        message = receive()
        text = receive()
        # The same in all calls, and so the one field that may stay.
        folder = os.fsdecode(bytes(message[: message.index(0)]))
        if is_shadowed(script_folder) or is_shadowed(folder):
            wipe(message)
            wipe(text)
            tell(b"D")
            continue
        pairs = [(number, _socket.socketpair()) for number in ((0, 1, 2) if has_input else (1, 2))]
        child = os.fork()
        if child == 0:
            wipe(text)
            _, count, *fields = to_fields(message)
            wipe(message)
            return become_script(pairs, fields[: int(count)], fields[int(count) :], folder)
        wipe(message)
        tell(b"S")
        for _, pair in pairs:
            pair[1].close()
        ours = {number: pair[0] for number, pair in pairs}
        status = relay(child, ours, text)
        for stream in ours.values():
            stream.close()
        wipe(text)
        wipe(output)
        tell(b"X", str(status).encode())
        if not clear_away():
            os._exit(0)


def start():
    role = os.environ.pop("SKILLWRIGHT_WARM")
    if role == "probe":
        os.write(1, ("%s %d" % (sys.implementation.name, sys.hexversion)).encode())
        os._exit(0)
    # Python's own file of this name comes first, as it does in a cold start.
    folder = os.path.dirname(__file__)
    sys.path.remove(folder)
    sys.path_importer_cache.pop(folder, None)
    del sys.modules["sitecustomize"]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    try:
        serve(int(role), set(sys.modules))
    except BaseException:
        # Python would go on and run the script, which nobody has called.
        os._exit(1)


start()
if "sitecustomize" not in sys.modules:
    # As if this file had never been there.
    raise ImportError("No module named 'sitecustomize'", name="sitecustomize")
