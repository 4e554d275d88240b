import type { JsonObject } from './json-rpc.ts'

/** Some servers list more for more capable clients: with all, a listing shows everything. */
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
