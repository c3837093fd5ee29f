import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locateScript } from '../../src/files/locate-script.ts'
import { makeFolder } from '../support/folders.ts'

test('paths that leave the skill are refused, each with its own code', () => {
  const root = makeFolder({
    'skill/scripts/ok.sh': '',
    'skill/suid.sh': '',
    'skill-evil/x.sh': '',
    'x.sh': '',
    'skill/..x': '',
  })
  const skill = join(root, 'skill')
  symlinkSync('../skill-evil/x.sh', join(skill, 'link.sh'))
  symlinkSync('../skill-evil', join(skill, 'folder'))
  chmodSync(join(skill, 'suid.sh'), 0o4755)
  const code = (file: string) => {
    const located = locateScript(skill, file)
    return located.ok ? 'ok' : located.code
  }
  expect(code('scripts/ok.sh')).toBe('ok')
  expect(code('..x')).toBe('ok')
  expect(code(join(skill, 'scripts/ok.sh'))).toBe('ok')
  expect(code('../x.sh')).toBe('PATH_TRAVERSAL')
  expect(code('scripts/../../x.sh')).toBe('PATH_TRAVERSAL')
  expect(code('../skill-evil/x.sh')).toBe('PATH_TRAVERSAL')
  expect(code(join(root, 'skill-evil/x.sh'))).toBe('PATH_OUTSIDE_SKILL')
  expect(code('link.sh')).toBe('LINK_OUTSIDE_SKILL')
  expect(code('folder/x.sh')).toBe('LINK_OUTSIDE_SKILL')
  expect(code('suid.sh')).toBe('SETUID_SCRIPT')
  expect(code('gone.sh')).toBe('SCRIPT_MISSING')
  expect(code('scripts')).toBe('SCRIPT_MISSING')
  expect(code('a\0b')).toBe('SCRIPT_MISSING')
})
