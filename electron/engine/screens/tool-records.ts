import type { ToolPreview, ToolSummary } from '../../../shared/api/tools.ts'
import { ToolSettings, type Settings, type ToolPolicy } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import { didYouMean } from '../ground/nearest.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { resolveToolPolicy } from '../settings/resolve-policy.ts'
import { checkToolSettings } from '../tools/check-tool-settings.ts'
import type { Definitions, KnownTool } from './definitions.ts'
import type { ScreensOptions } from './screens-options.ts'
import { serverOf } from './server-status.ts'

export interface ToolRecords {
  /** Throws TOOL_UNKNOWN, with the nearest name. */
  readonly toolOf: (server: string, tool: string) => KnownTool
  /** Own settings; {} without any. */
  readonly settingsOf: (server: string, tool: string) => ToolSettings
  /** As clients would see the tool with these settings. */
  readonly preview: (server: string, known: KnownTool, own: ToolSettings) => ToolPreview
  readonly rowOf: (server: string, known: KnownTool) => Omit<ToolSummary, 'savings'>
  /** Rejects settings that fail every call (BAD_INPUT); existing failures may be repaired stepwise. */
  readonly checkEdit: (
    known: KnownTool,
    server: string,
    before: ToolSettings,
    edits: readonly { path: readonly string[]; value: unknown }[],
  ) => void
}

/** Tools as they are offered, set up and shown. */
export function createToolRecords(options: ScreensOptions, definitions: Definitions): ToolRecords {
  const { settings } = options

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

  return { toolOf, settingsOf, preview, rowOf, checkEdit }
}

/** More is never in sight in one line. */
const ABOUT_CHARACTERS = 160

const beginningOf = (text: string): string =>
  text.slice(0, ABOUT_CHARACTERS).toWellFormed().replace(/\s+/g, ' ').trim()

/** Its own, or that of its annotations. */
export function titleOf({ title, annotations }: JsonObject): string | undefined {
  const found = title ?? (isJsonObject(annotations) ? annotations['title'] : undefined)
  return typeof found === 'string' ? found : undefined
}
