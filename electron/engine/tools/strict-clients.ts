import type { ToolPolicy } from '../../../shared/settings.ts'

/**
 * Names by which AI apps introduce themselves that hand schemas on to APIs which refuse a whole list of tools for one of
 * them, or drop such tools without a word: reports of Claude Code (anthropics/claude-code 657, 95504), OpenCode and Kiro
 * (zereight/gitlab-mcp 550). Claude's desktop app sends to the same API.
 */
const STRICT = /^(?:claude|opencode|kiro)/i

/** Whether this client is shown plain schemas, and so may call by plain names. */
export const takesPlainSchemas = ({ toolList }: Pick<ToolPolicy, 'toolList'>, clientName: string): boolean =>
  toolList.schemas === 'plain' || (toolList.schemas === 'auto' && STRICT.test(clientName))
