import { open } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { claudePrompt } from '../transcripts/claude-code.ts'
import { codexPrompt } from '../transcripts/codex.ts'

/** From the end. */
const MOST_BYTES = 256 * 1024
const CHUNK = 32 * 1024
const NEWLINE = 0x0a

/** The user's words in a line, or undefined. */
type ReadLine = (line: JsonObject) => string | undefined

const READERS: Readonly<Record<string, ReadLine>> = {
  // Older versions write sub-agents into the same file.
  'claude-code': (line) => (line['isSidechain'] === true ? undefined : claudePrompt(line)),
  codex: codexPrompt,
}

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
