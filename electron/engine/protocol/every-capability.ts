import type { JsonObject } from './json-rpc.ts'

/**
 * All client capabilities. Some servers list more for more capable clients: listing with all shows everything a
 * client may get.
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
