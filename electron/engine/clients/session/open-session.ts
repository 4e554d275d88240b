import type {
  ClientIdentity,
  ClientSession,
  OpenSession,
  OpenSessionOptions,
} from '../transports/client-session.ts'
import { assertNever } from '../../ground/errors.ts'
import type { Events } from '../../ground/events.ts'
import { createIds } from '../../ground/ids.ts'
import { ApprovalQuestions } from './approval-questions.ts'
import { AllServersView } from './all-servers-view.ts'
import { OneServerView } from './one-server-view.ts'
import { Session } from './session.ts'
import type { ClientNames } from './client-names.ts'
import { createExplorationReach, type SessionDependencies } from './session-dependencies.ts'

export interface Sessions {
  readonly open: OpenSession
  count(): number
  /** Whether a session of this client lists the exploration tools. */
  hasTools(clientName: string): boolean
  close(): Promise<void>
}

export function createOpenSession(
  given: Omit<SessionDependencies, 'questions' | 'newId' | 'explorationReach'> & {
    readonly clientNames: ClientNames
    readonly events: Pick<Events, 'emit'>
  },
): Sessions {
  const { events } = given
  const newId = createIds(given.now)
  const questions = new ApprovalQuestions({ ...given, newId, now: () => performance.now() })
  const deps = { ...given, newId, questions, explorationReach: createExplorationReach() }
  const open = new Set<ClientSession>()
  return {
    open: (asked) => {
      const options = { ...asked, client: withItsName(asked.client, deps.clientNames) }
      const session = sessionFor(deps, options)
      const client = options.client.name ?? 'unknown'
      const tracked: ClientSession = {
        id: session.id,
        handleRequest: (request) => session.handleRequest(request),
        handleNotification: (method, params) => session.handleNotification(method, params),
        close: async () => {
          await session.close()
          if (open.delete(tracked)) events.emit('session-closed', { sessionId: session.id, client })
        },
      }
      open.add(tracked)
      events.emit('session-opened', { sessionId: session.id, client, project: options.client.cwd })
      return tracked
    },
    count: () => open.size,
    hasTools: (clientName) => deps.explorationReach.has(clientName),
    close: async () => {
      await Promise.allSettled([...open].map((session) => session.close()))
    },
  }
}

function withItsName(client: ClientIdentity, names: ClientNames): ClientIdentity {
  if (client.name === undefined) return client
  if (client.isSelfNamed) return { ...client, name: names.ofItself(client.name) }
  names.isNamed(client.name)
  return client
}

function sessionFor(deps: SessionDependencies, options: OpenSessionOptions): ClientSession {
  const { scope } = options
  switch (scope.kind) {
    case 'server':
      return new Session(deps, options, (core) => new OneServerView(core, scope.serverId))
    case 'all':
      return new Session(deps, options, (core) => new AllServersView(core, true, scope.profile))
    case 'sluice':
      return new Session(deps, options, (core) => new AllServersView(core, false))
    default:
      return assertNever(scope)
  }
}
