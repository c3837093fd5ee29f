// Attacks as real scripts. Each bounds itself (at most 3,000 forks, 12 GB, 20 s), so that a failed defence takes nothing down.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './world.ts'

export type Attack = {
  readonly name: string
  readonly file: string
  readonly script: string
  /** Whether the attacker got what it wanted, judged from outside. */
  readonly succeeded: (world: World, stdout: string, writtenMb: number) => boolean
  /** Run without a sandbox it must succeed, or the attack proves nothing. Left out where that would hurt the machine. */
  readonly control?: 'all' | 'root'
  readonly timeoutMs?: number
}

const said = (_: World, stdout: string): boolean => stdout.includes('SUCCEEDED')
const leaked = (_: World, stdout: string): boolean => stdout.includes('CANARY')
const changed =
  (...files: readonly string[]) =>
  ({ base, files: original }: World): boolean =>
    files.some(file => {
      const path = join(base, file)
      return original[file] === undefined
        ? existsSync(path)
        : !isFile(path) || readFileSync(path, 'utf8') !== original[file]
    })
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

const OUTSIDE = ['outside/victim.txt', 'outside/new.txt']
const SETTINGS = ['workspace/skillwright.json', 'workspace/settings/policy.json', 'workspace/.skillwright/audit.jsonl']

export const FILE_ATTACKS: readonly Attack[] = [
  {
    name: 'write outside',
    file: 'write-outside.sh',
    script: 'echo evil > "$BASE/outside/victim.txt"\nmkdir -p "$BASE/outside"\necho evil > "$BASE/outside/new.txt"\n',
    succeeded: changed(...OUTSIDE),
    control: 'all',
  },
  {
    name: 'read ~/.ssh',
    file: 'read-ssh.sh',
    script: 'cat "$HOME/.ssh/id_ed25519"',
    succeeded: leaked,
    control: 'all',
  },
  {
    name: 'read another skill',
    file: 'read-other.sh',
    script: 'cat "$BASE/skills/other/SKILL.md" ../../other/SKILL.md',
    succeeded: leaked,
    control: 'all',
  },
  {
    name: 'change the mode of /dev/full',
    file: 'device.sh',
    script: 'chmod 666 /dev/full && echo SUCCEEDED',
    succeeded: said,
    control: 'root',
  },
  {
    name: 'climb out with ..',
    file: 'climb.sh',
    script: 'cd "$WS"\ncat ../outside/victim.txt\necho evil > ../outside/new.txt',
    succeeded: (world, stdout) => leaked(world, stdout) || changed(...OUTSIDE)(world),
    control: 'all',
  },
  {
    name: 'swap a link under a write',
    file: 'swap.sh',
    script: `cd "$WS"; mkdir -p safe
i=0; while [ $i -lt 200 ]; do ln -sfn safe way; ln -sfn "$BASE/outside" way; echo evil > way/new.txt; cat way/victim.txt; i=$((i+1)); done`,
    succeeded: (world, stdout) => leaked(world, stdout) || changed(...OUTSIDE)(world),
    control: 'all',
  },
  {
    name: 'a folder that the host has inherited open',
    file: 'descriptors.sh',
    script: 'for open in /proc/self/fd/*; do cat "$open/victim.txt"; echo evil > "$open/new.txt"; done; exit 0',
    succeeded: (world, stdout) => leaked(world, stdout) || changed(...OUTSIDE)(world),
    control: 'all',
  },
  {
    name: 'hard link to a file outside',
    file: 'hard-link.sh',
    script: 'ln "$BASE/outside/victim.txt" "$WS/mine" && echo evil >> "$WS/mine"',
    succeeded: changed(...OUTSIDE),
    control: 'all',
  },
  {
    name: 'hard link to the audit',
    file: 'link-audit.sh',
    script: 'ln "$WS/.skillwright/audit.jsonl" "$WS/mine" && echo evil >> "$WS/mine"',
    succeeded: changed(...SETTINGS),
    control: 'all',
  },
  {
    name: 'change settings and audit',
    file: 'settings.sh',
    script: `cd "$WS"
for file in skillwright.json settings/policy.json .skillwright/audit.jsonl; do echo evil > $file; rm -f $file; echo evil > $file.new; mv -f $file.new $file; done`,
    succeeded: changed(...SETTINGS),
    control: 'all',
  },
  {
    name: 'move the folder of settings away',
    file: 'move-folder.sh',
    script: `cd "$WS"
for folder in settings .skillwright; do mv $folder elsewhere && mkdir $folder; rm -rf $folder; umount $folder; done
mkdir -p settings .skillwright; echo evil > settings/policy.json; echo evil > .skillwright/audit.jsonl`,
    succeeded: changed(...SETTINGS),
    control: 'all',
  },
  {
    name: 'make settings that do not exist yet',
    file: 'new-settings.sh',
    script:
      'cd "$WS"\necho evil > later.json; rm -f later.json; ln -s /etc/hostname later.json; mkdir later; mv later x; mkdir -p later; echo evil > later/policy.json',
    succeeded: changed('workspace/later.json', 'workspace/later/policy.json'),
    control: 'all',
  },
  {
    name: 'change its own skill',
    file: 'own-skill.sh',
    script: 'echo evil >> "$BASE/skills/evil/SKILL.md"',
    succeeded: changed('skills/evil/SKILL.md'),
    control: 'all',
  },
  {
    name: 'read the password file',
    file: 'shadow.sh',
    script: 'grep -q : /etc/shadow && echo SUCCEEDED',
    succeeded: said,
    control: 'root',
  },
  {
    name: 'write to /proc/sys',
    file: 'proc-sys.sh',
    script: 'now=$(cat /proc/sys/kernel/panic) && echo "$now" > /proc/sys/kernel/panic && echo SUCCEEDED',
    succeeded: said,
    control: 'root',
  },
  {
    name: 'kill a process of the host',
    file: 'kill.sh',
    script: 'kill -9 "$VICTIM" && echo SUCCEEDED; exit 0',
    succeeded: said,
    control: 'all',
  },
  {
    name: 'ptrace a process of the host',
    file: 'ptrace.pl',
    script:
      'print "SUCCEEDED" if syscall($ENV{PTRACE} + 0, 16, $ENV{VICTIM} + 0, 0, 0) == 0; syscall($ENV{PTRACE} + 0, 17, $ENV{VICTIM} + 0, 0, 0);',
    succeeded: said,
    control: 'root',
  },
  {
    name: 'a user namespace of its own',
    file: 'userns.sh',
    script: 'unshare --user --map-root-user true && echo SUCCEEDED; exit 0',
    succeeded: said,
    control: 'all',
  },
  {
    name: 'canaries in the environment',
    file: 'environment.sh',
    script: 'env; cat /proc/[0-9]*/environ /proc/self/../*/environ 2>/dev/null | tr "\\0" "\\n"',
    succeeded: leaked,
    control: 'all',
  },
  ...['tcp', 'udp', 'abstract', 'workspace', 'outside'].map(
    (kind): Attack => ({
      name: `${kind} ${kind === 'tcp' || kind === 'udp' ? 'to loopback' : 'UNIX socket of the host'}`,
      file: `socket-${kind}.pl`,
      script: connectTo(kind),
      succeeded: world => world.reached.has(kind),
      control: 'all',
    }),
  ),
]

