import type { JsonObject } from '../protocol/json-rpc.ts'

export interface ExplorationTools {
  definitions(): readonly JsonObject[]
  has(name: string): boolean
  call(
    name: string,
    args: JsonObject | undefined,
    context: {
      clientName: string
      signal: AbortSignal
      callFresh: (tool: string, args: JsonObject | undefined) => Promise<JsonObject>
    },
  ): Promise<JsonObject>
}
