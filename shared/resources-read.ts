/** Beside names of tools: shortened resources, which the ledger counts as calls. MCP's own name has a character that tools lack. */
export const RESOURCES_READ = 'resources/read'