/** They would hurt the machine without a sandbox. */
export const GREEDY_ATTACKS: readonly Attack[] = [
  {
    name: 'fork bomb',
    file: 'forks.pl',
    script: `$| = 1;
for (1..60) { my $child = fork(); next unless defined $child; print "f"; next if $child;
  for (1..49) { my $other = fork(); if (defined $other) { print "f"; if (!$other) { sleep 3; exit 0 } } } sleep 3; exit 0 }
sleep 1;`,
    succeeded: (world, stdout) => stdout.split('f').length - 1 > 2 * (world.limits.processes ?? 0),
  },
  memory('anonymous memory', 'my @all; for (1..120) { push @all, "x" x 100_000_000 }'),
  {
    name: '10 GB of shared memory',
    file: 'shared.py',
    script: `import mmap
all = []
for i in range(120):
    m = mmap.mmap(-1, 100_000_000)
    for at in range(0, 100_000_000, 4096): m[at] = 1
    all.append(m)
print("SUCCEEDED")`,
    succeeded: said,
  },
  memory(
    'memory of many processes',
    'for (1..30) { my $child = fork(); if (defined $child && !$child) { my @all; push @all, "x" x 100_000_000 for 1..4; sleep 8; print "SUCCEEDED"; exit 0 } } 1 while wait() > 0; exit 0;',
  ),
  {
    name: '10 GB in memfd',
    file: 'memfd.py',
    script: `import os
all = [os.memfd_create("x") for _ in range(120)]
for fd in all: os.write(fd, b"x" * 100_000_000)
print("SUCCEEDED")`,
    succeeded: said,
  },
  {
    name: 'System V shared memory',
    file: 'sysv.pl',
    script: 'my $id = shmget(0, 100_000_000, 0600 | 01000); print "SUCCEEDED" if defined $id;',
    succeeded: said,
  },
  {
    name: '10 GB in tmpfs',
    file: 'tmpfs.sh',
    script: `for folder in /tmp /dev/shm "$HOME" / /dev /run /etc; do i=0
while [ $i -lt 50 ] && head -c 30000000 /dev/zero > "$folder/big$i" 2>/dev/null; do i=$((i+1)); done
i=0; while [ $i -lt 50 ]; do [ -s "$folder/big$i" ] && echo f; i=$((i+1)); done; done`,
    // /tmp, /dev/shm and the home are small; the others cannot be written at all.
    succeeded: (_, stdout) => stdout.split('f').length - 1 > 12,
  },
  {
    name: '10 GB of disk in one file',
    file: 'one-file.sh',
    script: 'for folder in "$WS" "$BASE" /tmp; do head -c 12000000000 /dev/zero > "$folder/big"; done',
    succeeded: diskUsed,
    timeoutMs: 20_000,
  },
  {
    name: '10 GB of disk in many files',
    file: 'many-files.sh',
    script: 'i=0; while [ $i -lt 600 ]; do head -c 20000000 /dev/zero > "$WS/part$i"; i=$((i+1)); done',
    succeeded: diskUsed,
    timeoutMs: 20_000,
  },
  {
    name: '10 GB of disk by children nobody waits for',
    file: 'unseen.pl',
    script: `$SIG{CHLD} = 'IGNORE';
for my $i (1..600) { my $child = fork(); if (defined $child && !$child) { open(my $f, '>', "$ENV{WS}/part$i"); print $f "x" x 20_000_000; exit 0 } wait() }`,
    succeeded: diskUsed,
    timeoutMs: 20_000,
  },
  {
    name: '10 GB of stdout',
    file: 'stdout.sh',
    script: 'dd if=/dev/zero bs=64k count=163840',
    succeeded: (_, stdout) => stdout.length > 110_000,
    timeoutMs: 20_000,
  },
  {
    name: 'daemon that outlives the call',
    file: 'daemon.sh',
    script: `(setsid sh -c 'exec </dev/null >/dev/null 2>&1; trap "" TERM HUP; sleep 1; env -i sleep 31.4159; echo > "$WS/alive"' &) ; exit 0`,
    succeeded: world => world.processesWith('31.4159').length > 0 || existsSync(join(world.base, 'workspace/alive')),
  },
]

