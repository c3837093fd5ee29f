// Scripts that look closely at how they were started, and at how they end.

export type Case = {
  readonly name: string
  readonly language: 'python' | 'node' | 'sh'
  readonly source: string
  readonly extension?: string
  readonly args?: readonly string[]
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** Beside the script. */
  readonly files?: Readonly<Record<string, string>>
  /** Set when the worker must leave the call to a cold start. */
  readonly declined?: true
}

type Rest = Omit<Case, 'name' | 'language' | 'source'>
const python = (name: string, source: string, rest: Rest = {}): Case => ({ name, language: 'python', source, ...rest })
const node = (name: string, source: string, rest: Rest = {}): Case => ({ name, language: 'node', source, ...rest })
const sh = (name: string, source: string, rest: Rest = {}): Case => ({ name, language: 'sh', source, ...rest })

const ODD_ARGS = ['', ' ', 'a b', '--x=1', '-', '"', "'", '$HOME', '\\', 'ü€😀', 'a\nb', '\t', '*', '-c', '\x7f']

export const CASES: readonly Case[] = [
  python('argv with odd characters', 'import sys, json\nprint(json.dumps(sys.argv[1:]))', { args: ODD_ARGS }),
  python('argv[0], path and original argv', 'import sys\nprint(sys.argv[0], sys.path, sys.orig_argv, sys.flags)'),
  python(
    'no stdin',
    'import sys, os, stat\nprint(repr(sys.stdin.read()), sys.stdin.seekable(), stat.S_IFMT(os.fstat(0).st_mode))',
  ),
  python('empty stdin', 'import sys\nprint(repr(sys.stdin.read()), sys.stdin.isatty())', { stdin: '' }),
  python('large stdin', 'import sys, hashlib\nprint(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())', {
    stdin: 'häßlich\n'.repeat(90_000),
  }),
  python('stdin that nobody reads', 'print("done")', { stdin: 'x'.repeat(900_000) }),
  python('input() line by line, then at its end', 'print(input(), input())\ninput()', { stdin: 'one\ntwo\n' }),
  python(
    'the environment',
    'import os\nprint(sorted((k, v) for k, v in os.environ.items() if k != "SKILLWRIGHT_CALL"), os.environb[b"ODD"], os.getenv("SKILLWRIGHT_WARM"))',
    { env: { ODD: 'a b\nü', EMPTY: '' } },
  ),
  python(
    'the environment of children',
    'import subprocess\nprint(subprocess.run("env | grep -v SKILLWRIGHT_CALL | grep -v ^PWD= | grep -v ^_= | sort; echo $0 $#", shell=True, capture_output=True, text=True).stdout)',
    { env: { GIVEN: 'yes' } },
  ),
  python(
    'the working folder',
    'import os, pathlib\nprint(os.getcwd(), pathlib.Path("x").absolute(), oct(os.umask(0)))',
  ),
  python(
    'globals of __main__',
    'print({k: str(v).split(" at 0x")[0] for k, v in globals().items() if k != "__builtins__"}, __builtins__.__name__)',
  ),
  python('the documentation string', '"""What it does."""\nprint(__doc__, __file__, __name__, __spec__, __package__)'),
  python('if __name__', 'def main():\n    print("main")\nif __name__ == "__main__":\n    main()'),
  python(
    'the stack',
    'import traceback, inspect, sys\ntraceback.print_stack()\nprint(len(inspect.stack()), sys._getframe().f_back)',
  ),
  python(
    'names of the streams',
    'import sys\nfor s in (sys.stdin, sys.stdout, sys.stderr):\n    print(s.name, s.mode, s.encoding, s.errors, s.line_buffering, s.write_through, s.fileno(), s.buffer.raw)',
  ),
  ...[0, 1, 2, 3, 100, 124, 127, 128, 137, 255, 256, -1].map(code =>
    python(`exit code ${code}`, `import sys\nprint("x", end="")\nsys.exit(${code})`),
  ),
  python('exit with a text', 'import sys\nsys.exit("that was wrong: ü")'),
  python('exit with an object', 'raise SystemExit({"a": 1})'),
  python('exit with None', 'raise SystemExit'),
  python('os._exit', 'import os, sys\nsys.stdout.write("lost")\nos._exit(7)'),
  python(
    'an uncaught exception with causes',
    'def f():\n    raise ValueError("inner")\ntry:\n    f()\nexcept ValueError as error:\n    try:\n        {}["x"]\n    except KeyError:\n        raise RuntimeError("outer") from error',
  ),
  python('an exception while handling one', 'try:\n    1 / 0\nexcept ZeroDivisionError:\n    undefined'),
  python('an exception group', 'raise ExceptionGroup("many", [ValueError(1), TypeError("x")])'),
  python('deep recursion', 'def f(n):\n    return f(n + 1)\nf(0)'),
  python('a syntax error', 'print("before")\ndef f(:\n    pass'),
  python('bad indentation', 'if True:\nprint(1)'),
  python('a file that is not UTF-8', 'print("ok")\n# \udcff\n'),
  python('a NUL in the source', 'print(1)\n\0\n'),
  python('a coding line', '# -*- coding: latin-1 -*-\nprint("gr\u00fcn")'),
  python('an empty file', ''),
  python('KeyboardInterrupt', 'raise KeyboardInterrupt'),
  ...['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGSEGV', 'SIGUSR1', 'SIGHUP', 'SIGPIPE', 'SIGALRM'].map(name =>
    python(
      `${name} to itself`,
      `import os, signal, sys\nprint("before", flush=True)\nos.kill(os.getpid(), signal.${name})\nprint("after")`,
    ),
  ),
  python(
    'how signals are handled',
    'import signal\nprint([(s.name, str(signal.getsignal(s)).split(" at ")[0]) for s in sorted(signal.valid_signals()) if isinstance(s, signal.Signals)], signal.pthread_sigmask(signal.SIG_BLOCK, []))',
  ),
  python(
    'an alarm',
    'import signal, time\nsignal.signal(signal.SIGALRM, lambda *a: print("alarm"))\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\ntime.sleep(0.2)',
  ),
  python('both streams', 'import sys\nfor i in range(100):\n    print(i)\n    print(-i, file=sys.stderr)'),
  python('large output', 'import sys\nsys.stdout.write("x" * 300_000 + "\\n")\nsys.stderr.write("e" * 200_000)'),
  python(
    'output that is not UTF-8',
    'import sys\nsys.stdout.buffer.write(bytes(range(256)))\nprint("\\udcff", file=sys.stderr)',
  ),
  python('a character that cannot be written', 'print("\\ud800")'),
  python('closed stdout', 'import sys\nprint("x")\nsys.stdout.close()'),
  python('closed descriptor of stdout', 'import os\nprint("x")\nos.close(1)'),
  python('stdout replaced', 'import sys, io\nsys.stdout = io.StringIO()\nprint("x")\nsys.stderr.write("end")'),
  python('atexit order', 'import atexit\nfor i in range(3):\n    atexit.register(print, "bye", i)\nprint("main")'),
  python(
    'atexit that fails',
    'import atexit\ndef f():\n    raise ValueError("at exit")\natexit.register(f)\natexit.register(print, "first")',
  ),
  python(
    'atexit with logging loaded late',
    'import atexit\natexit.register(print, "mine")\nimport logging\nlogging.warning("w")',
  ),
  python(
    '__del__ at the end',
    'class A:\n    def __init__(s, n): s.n = n\n    def __del__(s): print("del", s.n)\na = A(1)\nb = A(2)\nb.me = b\nprint("end")',
  ),
  python(
    'files that nobody closed',
    'import os\nf = open("out.txt", "w")\nf.write("flushed at the end")\nos.register_at_fork(before=print)\nprint("x")',
    { files: {} },
  ),
  python(
    'what the last one wrote',
    'import os\nprint(open("out.txt").read() if os.path.exists("out.txt") else "none")',
  ),
  python(
    'threads',
    'import threading\ngo = threading.Event()\ndef f():\n    go.wait()\n    print("thread", threading.current_thread().name)\nt = threading.Thread(target=f)\nt.start()\nprint("main", threading.main_thread().name, threading.active_count(), flush=True)\ngo.set()',
  ),
  python(
    'a thread that fails',
    'import threading\nt = threading.Thread(target=lambda: 1 / 0, name="worker")\nt.start()\nt.join()\nprint("end")',
  ),
  python(
    'a daemon thread',
    'import threading, time\nthreading.Thread(target=time.sleep, args=(30,), daemon=True).start()\nprint("end")',
  ),
  python(
    'subprocesses',
    'import subprocess, sys\nprint(subprocess.check_output(["sh", "-c", "echo out; echo err >&2; exit 0"]))\nprint(subprocess.run([sys.executable, "-c", "import sys; print(sys.argv, sys.path[0]); sys.exit(3)", "a"]).returncode)',
  ),
  python(
    'fork',
    'import os\npid = os.fork()\nif pid == 0:\n    print("child")\n    raise SystemExit(4)\nprint(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))',
  ),
  python('exec', 'import os\nos.execvp("sh", ["sh", "-c", "echo $1; exit 5", "sh", "arg"])'),
  python(
    'background children',
    'import subprocess\nsubprocess.Popen(["sleep", "30"], start_new_session=True, stdout=-3, stderr=-3, stdin=-3)\nprint("end")',
  ),
  python('siblings', 'import helper, sub.mod\nprint(helper.VALUE, sub.mod.NAME, helper.__file__)', {
    files: { 'helper.py': 'VALUE = 42\n', 'sub/__init__.py': '', 'sub/mod.py': 'from . import __name__ as NAME\n' },
  }),
  python('a sibling that fails', 'import helper', { files: { 'helper.py': 'raise RuntimeError("at import")\n' } }),
  python('a sibling with the name of a module of the library', 'import json, csv\nprint(csv.MINE, json.dumps([1]))', {
    files: { 'csv.py': 'MINE = True\n' },
    declined: true,
  }),
  python('a sibling with the name of a module behind another', 'import secrets\nprint(secrets.compare_digest)', {
    files: { 'hmac.py': 'compare_digest = "mine"\n' },
    declined: true,
  }),
  python('a missing module', 'import does_not_exist'),
  python(
    'dataclasses and pickle of __main__',
    'import pickle, dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\nprint(pickle.loads(pickle.dumps(P(3))), P.__module__, P.__qualname__)',
  ),
  python(
    'multiprocessing',
    'import multiprocessing as mp\ndef f(x):\n    return x * x\nif __name__ == "__main__":\n    with mp.get_context("fork").Pool(2) as pool:\n        print(pool.map(f, range(5)))',
  ),
  python(
    'multiprocessing by spawn',
    'import multiprocessing as mp\ndef f(q):\n    q.put(__name__)\nif __name__ == "__main__":\n    context = mp.get_context("spawn")\n    q = context.SimpleQueue()\n    p = context.Process(target=f, args=(q,))\n    p.start()\n    print(q.get())\n    p.join()',
  ),
  python(
    'asyncio',
    'import asyncio\nasync def f():\n    await asyncio.sleep(0.01)\n    p = await asyncio.create_subprocess_exec("echo", "hi", stdout=-1)\n    print((await p.communicate())[0])\nasyncio.run(f())',
  ),
  python(
    'a task that failed unseen',
    'import asyncio\nasync def bad():\n    raise ValueError("unseen")\nasync def f():\n    asyncio.ensure_future(bad())\n    await asyncio.sleep(0)\n    await asyncio.sleep(0)\nasyncio.run(f())',
  ),
  python(
    'argparse usage',
    'import argparse\np = argparse.ArgumentParser()\np.add_argument("--n", type=int)\nprint(p.parse_args())',
    { args: ['--n', 'x'] },
  ),
  python(
    'argparse help',
    'import argparse\np = argparse.ArgumentParser(description="ü")\np.add_argument("file")\np.parse_args()',
    { args: ['--help'] },
  ),
  python(
    'warnings',
    'import warnings\nwarnings.warn("careful")\nwarnings.warn("deeper", stacklevel=2)\nwarnings.warn("old", DeprecationWarning)',
  ),
  python('a module that warns', 'import cgi\nprint("x")'),
  python(
    'logging',
    'import logging, sys\nlogging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(funcName)s %(lineno)d %(process)s"[:-12])\nlogging.info("hello")\nlogging.getLogger("x").error("bad", exc_info=ValueError(1))',
  ),
  python(
    'the temporary folder',
    'import os, tempfile\nprint(tempfile.gettempdir())\nf = tempfile.NamedTemporaryFile(delete=False)\nf.write(b"x")\nos.mkdir("/tmp/closed")\nos.chmod("/tmp/closed", 0)\nos.symlink("/etc/passwd", "/tmp/link")\nopen("/dev/shm/s", "w").close() if os.environ.get("HOME") == "/nowhere" else None\nos.rmdir("/tmp/closed"); os.unlink("/tmp/link"); os.unlink(f.name)',
  ),
  python('open descriptors', 'import os\nprint(sorted(int(x) for x in os.listdir("/proc/self/fd")))'),
  python(
    'limits',
    'import resource\nprint([resource.getrlimit(r) for r in (resource.RLIMIT_NOFILE, resource.RLIMIT_STACK)], resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)',
  ),
  python(
    'session and group',
    'import os\nprint(os.getpgrp() == os.getpid() or os.getpgrp() != os.getpid(), os.isatty(0))',
  ),
  python('runpy and exec', 'import runpy\nprint(runpy.run_path(__file__.replace("main.py", "other.py"))["X"])', {
    files: { 'other.py': 'X = __name__\n' },
  }),
  python(
    'locale and encodings',
    'import sys, locale\nprint(sys.getfilesystemencoding(), locale.getpreferredencoding(False), locale.setlocale(locale.LC_ALL), sys.getdefaultencoding())',
  ),
  python(
    'the locale of C, which Python changes for itself and its children',
    'import locale, os\nprint(locale.setlocale(locale.LC_ALL, ""), os.environ["LC_CTYPE"])\nos.system("echo $LC_CTYPE")',
    { env: { LANG: 'C' } },
  ),
  python('time zone', 'import time, datetime\nprint(time.tzname, datetime.datetime.fromtimestamp(0).isoformat())'),
  python(
    'sys.excepthook and last_value',
    'import sys, atexit\nsys.excepthook = lambda t, v, tb: print("hook", t.__name__, v, tb.tb_next is None)\natexit.register(lambda: print(sys.last_value))\nraise ValueError("x")',
  ),

  node('argv with odd characters', 'console.log(JSON.stringify(process.argv.slice(1)), process.argv.length)', {
    args: ODD_ARGS,
  }),
  node(
    'execArgv, title and paths',
    'console.log(process.execArgv, process.argv0, process.execPath, process.title, require.main === module, module.id, module.parent, module.filename, module.paths[0], require.cache[__filename] === module, Object.keys(require.cache).length)',
  ),
  node(
    'no stdin',
    'process.stdin.on("data", d => console.log(String(d))).on("end", () => console.log("end", process.stdin.constructor.name))',
  ),
  node(
    'stdin',
    'let n = 0\nprocess.stdin.on("data", d => { n += d.length }).on("end", () => console.log(n, process.stdin.constructor.name, process.stdin.isTTY))',
    { stdin: 'ü'.repeat(200_000) },
  ),
  node('stdin in one go', 'console.log(require("fs").readFileSync(0, "utf8"))', { stdin: '{"a": 1}' }),
  node(
    'the environment',
    'const { SKILLWRIGHT_CALL: _, ...env } = process.env\nconsole.log(Object.entries(env).sort(), require("child_process").execSync("echo $GIVEN $SKILLWRIGHT_WARM").toString())',
    { env: { GIVEN: 'a b', EMPTY: '' } },
  ),
  node('the working folder', 'console.log(process.cwd(), require("path").resolve("x"), __dirname, __filename)'),
  node('an uncaught error', 'function f() {\n  throw new TypeError("wrong")\n}\nf()'),
  node('an error with a cause', 'throw new Error("outer", { cause: new RangeError("inner") })'),
  node('something thrown that is no error', 'throw { a: 1 }'),
  node('an error in a callback', 'setTimeout(() => { throw new Error("later") }, 1)'),
  node('an unhandled rejection', 'Promise.reject(new Error("unseen"))'),
  node('a syntax error', 'console.log(1)\nlet x = ;'),
  node('a missing module', 'require("./nothing.js")'),
  node('the stack', 'console.log(new Error("x").stack)'),
  ...[0, 1, 42, 255, 256].map(code => node(`exit code ${code}`, `console.log("x")\nprocess.exit(${code})`)),
  node(
    'process.exitCode',
    'process.exitCode = 9\nprocess.on("exit", code => console.log("exit", code))\nprocess.on("beforeExit", () => console.log("before"))',
  ),
  ...['SIGTERM', 'SIGKILL', 'SIGSEGV', 'SIGUSR2'].map(name =>
    node(`${name} to itself`, `process.kill(process.pid, "${name}")\nsetTimeout(() => {}, 5000)`),
  ),
  node(
    'a handler for a signal',
    'process.on("SIGTERM", () => { console.log("term"); process.exit(3) })\nprocess.kill(process.pid, "SIGTERM")\nsetTimeout(() => {}, 5000)',
  ),
  node('large output', 'process.stdout.write("x".repeat(300000))\nprocess.stderr.write("e".repeat(200000))'),
  node('bytes', 'process.stdout.write(Buffer.from([255, 0, 254, 10]))'),
  node(
    'order of the loop',
    'setImmediate(() => console.log(4))\nsetTimeout(() => console.log(3), 0)\nprocess.nextTick(() => console.log(1))\nPromise.resolve().then(() => console.log(2))\nconsole.log(0)',
    {},
  ),
  node('siblings', 'console.log(require("./helper").value, require("./data.json").a)', {
    files: { 'helper.js': 'exports.value = module.parent.filename === require.main.filename', 'data.json': '{"a": 1}' },
  }),
  node(
    'worker threads',
    'const { Worker, isMainThread } = require("worker_threads")\nif (isMainThread) new Worker(__filename, { argv: ["x"] }).on("exit", code => console.log("exit", code))\nelse console.log("thread", process.argv.slice(2), process.env.GIVEN)',
    { env: { GIVEN: 'yes' } },
  ),
  node(
    'options and modules of a thread',
    'const { Worker, isMainThread } = require("worker_threads")\nif (isMainThread) new Worker(__filename)\nelse console.log(process.execArgv, Object.keys(require.cache).length)',
  ),
  node(
    'fork',
    'if (process.send) process.send(process.argv.slice(2))\nelse require("child_process").fork(__filename, ["a"]).on("message", m => console.log(m))',
  ),
  node(
    'top-level await and import.meta',
    'import { x } from "./lib.mjs"\nawait new Promise(r => setTimeout(r, 5))\nconsole.log(x, import.meta.url, import.meta.filename, typeof require, process.argv.length)',
    { extension: 'mjs', args: ['a'], files: { 'lib.mjs': 'export const x = 1' } },
  ),
  node('an uncaught error in a module', 'const f = () => { throw new Error("esm") }\nf()', { extension: 'mjs' }),
  node('a top-level await that never ends', 'await new Promise(() => {})', { extension: 'mjs' }),
  node(
    'type: module in package.json',
    'import fs from "node:fs"\nconsole.log(typeof fs.readFileSync, import.meta.dirname)',
    { files: { 'package.json': '{"type": "module"}' } },
  ),
  node('a missing module in a module', 'import "./nothing.mjs"', { extension: 'mjs' }),
  node('a warning', 'process.emitWarning("careful")'),
  node(
    'globals',
    'console.log(Object.keys(globalThis), Object.getOwnPropertyNames(process.env).length > 0, this === module.exports)',
  ),
  node(
    'time zone and locale',
    'console.log(Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.DateTimeFormat().resolvedOptions().locale, new Date(0).toString())',
  ),

  sh('argv with odd characters', 'for a in "$@"; do printf "[%s]\\n" "$a"; done; echo $#', { args: ODD_ARGS }),
  sh('exit codes and signals', 'sh -c "kill -9 \\$\\$"; echo $?; (exit 77); echo $?; exit 33'),
  sh('a signal to itself', 'echo before; kill -TERM $$; echo after'),
  sh('environment and folder', 'pwd; echo "$GIVEN"; env | grep -v SKILLWRIGHT_CALL | sort', { env: { GIVEN: 'a b' } }),
  sh('stdin', 'read a; echo "$a"; cat | wc -c', { stdin: 'one\ntwo\n' }),
  sh('a background child', 'sleep 30 & echo end'),
]
