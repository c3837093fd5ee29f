// What the documentation shows is run: `js` blocks as programs, `sh` lines as commands, and a `text` block right below a
// command is what it must print. Links must lead somewhere.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const PAGES = [
  ...readdirSync(ROOT).filter(name => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]
// Inside the package, so that `import 'skillwright'` finds it by its own name.
mkdirSync(join(ROOT, '.build'), { recursive: true })
const scratch = mkdtempSync(join(ROOT, '.build', 'docs-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

// Test runners ask for colours.
const PLAIN = { ...process.env, NO_COLOR: '1' }

type Block = { readonly page: string; readonly line: number; readonly language: string; readonly text: string }
const blocks = PAGES.flatMap(readBlocks)

test.each(blocks.filter(block => block.language === 'js'))('$page:$line runs', ({ text, line }) => {
  const file = join(scratch, `line-${line}-${Math.random().toString(36).slice(2)}.mjs`)
  writeFileSync(file, text)
  const output = execFileSync(process.execPath, [file], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
  expect(output).not.toBe('')
})

test.each(blocks.filter(block => block.language === 'sh'))('$page:$line does what it says', ({ page, text, line }) => {
  const commands = text.split('\n').filter(Boolean)
  const shown = blocks.find(
    block => block.page === page && block.language === 'text' && block.line === line + commands.length + 2,
  )
  const outputs = commands.map(run)
  if (shown) expect(outputs.join('')).toBe(shown.text)
})

test.each(PAGES)('the links of %s lead somewhere', page => {
  const targets = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(match => match[1]!)
  const broken = targets.filter(target => !/^https?:/.test(target) && !existsSync(join(ROOT, dirname(page), target)))
  expect(broken).toEqual([])
})

/** Runs a command of ours; of npm's it only checks that the script is there, or a test would run the tests. */
function run(line: string): string {
  const exit = Number(/# exits with (\d+)/.exec(line)?.[1] ?? 0)
  const command = line.replace(/\s+#.*$/, '')
  if (command.startsWith('npm ')) {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const names = [...command.matchAll(/npm (?:run )?([\w:]+)/g)].map(match => match[1]!)
    expect(Object.keys({ ...scripts, ci: '' })).toEqual(expect.arrayContaining(names))
    return ''
  }
  expect(command).toMatch(/^npx skillwright /)
  const ours = command.replace('npx skillwright', `"${process.execPath}" dist/cli/main.js`)
  const { status, stdout, stderr } = spawnSync('sh', ['-c', ours], { cwd: ROOT, encoding: 'utf8', env: PLAIN })
  expect({ command, status, stderr: status === exit ? '' : stderr }).toEqual({ command, status: exit, stderr: '' })
  return stdout
}

function readBlocks(page: string): Block[] {
  const text = read(page)
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(match => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1]!,
    text: match[2]!,
  }))
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