function memory(what: string, script: string): Attack {
  const name = `10 GB of ${what}`
  return { name, file: `${what.replaceAll(' ', '-')}.pl`, script: `${script}\nprint "SUCCEEDED";`, succeeded: said }
}

/** More than four times what may be written: a look every 100 ms comes a little late. */
function diskUsed({ limits }: World, _: string, writtenMb: number): boolean {
  return writtenMb > 4 * (limits.writtenMb ?? 0)
}

/** Node pads the name of an abstract socket with zeros or not, by its version: both are tried. */
function connectTo(kind: string): string {
  const target = {
    tcp: '(PF_INET, SOCK_STREAM, pack_sockaddr_in($ENV{TCP_PORT}, inet_aton("127.0.0.1")))',
    udp: '(PF_INET, SOCK_DGRAM, pack_sockaddr_in($ENV{UDP_PORT}, inet_aton("127.0.0.1")))',
    abstract: '(PF_UNIX, SOCK_STREAM, pack("S a108", 1, "\\0$ENV{ABSTRACT}"))',
    workspace: '(PF_UNIX, SOCK_STREAM, pack_sockaddr_un("$ENV{WS}/s.sock"))',
    outside: '(PF_UNIX, SOCK_STREAM, pack_sockaddr_un("$ENV{BASE}/outside/s.sock"))',
  }[kind]
  return `use Socket; my ($family, $type, $to) = ${target};
socket(my $s, $family, $type, 0) or die "socket: $!"; connect($s, $to) or connect($s, pack("S a*", 1, "\\0$ENV{ABSTRACT}")) or die "connect: $!"; send($s, "hello", 0) or die "send: $!"; select(undef, undef, undef, 0.05);`
}
