// The public API.
export { createHttpEmbedder, type HttpEmbedderOptions } from './adapters/http-embedder.ts'
export type { BuiltinName } from './builtins/builtin.ts'
export type { Discovery } from './catalogue/discovery.ts'
export { discoveryPrompt } from './catalogue/discovery-prompt.ts'
export type { DiscoverySession, DiscoverySessionOptions } from './catalogue/discovery-session.ts'
export type { Embedder } from './catalogue/embedder.ts'
export type {
  CallToolRequest,
  CallToolResponse,
  ErrorResponse,
  ExpandToolRequest,
  ExpandToolResponse,
  ListRequest,
  ListResponse,
  NodePointer,
  OperationName,
  SearchNodesRequest,
  SearchNodesResponse,
  SearchToolByCategoryRequest,
  SearchToolByCategoryResponse,
  ToolPointer,
} from './catalogue/operations.ts'
export type { EmbedderOptions } from './catalogue/search-index.ts'
export { DIAGNOSTICS, type DiagnosticCode } from './diagnostics.ts'
export {
  ERROR_CODES,
  type ErrorCode,
  ScriptExecutionError,
  ScriptTimeoutError,
  SkillInvocationError,
  ToolRestrictionError,
} from './errors.ts'
export { IMPORT_ERRORS, ImportError, type ImportErrorCode } from './import/import-error.ts'
export { type ImportedSkill, type ImportOptions, type ImportResult, importSkills } from './import/import-skills.ts'
export { type RemoveResult, removeSkills } from './import/remove-skills.ts'
export { type UpdatedSkill, type UpdateOptions, type UpdateResult, updateSkills } from './import/update-skills.ts'
export type { HttpServer, McpServer, McpServers, StdioServer } from './mcp/config.ts'
export type { ApprovalAnswer, ApprovalRequest, OnApproval } from './policy/approval.ts'
export type { PolicyRule } from './policy/assign-policy.ts'
export type { Machine } from './policy/machine.ts'
export { POLICIES, type PolicyName } from './policy/policies.ts'
export { extendPolicy, type PolicyExtension } from './policy/read-policy.ts'
export type { ToolPolicy } from './policy/tool-policy.ts'
export {
  createRuntime,
  type HostTool,
  type Runtime,
  type RuntimeOptions,
  type SecretSource,
  type ToolHandle,
  type WrittenSkill,
} from './runtime.ts'
export type { Session, SessionOptions, Sessions } from './sessions/session.ts'
export { createMemoryStore, type InlineSkill, type SessionRecord, type SessionStore } from './sessions/session-store.ts'
export type { Review, ReviewedScript } from './trust/review.ts'
export type { TrustOptions } from './trust/trust.ts'
export type { Grants, TrustRecord } from './trust/trust-store.ts'
export type {
  AllowedTool,
  CallEvent,
  Caller,
  CompileEvent,
  Diagnostic,
  DiscoveryEvent,
  Json,
  JsonSchema,
  LeftOut,
  LeftOutReason,
  Limits,
  Policy,
  RanUnder,
  Report,
  ResultMeta,
  RuntimeEvent,
  Skill,
  Source,
  Tool,
  ToolCall,
  ToolError,
  ToolResult,
  ToolStatus,
  Variable,
} from './types.ts'
export {
  type ExitCodeOutput,
  type ToolResultBlock,
  toDiscoveryText,
  toExitCodeOutput,
  toText,
  toToolResultBlock,
} from './wire.ts'
