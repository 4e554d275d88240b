import { builtInId } from '../../../shared/built-in.ts'
import type { CompressionPolicy } from '../../../shared/policy.ts'
import type { Settings } from '../../../shared/settings.ts'
import { endingOfCall } from '../message/goal-of-call.ts'
import { stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import { builtInKind } from '../settings/built-in-policy.ts'
import { resolveToolPolicy } from '../settings/resolve-policy.ts'
import type { FormatHint } from '../text/readers/reading.ts'
import type { TranscriptApp } from '../transcripts/transcript.ts'

interface ThenCall {
  readonly app: TranscriptApp
  readonly tool: string
  readonly input: JsonObject
  readonly isError: boolean
  readonly text: string
}

/** An output that is needed as it is: a list of paths, or a file that may be edited. */
export type IsExact = (input: JsonObject, text: string) => boolean

/** How the settings of today treat a result of this tool. */
interface Treatment {
  readonly threshold: number
  readonly budget: number
  readonly strategy: string | undefined
  readonly hint: FormatHint
  /** A shorter form that saves less isn't given. */
  readonly leastSaved: { readonly tokens: number; readonly share: number }
}

export type TreatmentOf = (call: ThenCall) => Treatment | undefined

/** `server` is the id in Sluice's settings, or the app's name for it. */
interface McpTool {
  readonly server: string
  readonly tool: string
}

/** Its own tools, and the command that reads an original. */
export const isFetch = (tool: string, input: JsonObject): boolean =>
  /(?:^|[_.-])proxy_(?:explore|filter|search|read|run)$/.test(tool) ||
  /(?:^|[;&|]\s*)sluice read\b/.test(stringIn(input, 'command'))

/** Apps write `mcp__server__tool`, or the server's name and the tool's with one sign between them. */
export function mcpToolOf(tool: string, servers: readonly string[]): McpTool | undefined {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? []
  if (server !== undefined && name !== undefined) return { server, tool: name }
  const bare = tool.replace(/^mcp_(?!_)/, '')
  const known = servers.find((id) => bare.startsWith(id) && /^(?:__|[_.-])./.test(bare.slice(id.length)))
  if (known !== undefined)
    return { server: known, tool: bare.slice(known.length).replace(/^(?:__|[_.-])/, '') }
  return bare === tool ? undefined : { server: bare.split('_')[0] ?? bare, tool: bare }
}

/** Hooks give another name than the session. */
const HOOK_NAMES: Readonly<Partial<Record<TranscriptApp, RegExp>>> = {
  codex: /^(?:shell|shell_command|exec_command|local_shell_call)$/,
}
const hookName = (app: TranscriptApp, tool: string): string => (HOOK_NAMES[app]?.test(tool) ? 'Bash' : tool)

/** As hooks do: a second look costs the model a whole request. */
const LEAST_SAVED = { tokens: 1_000, share: 0.4 }

export function treatmentsOf(settings: Settings, isExact: IsExact): TreatmentOf {
  const servers = Object.keys(settings.servers)
  return ({ app, tool, input, isError, text }) => {
    const mcp = mcpToolOf(tool, servers)
    const hint = { ending: endingOfCall({ arguments: input }) }
    if (mcp) {
      const { compression } = resolveToolPolicy(settings, mcp.server, mcp.tool)
      return treatmentOf(compression, hint, { tokens: 1, share: 0 })
    }
    const own = hookName(app, tool)
    // Claude Code's hook isn't asked for a failed call.
    if (builtInKind(app, own) === undefined || (isError && app === 'claude-code')) return undefined
    if (isExact(input, text)) return undefined
    const { compression } = resolveToolPolicy(settings, builtInId(app), own)
    return treatmentOf(compression, hint, LEAST_SAVED)
  }
}

function treatmentOf(
  { strategy, tokenThreshold, maxOutputTokens }: CompressionPolicy,
  hint: FormatHint,
  leastSaved: Treatment['leastSaved'],
): Treatment | undefined {
  if (strategy === 'off') return undefined
  const forced = strategy === 'preview' ? 'preview' : undefined
  return { threshold: tokenThreshold, budget: maxOutputTokens, strategy: forced, hint, leastSaved }
}
