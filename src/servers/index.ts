// `skillwright/servers`: REST, MCP over HTTP and gRPC for programs that host a runtime themselves.
export type { AccessOptions, AccessToken } from './access.ts'
export type { HttpLimits } from './http-listener.ts'
export type { McpHandlerOptions } from './mcp-http.ts'
export type { RateLimitOptions } from './rate-limit.ts'
export { type ServeOptions, type Serving, serve } from './serve.ts'
