import type { GuardPolicy } from '../../../../shared/guard-policy.ts'
import type { ToolCall } from '../../message/call.ts'
import type { Layer } from '../../message/layers.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { FlowMemory, type FlowSource } from './flow-memory.ts'
import { LEAST_SHARED } from './fingerprints.ts'
import { isName } from './is-name.ts'

/** Clients whose texts are remembered. */
const MOST_CLIENTS = 16

export interface FlowGuard {
  readonly layer: Layer
  /** Parts of kept results that a client has read. */
  readonly noteExplored: (clientName: string, server: string, value: JsonObject, policy: GuardPolicy) => void
}

/** Those in a text that look like keys or passwords. */
export type FindSecrets = (texts: readonly string[]) => readonly string[] | Promise<readonly string[]>

/** What in a call's arguments may not be meant to leave. */
interface Flow {
  readonly source: FlowSource | undefined
  readonly hasSecret: boolean
}

/**
 * Notices text that one server returned and that goes to another one, and secrets that neither the user nor the called
 * server had named, in a call that may write or send. What the model read counts, so this layer is outside of those that
 * shorten. Words can't tell whether it is meant: that is the user's to say (`ask`), or to see in Activity (`warn`).
 */
export function createFlowGuard(findSecrets: FindSecrets): FlowGuard {
  const memories = new Map<string, FlowMemory>()
  const memoryOf = (client: string): FlowMemory => {
    const memory = memories.get(client) ?? new FlowMemory()
    // The latest used is the last.
    memories.delete(client)
    memories.set(client, memory)
    const [oldest] = memories.keys()
    if (memories.size > MOST_CLIENTS && oldest !== undefined) memories.delete(oldest)
    return memory
  }
  const flowOf = (call: ToolCall): Flow | Promise<Flow> => {
    const texts = wordsIn(call.arguments)
    const secrets = findSecrets(texts)
    return secrets instanceof Promise
      ? secrets.then((found) => flowWith(call, texts, found))
      : flowWith(call, texts, secrets)
  }
  const flowWith = (call: ToolCall, texts: readonly string[], secrets: readonly string[]): Flow => {
    const memory = memories.get(call.clientName)
    const mayBeKnown = (text: string): boolean =>
      text.length >= LEAST_SHARED && (!isName(text) || secrets.includes(text))
    const source = insertedFrom(call) ?? memory?.sourceOf(call.serverId, texts.filter(mayBeKnown))
    const hasSecret = secrets.some(
      (secret) => call.request?.includes(secret) !== true && memory?.isOf(call.serverId, secret) !== true,
    )
    return { source, hasSecret }
  }
  return {
    layer: {
      call: (next) =>
        async function watchFlow(call) {
          const { flow } = call.policy.guard
          if (flow === 'off') return next(call)
          const looking = mayWrite(call) ? flowOf(call) : NO_FLOW
          const { source, hasSecret } = looking instanceof Promise ? await looking : looking
          if ((source || hasSecret) && flow === 'ask') {
            const refusal = await refusalOf(call, wordsOf(source, hasSecret))
            if (refusal !== undefined) return { result: failed(refusal), refusedBy: 'watch-flow' }
          }
          const outcome = await next(call)
          const { serverId: server, tool } = call
          if (outcome.refusedBy === undefined)
            memoryOf(call.clientName).remember({ server, tool }, wordsIn(outcome.result))
          if (!source && !hasSecret) return outcome
          return {
            ...outcome,
            ...(source ? { textFrom: source } : {}),
            ...(hasSecret ? { sentSecret: true } : {}),
          }
        },
      read: (next) => async (read) => {
        const value = await next(read)
        if (read.policy.guard.flow !== 'off')
          memoryOf(read.clientName).remember(
            { server: read.serverId, tool: `${read.method} ${read.name}`.trim() },
            wordsIn(value),
          )
        return value
      },
    },
    noteExplored: (client, server, value, { flow }) => {
      if (flow !== 'off') memoryOf(client).remember({ server, tool: 'a kept result' }, wordsIn(value))
    },
  }
}

const NO_FLOW: Flow = { source: undefined, hasSecret: false }

function wordsOf(from: FlowSource | undefined, hasSecret: boolean): string {
  const secret = hasSecret ? 'what looks like a key or password' : undefined
  const text = from && `text that came from the server "${from.server}" (${from.tool})`
  return [secret, text].filter((part) => part !== undefined).join(', and ')
}

/** Of kept results in the arguments the server is known. */
const insertedFrom = ({ inserted, serverId }: ToolCall): FlowSource | undefined =>
  inserted?.find(({ server }) => server !== '' && server !== serverId)

/** Unless its server says that it only reads. */
function mayWrite({ definition }: ToolCall): boolean {
  const annotations = definition?.['annotations']
  return !isJsonObject(annotations) || annotations['readOnlyHint'] !== true
}

/** Of one value, in values and characters: more is read by no model at once. */
const [MOST_VALUES, MOST_CHARACTERS] = [20_000, 400_000]

/** The texts of a value, in no order. */
function wordsIn(value: JsonObject | undefined): string[] {
  const texts: string[] = []
  const open: unknown[] = [value]
  let size = 0
  for (let seen = 0; open.length > 0 && seen < MOST_VALUES && size < MOST_CHARACTERS; seen++) {
    const next = open.pop()
    if (typeof next === 'string') {
      texts.push(next)
      size += next.length
    } else if (typeof next === 'object' && next !== null) addMembers(next, open)
  }
  return texts
}

function addMembers(of: object, open: unknown[]): void {
  if (Array.isArray(of)) {
    const most = Math.min(of.length, MOST_VALUES)
    for (let i = 0; i < most; i++) open.push(of[i])
    return
  }
  let members = 0
  for (const key in of) {
    open.push((of as JsonObject)[key])
    if (++members === MOST_VALUES) return
  }
}

async function refusalOf({ serverId, tool, askUser }: ToolCall, what: string): Promise<string | undefined> {
  const answer = await askUser?.(
    `Send ${what} to the server "${serverId}" with its tool ${tool}? Say yes only if you asked for that.`,
  )
  if (answer === 'yes') return undefined
  const how = `The user can set "guard": {"flow": "warn"} for ${serverId} if such calls are meant.`
  return answer === 'no'
    ? `The user was asked and did not allow this call: its arguments hold ${what}. Don't repeat it unless the user wants it.`
    : `Sluice did not make this call: its arguments hold ${what}, and this client can't put the question to its user. ${how}`
}

const failed = (text: string): JsonObject => ({ content: [{ type: 'text', text }], isError: true })
