import type { ServerChange } from '../../../shared/api/servers.ts'
import type { ServerSettings } from '../../../shared/settings.ts'
import type { Answers } from './http/answers.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'
import { follow } from './live-events.ts'
import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import type { Definitions } from './definitions.ts'
import { withoutKeys } from './kept-keys.ts'
import type { LogBook } from './log-book.ts'
import { createPastedAnswers } from './pasted-servers.ts'
import { createRemovals } from './removed-servers.ts'
import type { ScreensOptions } from './screens-options.ts'
import type { ScreensSessions } from './screens-session.ts'
import { createSearchRegistry } from './search-registry.ts'
import { markSecrets, restoreSecrets } from './secret-marks.ts'
import { launchesFrom, type ServerReviews } from './server-reviews.ts'
import { createSignInAnswers } from './sign-in.ts'
import { serverOf, statusOf } from './server-status.ts'

export function createServersAnswers(
  options: ScreensOptions,
  parts: { definitions: Definitions; sessions: ScreensSessions; logs: LogBook; reviews: ServerReviews },
): Answers['servers'] {
  const { settings, serverStates, events, restarts, logger, now } = options
  const { definitions, sessions, logs, reviews } = parts

  const write = (server: string, value: ServerSettings | undefined): void =>
    settings.update([{ path: ['servers', server], value }])
  const newServer = (server: string, value: ServerSettings): ServerSettings => {
    if (Object.hasOwn(settings.current.servers, server)) {
      throw new SluiceError('SETTINGS_EXISTS', `There is a server "${server}" already. Choose another name.`)
    }
    return restoreSecrets(value, settings.current, ['servers', server])
  }
  const changeOf = (id: string): ServerChange => {
    const { state, open, failure } = serverStates.of(id)
    const isDisabled = settings.current.servers[id]?.disabled === true
    return {
      id,
      state: isDisabled ? 'disabled' : state,
      at: now(),
      open,
      ...(failure === undefined ? {} : { failure: logger.cleanText(failure) }),
    }
  }

  return {
    list: () => statusOf(options, definitions, Object.keys(settings.current.servers)),
    get: async ({ server }) => {
      serverOf(options, server)
      const [status] = await statusOf(options, definitions, [server])
      if (status) return status
      throw new SluiceError('SERVER_UNKNOWN', `There is no server "${server}" any more.`)
    },
    live: (_input, { signal }) =>
      follow<ServerChange>({
        signal,
        subscribe: (listener) => events.on('server-state', ({ serverId }) => listener(changeOf(serverId))),
      }),
    settings: ({ server }) => markSecrets(serverOf(options, server), ['servers', server]),
    add: async ({ server, settings: value, reviews: reviewed, keepKeys }) => {
      const pin = reviews.pinner(reviewed)
      const wanted = newServer(server, value)
      const added = keepKeys ? await withoutKeys(options, server, wanted) : wanted
      write(server, added)
      pin(launchOf(server, added))
    },
    review: async function* ({ server, settings: value }, { signal }) {
      const launches = launchOf(server, newServer(server, value))
      yield* reviews.look(launches, [{ name: server, serverId: server }], signal)
    },
    edit: ({ server, settings: value }) => {
      serverOf(options, server)
      const path = ['servers', server]
      const next = restoreSecrets(value, settings.current, path)
      const before: JsonObject = { ...serverOf(options, server) }
      const after: JsonObject = { ...next }
      // Per key, to keep comments.
      const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      settings.update(changed.map((key) => ({ path: [...path, key], value: after[key] })))
    },
    enable: ({ server, enabled }) => {
      serverOf(options, server)
      settings.update([{ path: ['servers', server, 'disabled'], value: enabled ? undefined : true }])
    },
    share: ({ server }) => {
      serverOf(options, server)
      settings.update([{ path: ['servers', server, 'shared'], value: true }])
    },
    ...createRemovals(options),
    restart: ({ server }) => {
      serverOf(options, server)
      restarts.restart(server)
    },
    tryStart: async ({ server }, { signal }) => {
      serverOf(options, server)
      const started = performance.now()
      const took = (): number => performance.now() - started
      try {
        return await sessions.once(server, async (session) => {
          const { tools } = await session.request('tools/list', {}, signal)
          const list = Array.isArray(tools) ? tools.filter(isJsonObject) : []
          const waiting = definitions.waiting(server)
          const blocked = waiting === 0 ? {} : { blocked: `${waiting} things of it wait for your approval.` }
          const names = (definitions.toolsOf(server) ?? []).map(({ tool }) => tool)
          const listed = list.map((tool) => stringIn(tool, 'name'))
          return { ok: true, ms: took(), tools: names.length > 0 ? names : listed, ...blocked }
        })
      } catch (error) {
        return { ok: false, ms: took(), tools: [], problem: logger.cleanText(messageOf(error)) }
      }
    },
    ...createSignInAnswers(options),
    log: ({ server, lines }) => {
      serverOf(options, server)
      return logs.tail({ server, level: 'debug', lines })
    },
    searchRegistry: createSearchRegistry(options),
    ...createPastedAnswers(options, reviews),
  }
}

const launchOf = (serverId: string, settings: ServerSettings) =>
  launchesFrom({ servers: [{ serverId, settings }] })
