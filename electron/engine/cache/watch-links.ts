import type { ClientHello } from '../protocol/era.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { OpenLink, OpenLinkOptions, UpstreamLink } from '../protocol/link.ts'
import { keyOf } from './call-key.ts'

export interface WatchLinksOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reported a change or ended. */
  readonly onChange: (serverId: string) => void
}

/** Only identify a window or process. */
const OF_ONE_RUN =
  /^(?:_|SHLVL|PWD|OLDPWD|WINDOWID|XDG_ACTIVATION_TOKEN|DESKTOP_STARTUP_ID|INVOCATION_ID|JOURNAL_STREAM|TERM_SESSION_ID|ITERM_SESSION_ID|WT_SESSION|COLUMNS|LINES)$/

/** `_meta` fields that name one call, or describe the client, which `hello` covers. */
const NAMES_ONE_CALL =
  /^(?:progressToken|traceparent|tracestate|baggage|io\.modelcontextprotocol\/.*|.*\/?(?:tool_?use|tool_?call|call|request|trace|span)_?id)$/i

/**
 * Besides the call: the launch with all values, the client information sent, and the client's roots. Reports server
 * changes.
 */
export function watchLinks({ env, onChange }: WatchLinksOptions) {
  const links = new WeakMap<UpstreamLink, { readonly launch: string; roots: string }>()

  const watch =
    (openLink: OpenLink): OpenLink =>
    async (options) => {
      const { serverId, events } = options
      const known = { launch: launchOf(options, env), roots: '' }
      const answered = (method: string, answer: JsonObject): void => {
        if (method === 'roots/list') known.roots = keyOf({ roots: answer['roots'] ?? null })
      }
      const link = await openLink({
        ...options,
        events: {
          onNotification: (method, params) => {
            if (method.endsWith('/list_changed') || method === 'notifications/resources/updated')
              onChange(serverId)
            events.onNotification(method, params)
          },
          onRequest: async (method, ...question) => {
            const answer = await events.onRequest(method, ...question)
            answered(method, answer)
            return answer
          },
          onAnswered: answered,
          onLost: (error) => {
            onChange(serverId)
            events.onLost(error)
          },
        },
      })
      links.set(link, known)
      return link
    }

  /** Undefined if the call requests more than a tool's result, or its link is unknown. */
  const askerOf = (
    link: UpstreamLink | undefined,
    hello: ClientHello,
    params: JsonObject | undefined,
  ): string | undefined => {
    const known = link && links.get(link)
    const { name: _name, arguments: _arguments, _meta, ...others } = params ?? {}
    if (!known || Object.keys(others).length > 0) return undefined
    const meta = Object.entries(isJsonObject(_meta) ? _meta : {}).filter(([key]) => !NAMES_ONE_CALL.test(key))
    try {
      return keyOf({ ...known, hello, meta: Object.fromEntries(meta) })
    } catch {
      return undefined
    }
  }

  return { watch, askerOf }
}

function launchOf(
  { settings, client, cwd, env }: OpenLinkOptions,
  ownEnv: Readonly<Record<string, string | undefined>>,
): string {
  const { command, args, url, type, headers } = settings
  const to = url === undefined ? undefined : { url, type: type ?? null, headers: headers ?? {} }
  const inherited = Object.entries(env ?? ownEnv).filter(
    ([name, value]) => value !== undefined && !OF_ONE_RUN.test(name),
  )
  const from = {
    command: command ?? null,
    args: args ?? [],
    env: { ...Object.fromEntries(inherited), ...settings.env },
    cwd: settings.cwd ?? cwd ?? null,
  }
  return keyOf({ client, ...(to ?? from) })
}
