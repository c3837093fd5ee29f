import { expect, test } from 'vitest'
import { renderBody } from '../../src/skills/render-body.ts'

const render = (body: string, args = '') =>
  renderBody(body, '/s', args).replace('Base directory for this skill: /s\n\n', '')

test.each([
  ['{baseDir}/x ${CLAUDE_SKILL_DIR}/y', '', '/s/x /s/y'],
  ['Do $ARGUMENTS now', 'a b', 'Do a b now'],
  ['$1 then $2 then $3.', 'one "two words"', 'one then two words then .'],
  ['No placeholder', 'a b', 'No placeholder\n\nARGUMENTS: a b'],
  ['No placeholder', '', 'No placeholder'],
  ["awk '{print $1}'", '', "awk '{print $1}'"],
  ['costs \\$1 for $1', 'me', 'costs $1 for me'],
  ['$1', '$2 {baseDir} $ARGUMENTS', '$2'],
  ['$10 and $ARGUMENTSX', 'a', '$10 and $ARGUMENTSX\n\nARGUMENTS: a'],
])('%j with %j gives %j', (body, args, expected) => {
  expect(render(body, args)).toBe(expected)
})

test('the base directory stands first', () => {
  expect(renderBody('Body', '/skills/a', '')).toBe('Base directory for this skill: /skills/a\n\nBody')
})
