import type { JsonObject } from './json-rpc.ts'

/**
 * All that a client can be capable of. Some servers offer more to clients that can do more: one look with all of it shows
 * what any client may be offered.
 */
export const EVERY_CAPABILITY: JsonObject = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
}
