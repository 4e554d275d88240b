import { readFileSync, statSync } from 'node:fs'
import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import { foreignFormat } from './known-version.ts'
import { countIn, objectIn, objectsIn, textOf, timeIn } from './read-fields.ts'
import { readJsonLines } from './read-json-lines.ts'
import type { ReadTranscript, TranscriptEvent, TranscriptProblem, Usage } from './transcript.ts'

/** The first one of a session is the app's own. */
function geminiPrompt(message: JsonObject): string | undefined {
  if (message['type'] !== 'user') return undefined
  const text = textOf(message['content'])
  return text === '' || text.startsWith('<session_context>') ? undefined : text
}

/** JSONL in which a message is written again whenever it changes: its last line counts. */
export const readGeminiCli: ReadTranscript = function* (source) {
  const problems: TranscriptProblem[] = []
  const last = new Map<string, number>()
  let number = 0
  let isKnown = false
  for (const line of linesOf(source.path, problems)) {
    number++
    const id = messageId(line)
    if (id !== undefined) last.set(id, number)
    isKnown ||= id !== undefined || line['$set'] !== undefined || stringIn(line, 'sessionId') !== ''
  }
  if (!isKnown && source.bytes > 0) {
    yield foreignFormat('gemini-cli', 'no line is a session or a message')
    return
  }
  number = 0
  problems.length = 0
  /** Calls of each message, for those that leave. */
  const calls = new Map<string, readonly string[]>()
  for (const line of linesOf(source.path, problems)) {
    number++
    if (isJsonObject(line['$set'])) yield* patch(line['$set'], calls)
    else if (typeof line['$rewindTo'] === 'string') yield* rewind(line['$rewindTo'], calls)
    else {
      const id = messageId(line)
      if (id === undefined) yield* facts(line, source.project)
      else if (last.get(id) === number) yield* message(id, line, calls)
    }
  }
  yield* problems
}

/** An older version wrote one object with all messages. */
function* linesOf(path: string, problems: TranscriptProblem[]): Generator<JsonObject> {
  if (!path.endsWith('.json')) {
    yield* readJsonLines(path, problems)
    return
  }
  if (statSync(path).size > 256 << 20) return
  let whole: unknown
  try {
    whole = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    problems.push({
      type: 'problem',
      problem: 'cut',
      lines: 1,
      message: "The file isn't JSON: it is cut, or damaged.",
    })
    return
  }
  if (!isJsonObject(whole)) return
  const { messages: _, ...session } = whole
  yield session
  yield* objectsIn(whole, 'messages')
}

const messageId = (line: JsonObject): string | undefined => {
  const id = stringIn(line, 'id')
  return id !== '' && stringIn(line, 'type') !== '' ? id : undefined
}

function* facts(line: JsonObject, project: string | undefined): Generator<TranscriptEvent> {
  const id = stringIn(line, 'sessionId')
  if (id === '') return
  yield { type: 'session', session: { id, ...(project === undefined ? {} : { project }) } }
}

function* message(
  id: string,
  line: JsonObject,
  calls: Map<string, readonly string[]>,
): Generator<TranscriptEvent> {
  const at = timeIn(line, 'timestamp')
  if (line['type'] === 'user') {
    const prompt = geminiPrompt(line)
    const text = textOf(line['content'])
    yield prompt === undefined ? { type: 'context', text } : { type: 'prompt', text: prompt, at }
    return
  }
  if (line['type'] !== 'gemini') return
  const tokens = objectIn(line, 'tokens')
  if (countIn(tokens, 'input') > 0) {
    yield { type: 'request', id, model: stringIn(line, 'model'), at, usage: usageOf(tokens) }
  }
  const answer = textOf(line['content'])
  if (answer !== '') yield { type: 'answer', text: answer }
  const made = objectsIn(line, 'toolCalls')
  calls.set(
    id,
    made.map((call) => stringIn(call, 'id')),
  )
  for (const call of made)
    yield {
      type: 'call',
      id: stringIn(call, 'id'),
      tool: stringIn(call, 'name'),
      input: objectIn(call, 'args'),
    }
  for (const call of made) {
    const results = objectsIn(call, 'result')
    if (results.length === 0) continue
    const responses = results.map((part) => objectIn(objectIn(part, 'functionResponse'), 'response'))
    const isError = call['status'] === 'error' || responses.some(({ error }) => typeof error === 'string')
    const text = responses.map(responseText).join('\n')
    yield { type: 'result', call: stringIn(call, 'id'), text, isError, at: timeIn(call, 'timestamp') || at }
  }
}

/** What a tool answered, as Google's API carries it: text under `output` or `error`, or any object. */
export function responseText(response: JsonObject): string {
  const { output, error } = response
  if (typeof output === 'string') return output
  if (typeof error === 'string') return error
  return Object.keys(response).length === 0 ? '' : JSON.stringify(output ?? response)
}

function* patch(set: JsonObject, calls: Map<string, readonly string[]>): Generator<TranscriptEvent> {
  if (!Array.isArray(set['messages'])) return
  const stay = new Set(objectsIn(set, 'messages').map((one) => stringIn(one, 'id')))
  const kept = [...calls].filter(([id]) => stay.has(id)).flatMap(([, ids]) => ids)
  yield { type: 'boundary', reason: 'compaction', kept }
}

function* rewind(id: string, calls: Map<string, readonly string[]>): Generator<TranscriptEvent> {
  const ids = [...calls.keys()]
  const from = ids.indexOf(id)
  if (from < 0) return
  const left = ids.slice(from).flatMap((one) => calls.get(one) ?? [])
  for (const one of ids.slice(from)) calls.delete(one)
  if (left.length > 0) yield { type: 'boundary', reason: 'rewind', calls: left }
}

/** `input` includes what was cached; `tool` are prompts of the provider's own tools; thoughts are output. */
function usageOf(tokens: JsonObject): Usage {
  const read = countIn(tokens, 'cached')
  return {
    input: Math.max(0, countIn(tokens, 'input') - read) + countIn(tokens, 'tool'),
    read,
    write5m: 0,
    write1h: 0,
    output: countIn(tokens, 'output') + countIn(tokens, 'thoughts'),
    webSearches: 0,
  }
}
