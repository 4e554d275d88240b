import type { ToolPreview, ToolSummary } from '../../../shared/api/tools.ts'
import { ToolSettings, type Settings, type ToolPolicy } from '../../../shared/settings.ts'
import type { Answers } from './http/answers.ts'
import { SluiceError } from '../ground/errors.ts'
import { suggestPolicy } from '../ledger/tool-needs.ts'
import { inTurns } from '../ground/steps.ts'
import { didYouMean } from '../ground/nearest.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { resolveToolPolicy } from '../settings/resolve-policy.ts'
import { checkToolSettings } from '../tools/check-tool-settings.ts'
import { GOAL_PARAMETER } from '../tools/present-tool.ts'
import type { Definitions, KnownTool } from './definitions.ts'
import { compareCall } from './results.ts'
import { LISTED_MS, type ScreensOptions } from './screens-options.ts'
import type { ScreensSessions } from './screens-session.ts'
import { markSecrets, restoreSecrets } from './secret-marks.ts'
import { serverOf } from './server-status.ts'
import { createToolListAnswers } from './tool-lists.ts'
import { createTryFolder } from './try-folder.ts'

export function createToolsAnswers(
  options: ScreensOptions,
  { definitions, sessions }: { definitions: Definitions; sessions: ScreensSessions },
): Answers['tools'] {
  const { settings, ledger, workers, now } = options

  const toolOf = (server: string, tool: string): KnownTool => {
    serverOf(options, server)
    const tools = definitions.toolsOf(server)
    const found = tools?.find((known) => known.tool === tool)
    if (found) return found
    const hint = tools
      ? didYouMean(
          tool,
          tools.map((known) => known.tool),
        )
      : ' Start the server once, so that its tools are known.'
    throw new SluiceError(
      'TOOL_UNKNOWN',
      `The server "${server}" has no tool "${tool.slice(0, 100)}".${hint}`,
    )
  }
  const settingsOf = (server: string, tool: string): ToolSettings => {
    const { tools } = serverOf(options, server)
    return (tools && Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? {}
  }
  /** Lazy tools are in no list: models read them on demand. */
  const shownTokens = (server: string, known: KnownTool, policy: ToolPolicy): number =>
    policy.toolList.lazy ? 0 : definitions.tokens(definitions.shown(server, known, policy))
  const preview = (server: string, known: KnownTool, own: ToolSettings): ToolPreview => {
    const entry = serverOf(options, server)
    const changed: Settings = {
      ...settings.current,
      servers: {
        ...settings.current.servers,
        [server]: { ...entry, tools: { ...entry.tools, [known.tool]: own } },
      },
    }
    const policy = resolveToolPolicy(changed, server, known.tool)
    const shown = definitions.shown(server, known, policy)
    return {
      ...(shown === undefined ? {} : { shown }),
      shownTokens: shownTokens(server, known, policy),
      originalTokens: definitions.tokens(known.definition),
      problems: checkToolSettings(known.definition, policy),
    }
  }

  const listedRange = () => ({ from: now() - LISTED_MS, to: now() + 1 })
  const rowOf = (server: string, known: KnownTool): Omit<ToolSummary, 'savings'> => {
    const { tool, approval, definition } = known
    const own = settingsOf(server, tool)
    const policy = resolveToolPolicy(settings.current, server, tool)
    const title = titleOf(definition)
    const about = policy.description ?? definition['description']
    return {
      server,
      tool,
      ...(title === undefined ? {} : { title }),
      about: typeof about === 'string' ? beginningOf(about) : '',
      approval,
      isHidden: policy.hidden,
      isEdited: Object.keys(own).length > 0,
      originalTokens: definitions.tokens(definition),
      shownTokens: shownTokens(server, known, policy),
    }
  }

  /** Rejects settings that fail every call; existing failures may be repaired stepwise. */
  const checkEdit = (
    known: KnownTool,
    server: string,
    before: ToolSettings,
    edits: readonly { path: readonly string[]; value: unknown }[],
  ): void => {
    const after = ToolSettings.safeParse({
      ...before,
      ...Object.fromEntries(edits.map(({ path, value }) => [path.at(-1), value])),
    })
    // The settings validation reports invalid ones.
    if (!after.success) return
    const old = preview(server, known, before).problems.map(({ message }) => message)
    const fault = preview(server, known, after.data).problems.find(
      ({ severity, message }) => severity === 'error' && !old.includes(message),
    )
    if (fault)
      throw new SluiceError('BAD_INPUT', `Every call of "${known.tool}" would fail. ${fault.message}`)
  }

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

/** More is never in sight in one line. */
const ABOUT_CHARACTERS = 160

const beginningOf = (text: string): string =>
  text.slice(0, ABOUT_CHARACTERS).toWellFormed().replace(/\s+/g, ' ').trim()

function titleOf({ title, annotations }: JsonObject): string | undefined {
  const found = title ?? (isJsonObject(annotations) ? annotations['title'] : undefined)
  return typeof found === 'string' ? found : undefined
}

/** What says in words what a tool does. */
function textsOf(definition: JsonObject): string {
  const { inputSchema, description } = definition
  const properties = isJsonObject(inputSchema) ? inputSchema['properties'] : undefined
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  return [titleOf(definition), description, ...names].filter((text) => typeof text === 'string').join('\n')
}
