// How well-known MCP clients want a server written down.

/** What a client starts, or where it connects to. */
export type ServerAddress = { readonly command: string; readonly args: readonly string[] } | { readonly url: string }

export type McpClient = {
  readonly name: string
  /** Where the snippet belongs. */
  readonly file: string
  readonly format: 'json' | 'toml' | 'yaml'
  /** The snippet as data; undefined when the client cannot use such an address. */
  readonly entry: (server: ServerAddress) => object | undefined
}

type Shape = (server: ServerAddress) => object | undefined

const inServers =
  (key: string, shape: Shape = server => server): Shape =>
  server => {
    const shaped = shape(server)
    return shaped && { [key]: { skillwright: shaped } }
  }

/** Command and arguments as they are; addresses under another key or with a type. */
const withUrl =
  (toRemote: (url: string) => object): Shape =>
  server =>
    'url' in server ? toRemote(server.url) : server

const withTypes =
  (local: string, remote: string, more: object = {}): Shape =>
  server => ({ type: 'url' in server ? remote : local, ...server, ...more })

export const MCP_CLIENTS: Readonly<Record<string, McpClient>> = {
  'claude-code': {
    name: 'Claude Code',
    file: '.mcp.json in the project',
    format: 'json',
    entry: inServers('mcpServers', withTypes('stdio', 'http')),
  },
  'claude-desktop': {
    name: 'Claude Desktop',
    file: 'claude_desktop_config.json (Settings > Developer > Edit Config)',
    format: 'json',
    entry: inServers('mcpServers', server => ('url' in server ? undefined : server)),
  },
  cline: {
    name: 'Cline',
    file: 'cline_mcp_settings.json (MCP Servers > Configure)',
    format: 'json',
    entry: inServers(
      'mcpServers',
      withUrl(url => ({ type: 'streamableHttp', url })),
    ),
  },
  codex: {
    name: 'Codex',
    file: '~/.codex/config.toml',
    format: 'toml',
    entry: inServers('mcp_servers'),
  },
  copilot: {
    name: 'Copilot CLI',
    file: '~/.copilot/mcp-config.json',
    format: 'json',
    entry: inServers('mcpServers', withTypes('local', 'http', { tools: ['*'] })),
  },
  cursor: {
    name: 'Cursor',
    file: '~/.cursor/mcp.json, or .cursor/mcp.json in the project',
    format: 'json',
    entry: inServers('mcpServers'),
  },
  gemini: {
    name: 'Gemini CLI',
    file: '~/.gemini/settings.json',
    format: 'json',
    entry: inServers(
      'mcpServers',
      withUrl(httpUrl => ({ httpUrl })),
    ),
  },
  goose: {
    name: 'Goose',
    file: '~/.config/goose/config.yaml',
    format: 'yaml',
    entry: inServers('extensions', server => ({
      name: 'skillwright',
      enabled: true,
      timeout: 300,
      ...('url' in server
        ? { type: 'streamable_http', uri: server.url }
        : { type: 'stdio', cmd: server.command, args: server.args }),
    })),
  },
  opencode: {
    name: 'OpenCode',
    file: 'opencode.json',
    format: 'json',
    entry: inServers('mcp', server =>
      'url' in server
        ? { type: 'remote', url: server.url, enabled: true }
        : { type: 'local', command: [server.command, ...server.args], enabled: true },
    ),
  },
  vscode: {
    name: 'VS Code',
    file: '.vscode/mcp.json in the project',
    format: 'json',
    entry: inServers('servers', withTypes('stdio', 'http')),
  },
  windsurf: {
    name: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    format: 'json',
    entry: inServers(
      'mcpServers',
      withUrl(serverUrl => ({ serverUrl })),
    ),
  },
  zed: {
    name: 'Zed',
    file: '~/.config/zed/settings.json',
    format: 'json',
    entry: inServers('context_servers'),
  },
}
