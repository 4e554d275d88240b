import type { JsonObject } from '../protocol/json-rpc.ts'
import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import type { Interceptor } from './call.ts'
import type { ExplorationTools } from './exploration-tools.ts'
import type { ContentOrigin, SaidBy } from './origins.ts'

/** A request other than a tool call. */
export interface MaskedRequest extends ContentOrigin {
  /** Undefined for a request without any. */
  readonly params: JsonObject | undefined
}

export interface ContentSteps {
  ask(params: JsonObject | undefined): Promise<JsonObject>
  /** Guards, compresses and stores a result; `name` may be recorded. */
  treat(result: JsonObject, name: string): Promise<JsonObject>
}

/** Masking as the engine uses it. */
export interface Masking {
  /** The layer at the client's edge. */
  readonly hideFromServer: Interceptor
  /** The layer at the server's edge. */
  readonly hideFromModel: Interceptor
  /** `resources/read` and `prompts/get`: the request, the answer, and what is stored of it. */
  content(request: MaskedRequest, policy: MaskingPolicy, steps: ContentSteps): Promise<JsonObject>
  /** What a server says beside its results. */
  said(origin: SaidBy, policy: MaskingPolicy, said: JsonObject): JsonObject
  /** A server request and its answer. */
  question(
    origin: SaidBy,
    policy: MaskingPolicy,
    params: JsonObject | undefined,
    ask: (params: JsonObject | undefined) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /**
   * Wraps Sluice's tools over stored results. Stored results contain placeholders; those that hide the client's
   * values from servers must not reach the client.
   */
  aroundExploration<Tools extends ExplorationTools>(tools: Tools): Tools
  /** A text for logs while masking is on. */
  cleanLogText(text: string): string
  /** Forgets what no open session needs. */
  endSession(sessionId: string): void
}
