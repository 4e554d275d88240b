import type { ToolPolicy } from '../../../shared/settings.ts'

/**
 * Apps whose APIs reject a tool list for one schema, or drop such tools silently: reports of Claude Code
 * (anthropics/claude-code 657, 95504), OpenCode and Kiro (zereight/gitlab-mcp 550). Claude's desktop app uses the
 * same API.
 */
const STRICT = /^(?:claude|opencode|kiro)/i

export const takesPlainSchemas = ({ toolList }: Pick<ToolPolicy, 'toolList'>, clientName: string): boolean =>
  toolList.schemas === 'plain' || (toolList.schemas === 'auto' && STRICT.test(clientName))
