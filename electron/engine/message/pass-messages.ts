import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Policies } from '../settings/policies.ts'
import { inTurn } from './in-turn.ts'
import { composeOnce, type CallTool, type Interceptor } from './call.ts'
import type { AskClient, AskServer, Deliver, Layer } from './layers.ts'
import type { ContentOrigin, Failed, MessageOrigin } from './origins.ts'

export interface Passage {
  pipeline(innermost: CallTool): CallTool
  read(
    params: JsonObject | undefined,
    origin: ContentOrigin,
    ask: (params: JsonObject | undefined) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /** In order, possibly later. */
  notification(origin: MessageOrigin, params: JsonObject, deliver: (shown: JsonObject) => void): void
  question(
    origin: MessageOrigin,
    method: string,
    params: JsonObject | undefined,
    ask: (params: JsonObject | undefined) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /** Rejects with an error safe for the client. */
  errors<Result>(of: Omit<Failed, 'policy'>, request: () => Result | Promise<Result>): Promise<Result>
}

/** Outermost first. `timed` measures each share. */
export function passMessages(
  layers: Readonly<Record<string, Layer>>,
  {
    policies,
    timed,
    timedCall = (innermost) => innermost,
  }: {
    readonly policies: Pick<Policies, 'ofServer'>
    readonly timed: (calls: Readonly<Record<string, Interceptor>>) => readonly Interceptor[]
    /** Around what makes the call. Default: as it is. */
    readonly timedCall?: (innermost: CallTool) => CallTool
  },
): Passage {
  const outermostFirst = Object.values(layers)
  const calls = Object.entries(layers).flatMap(([name, { call }]) => (call ? [[name, call] as const] : []))
  const wrap = <Next>(pick: (layer: Layer) => ((next: Next) => Next) | undefined, innermost: Next): Next =>
    outermostFirst.reduceRight((next, layer) => pick(layer)?.(next) ?? next, innermost)
  /** From the server outwards. */
  const wrapOut = <Next>(pick: (layer: Layer) => ((next: Next) => Next) | undefined, outermost: Next): Next =>
    outermostFirst.reduce((next, layer) => pick(layer)?.(next) ?? next, outermost)
  const composed = composeOnce(timed(Object.fromEntries(calls)))
  return {
    pipeline: (innermost) => inTurn(composed(timedCall(innermost))),
    read: (params, origin, ask) => {
      const send = wrap<AskServer>(
        (layer) => layer.read,
        (read) => ask(read.params),
      )
      return send({ ...origin, params, policy: policies.ofServer(origin.serverId) })
    },
    notification: (origin, params, deliver) => {
      const send = wrapOut<Deliver>(
        (layer) => layer.notification,
        (notification) => deliver(notification.params),
      )
      send({ origin, params, policy: policies.ofServer(origin.serverId) })
    },
    question: (origin, method, params, ask) => {
      const send = wrapOut<AskClient>(
        (layer) => layer.question,
        (question) => ask(question.params),
      )
      return send({ origin, method, params, policy: policies.ofServer(origin.serverId) })
    },
    errors: async (of, request) => {
      try {
        return await request()
      } catch (error) {
        const failed = { ...of, policy: policies.ofServer(of.serverId) }
        throw await outermostFirst.reduceRight(
          async (shown, layer) => (layer.error ? layer.error(await shown, failed) : shown),
          Promise.resolve(error),
        )
      }
    },
  }
}
