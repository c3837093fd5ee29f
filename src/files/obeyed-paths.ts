/**
 * What other programs obey when they find it in a workspace: whoever may change it runs what they like outside of every sandbox.
 * All of `.git`: one new file there, `commondir`, gives git another configuration.
 */
export const OBEYED_PATHS = ['.git', '.mcp.json', '.claude', '.agents', '.vscode', '.idea', '.envrc']
