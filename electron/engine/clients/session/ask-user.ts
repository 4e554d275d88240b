import type { ToolCall } from '../../message/call.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { SessionClient } from './session-client.ts'

const FIELD = 'decision'
const YES = 'allow this call'

/** Some clients support pages only, not forms. */
export function canAsk({ elicitation }: JsonObject): boolean {
  if (!isJsonObject(elicitation)) return false
  return elicitation['form'] !== undefined || elicitation['url'] === undefined
}

/** By elicitation. Clients of 2026-07-28 take no requests, so they can't be asked in mid-call. */
export const askUserOf =
  (client: SessionClient): NonNullable<ToolCall['askUser']> =>
  async (message) => {
    if (client.hello.era === 'modern' || !canAsk(client.hello.capabilities)) return 'cannot ask'
    const requestedSchema = {
      type: 'object',
      properties: { [FIELD]: { type: 'string', title: 'Decision', enum: [YES, 'do not allow it'] } },
      required: [FIELD],
    }
    const answer = await client
      .ask('elicitation/create', { message: `Sluice: ${message}`, requestedSchema }, client.ended)
      .catch(() => undefined)
    const { action, content } = answer ?? {}
    return action === 'accept' && isJsonObject(content) && content[FIELD] === YES ? 'yes' : 'no'
  }
