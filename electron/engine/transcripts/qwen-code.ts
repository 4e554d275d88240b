import { stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import { responseText } from './gemini-cli.ts'
import { foreignFormat, foreignVersion } from './known-version.ts'
import { countIn, objectIn, objectsIn, textOf, timeIn } from './read-fields.ts'
import { readJsonLines } from './read-json-lines.ts'
import type { ReadTranscript, TranscriptEvent, TranscriptProblem, Usage } from './transcript.ts'

const KNOWN = new Set(['user', 'assistant', 'tool_result', 'system'])

function qwenPrompt(line: JsonObject): string | undefined {
  if (line['type'] !== 'user' || (line['provenance'] ?? 'real_user') !== 'real_user') return undefined
  return textOf(objectIn(line, 'message')['parts']) || undefined
}

/** JSONL; messages have the parts of Google's API. */
export const readQwenCode: ReadTranscript = function* (source) {
  const problems: TranscriptProblem[] = []
  let isKnown = false
  let isStarted = false
  const requests = new Set<string>()
  for (const line of readJsonLines(source.path, problems)) {
    const type = stringIn(line, 'type')
    isKnown ||= KNOWN.has(type)
    if (!isStarted && stringIn(line, 'sessionId') !== '') {
      isStarted = true
      const version = stringIn(line, 'version')
      const foreign = foreignVersion('qwen-code', version)
      if (foreign) {
        yield foreign
        return
      }
      yield {
        type: 'session',
        session: { id: stringIn(line, 'sessionId'), version, project: stringIn(line, 'cwd') },
      }
    }
    yield* read(type, line, requests)
  }
  yield* problems
  if (!isKnown && source.bytes > 0) yield foreignFormat('qwen-code', 'no line has a type that it writes')
}

function* read(type: string, line: JsonObject, requests: Set<string>): Generator<TranscriptEvent> {
  const message = objectIn(line, 'message')
  const parts = objectsIn(message, 'parts')
  const at = timeIn(line, 'timestamp')
  if (type === 'user') {
    const prompt = qwenPrompt(line)
    const text = textOf(message['parts'])
    yield prompt === undefined ? { type: 'context', text } : { type: 'prompt', text: prompt, at }
  } else if (type === 'assistant') {
    const counts = objectIn(line, 'usageMetadata')
    const id = stringIn(line, 'uuid')
    if (countIn(counts, 'promptTokenCount') > 0 && !requests.has(id)) {
      requests.add(id)
      yield { type: 'request', id, model: stringIn(line, 'model'), at, usage: usageOf(counts) }
    }
    for (const part of parts) {
      const call = objectIn(part, 'functionCall')
      const name = stringIn(call, 'name')
      if (name !== '')
        yield { type: 'call', id: stringIn(call, 'id'), tool: name, input: objectIn(call, 'args') }
      else if (part['thought'] !== true) yield { type: 'answer', text: stringIn(part, 'text') }
    }
  } else if (type === 'tool_result') {
    const isError = objectIn(line, 'toolCallResult')['status'] === 'error'
    for (const part of parts) {
      const answered = objectIn(part, 'functionResponse')
      const call = stringIn(answered, 'id') || stringIn(objectIn(line, 'toolCallResult'), 'callId')
      yield { type: 'result', call, text: responseText(objectIn(answered, 'response')), isError, at }
    }
  } else if (line['subtype'] === 'chat_compression') yield { type: 'boundary', reason: 'compaction' }
}

/** `promptTokenCount` includes what was cached. */
function usageOf(counts: JsonObject): Usage {
  const read = countIn(counts, 'cachedContentTokenCount')
  return {
    input: Math.max(0, countIn(counts, 'promptTokenCount') - read),
    read,
    write5m: 0,
    write1h: 0,
    output: countIn(counts, 'candidatesTokenCount') + countIn(counts, 'thoughtsTokenCount'),
    webSearches: 0,
  }
}
