import { expect, test } from 'vitest'
import { parseTemplate } from '../../src/templates/parse-template.ts'
import {
  RenderError,
  renderArgv,
  renderData,
  renderHeader,
  renderJsonText,
  renderText,
  renderUrl,
  type Scope,
} from '../../src/templates/render.ts'

const scope: Scope = {
  args: { name: 'Ada "L"', n: 5, list: ['a', 1], user: { id: 7 }, flag: '-rf', up: '..', line: 'a\r\nX: 1', no: null },
  env: name => {
    const value = ({ KEY: 'k-1', BASE: 'https://h.example/api' } as Record<string, string>)[name]
    if (value === undefined) throw new RenderError(`env:${name} is not granted`)
    return value
  },
  steps: { a: { data: { path: '/tmp/x', rows: [{ id: 3 }] } } },
}
const text = (template: string) => renderText(parseTemplate(template), scope)
const url = (template: string) => renderUrl(parseTemplate(template), scope)
const json = (template: string) => renderJsonText(parseTemplate(template), scope)

test.each([
  ['hello ${name}', 'hello Ada "L"'],
  ['${user.id} {{args.n}} {{ n }} ${args.n}', '7 5 5 5'],
  ['${missing:-x y}${missing:-}', 'x y'],
  ['${no:-none}', 'none'],
  ['${env:KEY}', 'k-1'],
  ['${env:UNSET:-none}', 'none'],
  ['${steps.a.data.path} ${steps.a.data.rows.0.id}', '/tmp/x 3'],
  ['${list} costs $5 $${name}', '["a",1] costs $5 ${name}'],
  ['{ "a": {} }', '{ "a": {} }'],
])('%s', (template, expected) => {
  expect(text(template)).toBe(expected)
})

test.each([
  '${missing}',
  '${user.name}',
  '${env:UNSET}',
  '${steps.b.data}',
  '${toString}',
  '${user.__proto__}',
  '${no}',
])('%s names what is missing', template => {
  expect(() => text(template)).toThrow(RenderError)
  expect(() => text(template)).toThrow(template.slice(2, -1))
})

test.each(['${', '${a b}', '${}', '${env:}', '${env:A-B}', 'x ${name', '${a..b}'])('%s is no template', template => {
  expect(() => parseTemplate(template)).toThrow(/TemplateError|not closed|write|variable/)
})

test('a value is one element of argv, whatever it holds', () => {
  expect(renderArgv('--name ${name} "--n=${n}" --d \'${missing:-x y}\'', scope)).toEqual([
    '--name',
    'Ada "L"',
    '--n=5',
    '--d',
    'x y',
  ])
  expect(renderArgv(['a b', '${name}'], scope)).toEqual(['a b', 'Ada "L"'])
})

test('a value cannot become a flag, unless the template ends the flags or joins it to one', () => {
  expect(() => renderArgv('rm ${flag}', scope)).toThrow('flag: "-rf" begins with "-"')
  expect(renderArgv('rm -- ${flag}', scope)).toEqual(['rm', '--', '-rf'])
  expect(renderArgv('--x=${flag}', scope)).toEqual(['--x=-rf'])
  expect(renderArgv('${n}', { ...scope, args: { n: -1 } })).toEqual(['-1'])
})

test('parts of a URL are encoded', () => {
  expect(url('https://h/${name}?q=${line}#${list}')).toBe('https://h/Ada%20%22L%22?q=a%0D%0AX%3A%201#%5B%22a%22%2C1%5D')
  expect(url('${env:BASE}/u/${user.id}')).toBe('https://h.example/api/u/7')
  expect(() => url('https://h/${up}/x')).toThrow('cannot be part of a URL')
})

test('a header value cannot begin another header', () => {
  expect(renderHeader(parseTemplate('Bearer ${env:KEY}'), scope)).toBe('Bearer k-1')
  expect(() => renderHeader(parseTemplate('${line}'), scope)).toThrow('line ends')
})

test('JSON stays JSON', () => {
  const made = json('{"a": "x ${name} \\" ${line}", "n": ${n}, "l": ${list}, "s": ${name}}')
  expect(JSON.parse(made)).toEqual({ a: 'x Ada "L" " a\r\nX: 1', n: 5, l: ['a', 1], s: 'Ada "L"' })
})

test('data keeps the types of what it refers to', () => {
  expect(renderData({ a: '${n}', b: ['${list}', 'n=${n}'], c: null }, scope)).toEqual({
    a: 5,
    b: [['a', 1], 'n=5'],
    c: null,
  })
})

test('no argument can make the host of a URL another one', () => {
  for (const template of ['https://h.example${up}', 'https://h.example${name}/x', 'https://h.example${up}${name}'])
    expect(() => url(template)).toThrow('host')
  expect(url('https://h.example:${n}/x')).toBe('https://h.example:5/x')
  expect(url('https://a${n}.h.example/x/${n}')).toBe('https://a5.h.example/x/5')
})
