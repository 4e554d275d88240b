import { messageOf } from '../ground/errors.ts'
import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import type { ControlCharacterMode } from './control-characters.ts'
import type { QuarantineStore } from './quarantine-store.ts'
import { revealExplored } from './reveal-result.ts'

const RELEASE_TOOL = 'quarantine_release'

/** Returns a result once its user released it. Can't release anything itself. */
const releaseTool: JsonObject = {
  name: RELEASE_TOOL,
  title: 'Hand over a released result',
  description: 'Returns a quarantined result once the user has released it.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

/**
 * The whole released result for its client; otherwise what to do. `modeOf`: policy for control characters, which a
 * release doesn't change.
 */
export const createReleaseTool = (
  store: QuarantineStore,
  modeOf: (server: string, tool: string) => ControlCharacterMode,
) => ({
  name: RELEASE_TOOL,
  definition: releaseTool,
  call: async (args: JsonObject | undefined, owner: string): Promise<JsonObject> => {
    const id = stringIn(args, 'id')
    try {
      const taken = await store.take(id, owner)
      if (!taken) {
        return failed(
          `The user has not released ${id}. Only the user can: on the Quarantine screen, or with "sluice quarantine show ${id}", then "sluice quarantine release ${id}".`,
        )
      }
      const { server, tool } = taken.entry
      return revealExplored(asToolResult(taken.result), { controlCharacters: modeOf(server, tool) })
    } catch (error) {
      return failed(messageOf(error))
    }
  },
})

/** Complete resources, prompts and errors in the form of a tool's result. */
export function asToolResult(value: JsonObject): JsonObject {
  if (Array.isArray(value['content'])) return value
  if (Array.isArray(value['contents']))
    return { content: value['contents'].map((resource: unknown) => ({ type: 'resource', resource })) }
  if (Array.isArray(value['messages'])) return { content: value['messages'].flatMap(blocksOfMessage) }
  if (isJsonObject(value['error'])) {
    const { message, data } = value['error']
    const more = data === undefined ? [] : [textBlock(JSON.stringify(data))]
    return { content: [textBlock(String(message)), ...more], isError: true }
  }
  return { content: [textBlock(JSON.stringify(value))] }
}

const blocksOfMessage = (message: unknown): unknown[] =>
  isJsonObject(message) ? [textBlock(`${String(message['role'])}:`), message['content']] : []

const textBlock = (text: string): JsonObject => ({ type: 'text', text })

const failed = (text: string): JsonObject => ({ content: [textBlock(text)], isError: true })
