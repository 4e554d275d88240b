import { open } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

/** From the end. */
const MOST_BYTES = 256 * 1024
const CHUNK = 32 * 1024
const NEWLINE = 0x0a

/** The user's words in a line, or undefined. Claude Code and Codex write theirs as JSON lines. */
type ReadLine = (line: JsonObject) => string | undefined

const READERS: Readonly<Record<string, ReadLine>> = { 'claude-code': ofClaudeCode, codex: ofCodex }

/**
 * The last prompts of the user, newest last, read backwards. The formats are no promise of their makers, so what isn't
 * understood is skipped; none where the file can't be read or the app's format isn't known.
 */
export async function lastPromptsIn(path: string, app: string, most: number): Promise<string[]> {
  const read = READERS[app]
  if (!read) return []
  const prompts: string[] = []
  try {
    for await (const line of linesBackwards(path)) {
      const prompt = promptIn(line, read)
      if (prompt !== undefined && prompts.unshift(prompt) >= most) break
    }
  } catch {
    // Gone, or not readable: no goal.
  }
  return prompts
}

/** The last line may be cut off, and the first one within reach is. */
function promptIn(line: string, read: ReadLine): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const prompt = isJsonObject(value) ? read(value) : undefined
    return prompt === undefined || prompt.trim() === '' ? undefined : prompt
  } catch {
    return undefined
  }
}

async function* linesBackwards(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - MOST_BYTES)
    let rest = Buffer.alloc(0)
    for (let end = size; end > start;) {
      const from = Math.max(start, end - CHUNK)
      const chunk = Buffer.alloc(end - from)
      const { bytesRead } = await file.read(chunk, 0, chunk.length, from)
      rest = Buffer.concat([chunk.subarray(0, bytesRead), rest])
      end = from
      for (let cut = rest.lastIndexOf(NEWLINE); cut !== -1; cut = rest.lastIndexOf(NEWLINE)) {
        yield rest.toString('utf8', cut + 1)
        rest = rest.subarray(0, cut)
      }
    }
    yield rest.toString('utf8')
  } finally {
    await file.close()
  }
}

/** What the app itself writes in the user's name. */
const OF_THE_APP = /^\s*<(?:local-command-|command-|bash-|system-reminder|task-notification|user-memory)/

function ofClaudeCode(line: JsonObject): string | undefined {
  if (line['type'] !== 'user' || line['isSidechain'] === true) return undefined
  if (line['isMeta'] === true || line['isCompactSummary'] === true) return undefined
  const message = line['message']
  const content = isJsonObject(message) ? message['content'] : undefined
  const text = typeof content === 'string' ? content : textIn(content)
  return text === undefined || OF_THE_APP.test(text) ? undefined : text
}

function ofCodex({ type, payload }: JsonObject): string | undefined {
  if (type !== 'event_msg' || !isJsonObject(payload)) return undefined
  if (payload['type'] === 'user_message') return stringOf(payload['message'])
  const item = payload['type'] === 'item_completed' ? payload['item'] : undefined
  if (!isJsonObject(item) || item['type'] !== 'UserMessage') return undefined
  return typeof item['content'] === 'string'
    ? item['content']
    : (textIn(item['content']) ?? stringOf(item['text']))
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Of a list with a tool's result nothing: it isn't the user's. */
function textIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined
  const parts = (content as unknown[]).filter(isJsonObject)
  if (parts.some((part) => part['type'] === 'tool_result')) return undefined
  const texts = parts.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []))
  return texts.length === 0 ? undefined : texts.join('\n')
}
