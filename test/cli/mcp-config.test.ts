import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { MCP_CLIENTS } from '../../src/cli/mcp-clients.ts'
import { makeFolder, skillMd } from '../support/folders.ts'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')

function config(args: readonly string[], cwd = makeFolder()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'config', ...args], { cwd, encoding: 'utf8' })
  return { status, stdout, stderr, cwd }
}

test('a snippet starts this installation with the sources from here, wherever the client is', () => {
  const cwd = makeFolder({
    'mine/pdf/SKILL.md': skillMd('pdf'),
    'skillwright.yaml': 'sources: [more]\n',
    'more/.keep': '',
  })
  const args = ['claude-code', '--source', 'mine', '--role', 'teacher', '--mode', 'flat', '--pin', 'pdf', '--builtins']
  const { stdout, stderr, status } = config(args, cwd)
  expect(status).toBe(0)
  expect(stderr).toContain('.mcp.json')
  expect(JSON.parse(stdout)).toEqual({
    mcpServers: {
      skillwright: {
        type: 'stdio',
        command: process.execPath,
        args: [
          ...[MAIN, 'mcp', '--source', `${cwd}/more`, '--source', `${cwd}/mine`, '--workspace', cwd],
          ...['--builtins', '--role', 'teacher', '--mode', 'flat', '--pin', 'pdf'],
        ],
      },
    },
  })
})

test('a file that was named stays named, and one that lay about does not become one', () => {
  const cwd = makeFolder({ 'skillwright.yaml': 'default_sources: false\n' })
  const argsOf = (args: readonly string[]) => {
    const { stdout } = config(['cursor', ...args], cwd)
    return (JSON.parse(stdout) as { mcpServers: { skillwright: { args: string[] } } }).mcpServers.skillwright.args
  }
  expect(argsOf([])).toContain('--no-default-sources')
  expect(argsOf([])).not.toContain('--config')
  expect(argsOf(['--config', 'skillwright.yaml'])).toEqual(
    expect.arrayContaining(['--config', `${cwd}/skillwright.yaml`]),
  )
})

test('the policy goes along, from an option or a file that lay about', () => {
  const policyOf = (args: readonly string[], cwd = makeFolder()) =>
    /"--policy",\s*"(\w+)"/.exec(config(args, cwd).stdout)?.[1]
  const cwd = makeFolder({ 'skillwright.yaml': 'policy: strict\n' })
  expect(policyOf(['cursor', '--policy', 'permissive'])).toBe('permissive')
  expect(policyOf(['cursor'], cwd)).toBe('strict')
  expect(policyOf(['cursor', '--config', 'skillwright.yaml'], cwd)).toBeUndefined()
})

test('the server of a snippet starts', () => {
  const cwd = makeFolder({ 'skills/pdf/SKILL.md': skillMd('pdf') })
  const { command, args } = JSON.parse(config(['zed', '--source', 'skills'], cwd).stdout).context_servers.skillwright
  const started = spawnSync(command, args, { cwd: '/', input: '', encoding: 'utf8' })
  expect(started).toMatchObject({ status: 0, stdout: '' })
})

test('every client has a snippet for a server that it starts, and most one for a server that runs', () => {
  const local = JSON.parse(config(['--json']).stdout) as { client: string }[]
  expect(local.map(one => one.client)).toEqual(Object.keys(MCP_CLIENTS))
  const url = 'http://127.0.0.1:8080/mcp'
  const remote = JSON.parse(config(['--json', '--http', url]).stdout) as { client: string; entry: object }[]
  expect(remote.map(one => one.client)).toEqual(Object.keys(MCP_CLIENTS).filter(one => one !== 'claude-desktop'))
  for (const { entry } of remote) expect(JSON.stringify(entry)).toContain(url)
})

test('TOML and YAML are what their clients read', () => {
  expect(config(['codex', '--http', 'http://127.0.0.1:8080/mcp', '--quiet']).stdout).toBe(
    '[mcp_servers.skillwright]\nurl = "http://127.0.0.1:8080/mcp"\n',
  )
  expect(parse(config(['goose']).stdout)).toMatchObject({
    extensions: { skillwright: { type: 'stdio', cmd: process.execPath } },
  })
})

test.each([
  [['curser'], 'Did you mean cursor?'],
  [['claude-desktop', '--http', 'http://127.0.0.1:8080/mcp'], 'Leave out --http'],
  [['cursor', '--http', 'localhost'], '--http localhost is no address'],
  [['cursor', '--mode', 'round'], '--mode round is unknown'],
])('%s is wrong usage', (args, message) => {
  const { status, stderr, stdout } = config(args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(message)
})
