const PASSED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LC_CTYPE']
const PASSED_ON_WINDOWS = ['SystemRoot', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA']

/**
 * The environment every script starts with: what a program needs to run at all, and nothing that may be secret.
 * Leaving the rest out is also faster: an inherited `NODE_EXTRA_CA_CERTS` alone costs node 60 ms.
 */
export function minimalEnvironment(host: NodeJS.ProcessEnv): Record<string, string> {
  const names = process.platform === 'win32' ? [...PASSED, ...PASSED_ON_WINDOWS] : PASSED
  const passed = names.flatMap(name => (host[name] === undefined ? [] : [[name, host[name]]]))
  return {
    LANG: 'C.UTF-8',
    ...Object.fromEntries(passed),
    PYTHONIOENCODING: 'utf-8',
    // A call must not write into the skill's folder.
    PYTHONDONTWRITEBYTECODE: '1',
  }
}
