import type { ToolSummary } from '../../shared/api/tools.ts'

const TOOL_ORDERS = ['server', 'name', 'context', 'calls', 'saved'] as const
export type ToolOrder = (typeof TOOL_ORDERS)[number]

/** tool_2 before tool_10. */
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const byOrder: Readonly<Record<ToolOrder, (a: ToolSummary, b: ToolSummary) => number>> = {
  server: (a, b) => compare(a.server, b.server),
  name: (a, b) => compare(a.tool, b.tool),
  context: (a, b) => b.shownTokens - a.shownTokens,
  calls: (a, b) => b.savings.calls - a.savings.calls,
  saved: (a, b) => b.savings.net - a.savings.net,
}

/** Figures largest first; equal ones by name. */
export const sortTools = (tools: readonly ToolSummary[], order: ToolOrder): ToolSummary[] =>
  tools.toSorted((a, b) => byOrder[order](a, b) || compare(a.tool, b.tool) || compare(a.server, b.server))

export const toolOrderOf = (text: string): ToolOrder =>
  TOOL_ORDERS.find((order) => order === text) ?? 'server'
