// Commands that every machine with a POSIX shell has, so that a script that runs them requires nothing.

const BUILTINS =
  '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test time times trap true type typeset ulimit umask unalias unset wait'
const PROGRAMS =
  'ar arch at awk base64 basename bash bc bunzip2 bzip2 cal cat chgrp chmod chown chroot cksum clear cmp column comm cp cpio crontab csplit cut date dd df diff diff3 dir dirname dmesg du ed egrep env expand expr factor fgrep file find flock fmt fold free fuser getconf getent getopt grep groups gunzip gzip head hexdump hostname iconv id install ionice join kill killall last less ln locale locate logger logname look ls lsof m4 mail make man md5sum mesg mkdir mkfifo mknod mktemp more mount mv newgrp nice nl nohup nproc numfmt od passwd paste patch pathchk pgrep pidof pkill pr printenv ps pwd readlink realpath renice rev rm rmdir script sed seq sh sha1sum sha224sum sha256sum sha384sum sha512sum shasum shred shuf sleep sort split stat stdbuf strings stty su sudo sum sync tac tail tar tee timeout top touch tput tr truncate tsort tty uname unexpand uniq unlink unzip uptime users uuidgen vi vdir w watch wc whereis which who whoami xargs xxd yes zcat zip'

const STANDARD = new Set(`${BUILTINS} ${PROGRAMS}`.split(' '))

/** A name that can be looked for on the machine, and need not be there. */
export function isForeignProgram(name: string): boolean {
  return /^[A-Za-z][\w.+-]*$/.test(name) && !STANDARD.has(name) && !/\.(?:sh|bash|py|js|pl|rb)$/.test(name)
}
