import { expect, test } from 'vitest'
import type { ToolSummary } from '../../../shared/api/tools.ts'
import { sortTools, toolOrderOf } from '../../../renderer/format/sort-tools.ts'

const tool = (server: string, name: string, shownTokens: number, calls = 0, net = 0) =>
  ({ server, tool: name, shownTokens, savings: { calls, net } }) as ToolSummary
const tools = [
  tool('b', 'tool_10', 5, 1, 90),
  tool('b', 'tool_2', 50, 3, -4),
  tool('a', 'Zeta', 20),
  tool('a', 'alpha', 20, 3),
]
const names = (order: Parameters<typeof sortTools>[1]) =>
  sortTools(tools, order).map(({ tool: name }) => name)

test('tools are sorted by each column, figures largest first, names as people count', () => {
  expect(names('server')).toEqual(['alpha', 'Zeta', 'tool_2', 'tool_10'])
  expect(names('name')).toEqual(['alpha', 'tool_2', 'tool_10', 'Zeta'])
  expect(names('context')).toEqual(['tool_2', 'alpha', 'Zeta', 'tool_10'])
  expect(names('calls')).toEqual(['alpha', 'tool_2', 'tool_10', 'Zeta'])
  expect(names('saved')).toEqual(['tool_10', 'alpha', 'Zeta', 'tool_2'])
})

test('an order that the address does not know is by server', () => {
  expect([toolOrderOf('context'), toolOrderOf('colour')]).toEqual(['context', 'server'])
})
