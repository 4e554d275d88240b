import { messageOf } from '../errors.ts'
import { stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import type { QuarantineStore } from './quarantine-store.ts'

export const RELEASE_TOOL = 'quarantine_release'

/** The tool that hands a result over after its user has released it. It can't release anything itself. */
export const releaseTool: JsonObject = {
  name: RELEASE_TOOL,
  title: 'Hand over a released result',
  description: 'Hands over a result that Sluice kept back, once the user has released it.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

/** The whole result if its user released it, for the client that it belonged to; words that say what to do otherwise. */
export async function takeReleased(
  store: QuarantineStore,
  args: JsonObject | undefined,
  owner: string,
): Promise<JsonObject> {
  const id = stringIn(args, 'id')
  try {
    const result = await store.take(id, owner)
    return (
      result ??
      failed(
        `The user has not released ${id}. Only the user can: "sluice quarantine show ${id}", then "sluice quarantine release ${id}".`,
      )
    )
  } catch (error) {
    return failed(messageOf(error))
  }
}

const failed = (text: string): JsonObject => ({ content: [{ type: 'text', text }], isError: true })
