// skillwright/mcp: the tools of a runtime for clients that speak MCP.
export type { McpOptions } from './mcp-connection.ts'
export { createMcpHandler, type McpHandler, type McpHandlerOptions } from './mcp-http.ts'
export { type McpStdioOptions, serveMcpStdio } from './mcp-stdio.ts'
