import type { Answers } from './http/answers.ts'
import { suggestPolicy } from '../ledger/tool-needs.ts'
import { inTurns } from '../ground/steps.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { resolveToolPolicy } from '../settings/resolve-policy.ts'
import { GOAL_PARAMETER } from '../tools/present-tool.ts'
import type { Definitions } from './definitions.ts'
import { compareCall } from './results.ts'
import { LISTED_MS, type ScreensOptions } from './screens-options.ts'
import type { ScreensSessions } from './screens-session.ts'
import { markSecrets, restoreSecrets } from './secret-marks.ts'
import { serverOf } from './server-status.ts'
import { createToolListAnswers } from './tool-lists.ts'
import { createToolRecords, titleOf } from './tool-records.ts'
import { createTryFolder } from './try-folder.ts'

export function createToolsAnswers(
  options: ScreensOptions,
  { definitions, sessions }: { definitions: Definitions; sessions: ScreensSessions },
): Answers['tools'] {
  const { settings, ledger, workers, now } = options
  const { toolOf, settingsOf, preview, rowOf, checkEdit } = createToolRecords(options, definitions)
  const listedRange = () => ({ from: now() - LISTED_MS, to: now() + 1 })

  return {
    list: async ({ server: only }) => {
      const ids = only === undefined ? Object.keys(settings.current.servers) : [only]
      if (only !== undefined) serverOf(options, only)
      const { byTool } = await ledger.report(listedRange())
      const sums = new Map(byTool.map((row) => [keyOf(row), row]))
      const lists = await inTurns(
        ids,
        (server) =>
          definitions.remember(server, 'rows', (tools) => tools.map((known) => rowOf(server, known))) ?? [],
      )
      return lists.flat().map((row) => {
        const { calls = 0, net = 0 } = sums.get(keyOf(row)) ?? {}
        return { ...row, savings: { calls, net } }
      })
    },
    search: async ({ text }) => {
      const wanted = text.toLowerCase()
      const lists = await inTurns(Object.keys(settings.current.servers), (server) =>
        (definitions.toolsOf(server) ?? [])
          .filter(({ tool, definition }) => {
            const own = resolveToolPolicy(settings.current, server, tool).description ?? ''
            return `${own}\n${textsOf(definition)}`.toLowerCase().includes(wanted)
          })
          .map(({ tool }) => ({ server, tool })),
      )
      return lists.flat()
    },
    show: async ({ server, tool }) => {
      const known = toolOf(server, tool)
      const own = settingsOf(server, tool)
      const needs = await ledger.needs(listedRange())
      const need = needs.find((each) => each.server === server && each.tool === tool)
      const suggestion = need && suggestPolicy(need)
      return {
        server,
        tool,
        approval: known.approval,
        original: known.definition,
        settings: markSecrets(own, ['servers', server, 'tools', tool]),
        ...(suggestion === undefined ? {} : { suggestion }),
        ...preview(server, known, own),
      }
    },
    ...createToolListAnswers(options, definitions),
    tryFolder: createTryFolder(options),
    count: async ({ text }) => ({ tokens: await workers.run('count-tokens', text) }),
    preview: ({ server, tool, settings: own }) => preview(server, toolOf(server, tool), own),
    edit: ({ server, tool, settings: changes }) => {
      const known = toolOf(server, tool)
      const path = ['servers', server, 'tools', tool]
      const edits = Object.entries(changes)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]: [string, unknown]) => ({
          path: [...path, key],
          value: value === null ? undefined : restoreSecrets(value, settings.current, [...path, key]),
        }))
      const before = settingsOf(server, tool)
      checkEdit(known, server, before, edits)
      // Removing a key from a missing entry would create it.
      settings.update(
        edits.filter(({ path: at, value }) => value !== undefined || Object.hasOwn(before, at[4] ?? '')),
      )
      return preview(server, known, settingsOf(server, tool))
    },
    hide: ({ tools, hidden }) => {
      const changed = tools.filter(({ server, tool }) => {
        toolOf(server, tool)
        return (settingsOf(server, tool).hidden ?? false) !== hidden
      })
      settings.update(
        changed.map(({ server, tool }) => ({
          path: ['servers', server, 'tools', tool, 'hidden'],
          value: hidden || undefined,
        })),
      )
      return { changed }
    },
    try: async ({ server, tool, arguments: args, goal }, { signal }) => {
      toolOf(server, tool)
      const started = performance.now()
      const sent: JsonObject = goal === undefined ? args : { ...args, [GOAL_PARAMETER]: goal }
      return sessions.with(server, async (session) => {
        const result = await session.request('tools/call', { name: tool, arguments: sent }, signal)
        const ms = performance.now() - started
        const callId = options.traces.lastOf(session.id)?.id
        return {
          ...(callId === undefined ? {} : { callId }),
          ms,
          isError: result['isError'] === true,
          result,
          comparison: await compareCall(options, result),
        }
      })
    },
  }
}

const keyOf = ({ server, tool }: { readonly server: string; readonly tool: string }): string =>
  JSON.stringify([server, tool])

/** What says in words what a tool does. */
function textsOf(definition: JsonObject): string {
  const { inputSchema, description } = definition
  const properties = isJsonObject(inputSchema) ? inputSchema['properties'] : undefined
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  return [titleOf(definition), description, ...names].filter((text) => typeof text === 'string').join('\n')
}
