import { stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import { foreignFormat, foreignVersion } from './known-version.ts'
import { countIn, inputOf, objectIn, objectsIn, textOf, timeIn } from './read-fields.ts'
import { readJsonLines } from './read-json-lines.ts'
import { ResponseOrder } from './response-order.ts'
import type { ReadTranscript, TranscriptEvent, TranscriptProblem, Usage } from './transcript.ts'

const KNOWN = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'token_usage_record',
])

export function codexPrompt(line: JsonObject): string | undefined {
  if (line['type'] !== 'event_msg') return undefined
  const payload = objectIn(line, 'payload')
  const item = objectIn(payload, 'item')
  const text =
    payload['type'] === 'user_message'
      ? stringIn(payload, 'message')
      : payload['type'] === 'item_completed' && item['type'] === 'UserMessage'
        ? textOf(item['content'])
        : ''
  return text === '' ? undefined : text
}

/** JSONL, {timestamp, type, payload}. Sub-agents are sessions of their own. */
export const readCodex: ReadTranscript = function* (source) {
  let isKnown = false
  for (const event of new CodexLines().read(source.path)) {
    if (event === 'known') isKnown = true
    else {
      yield event
      if (event.type === 'problem' && event.problem === 'foreign') return
    }
  }
  if (!isKnown && source.bytes > 0) yield foreignFormat('codex', 'no line has a type that it writes')
}

class CodexLines {
  readonly #order = new ResponseOrder()
  #model = ''
  /** `token_usage_record` is exact; `token_count` is read where it isn't written. */
  #hasRecords = false
  #counted = ''
  #requests = 0
  #session = ''
  #lastPrompt = ''
  /** Calls of each turn, for turns that are taken back. */
  #turns: string[][] = [];

  *read(path: string): Generator<TranscriptEvent | 'known'> {
    const problems: TranscriptProblem[] = []
    for (const line of readJsonLines(path, problems)) {
      const type = stringIn(line, 'type')
      if (KNOWN.has(type)) yield 'known'
      yield* this.#line(type, line)
    }
    yield* this.#order.close()
    yield* problems
  }

  *#line(type: string, line: JsonObject): Generator<TranscriptEvent> {
    const payload = objectIn(line, 'payload')
    if (type === 'session_meta') yield* this.#meta(payload)
    else if (type === 'turn_context') this.#model = stringIn(payload, 'model') || this.#model
    else if (type === 'response_item') yield* this.#item(payload, timeIn(line, 'timestamp'))
    else if (type === 'compacted') yield* this.#compacted(payload)
    else if (type === 'token_usage_record' || payload['type'] === 'token_usage_record') {
      this.#hasRecords = true
      yield* this.#usage(line, payload, objectIn(payload, 'usage'))
    } else if (type === 'event_msg') yield* this.#event(line, payload)
  }

  *#meta(payload: JsonObject): Generator<TranscriptEvent> {
    const version = stringIn(payload, 'cli_version')
    const foreign = foreignVersion('codex', version)
    if (foreign) {
      yield foreign
      return
    }
    // A fork repeats the line of the session it continues.
    if (this.#session !== '') return
    this.#session = stringIn(payload, 'id')
    const spawn = objectIn(objectIn(objectIn(payload, 'source'), 'subagent'), 'thread_spawn')
    const parent = stringIn(spawn, 'parent_thread_id')
    const session = { id: this.#session, version, project: stringIn(payload, 'cwd') }
    yield { type: 'session', session: parent === '' ? session : { ...session, parent } }
    const instructions = textOf(objectIn(payload, 'base_instructions'))
    if (instructions !== '') yield { type: 'context', text: instructions }
  }

  *#event(line: JsonObject, payload: JsonObject): Generator<TranscriptEvent> {
    const prompt = codexPrompt(line)
    if (prompt !== undefined) {
      // The same prompt is written as an event of the old and of the new kind.
      if (prompt === this.#lastPrompt) return
      this.#lastPrompt = prompt
      this.#turns.push([])
      yield* this.#order.close()
      yield { type: 'prompt', text: prompt, at: timeIn(line, 'timestamp') }
    } else if (payload['type'] === 'token_count' && !this.#hasRecords) {
      const info = objectIn(payload, 'info')
      const total = JSON.stringify(objectIn(info, 'total_token_usage'))
      if (total === this.#counted || total === '{}') return
      this.#counted = total
      yield* this.#usage(line, payload, objectIn(info, 'last_token_usage'))
    } else if (payload['type'] === 'thread_rolled_back') {
      const turns = countIn(payload, 'num_turns')
      const calls = turns > 0 ? this.#turns.splice(-turns).flat() : []
      yield* this.#order.close()
      if (calls.length > 0) yield { type: 'boundary', reason: 'rewind', calls }
    }
  }

  *#usage(line: JsonObject, payload: JsonObject, counts: JsonObject): Generator<TranscriptEvent> {
    this.#lastPrompt = ''
    const usage = usageOf(counts)
    const at = timeIn(line, 'timestamp')
    const id = stringIn(payload, 'response_id') || `${this.#session}/${++this.#requests}`
    const model = stringIn(payload, 'model') || this.#model
    yield* this.#order.request({ type: 'request', id, model, at, usage })
  }

  *#item(item: JsonObject, at: number): Generator<TranscriptEvent> {
    const type = stringIn(item, 'type')
    if (type === 'message') {
      const text = textOf(item['content'])
      if (item['role'] === 'assistant') yield* this.#order.part({ type: 'answer', text })
      else yield* this.#order.other({ type: 'context', text })
    } else if (/^(?:function|custom_tool|local_shell|tool_search)_call$/.test(type)) {
      const id = stringIn(item, 'call_id')
      const input = inputOf(item['arguments'] ?? item['input'] ?? item['action'])
      this.#turns.at(-1)?.push(id)
      yield* this.#order.part({ type: 'call', id, tool: stringIn(item, 'name') || type, input })
    } else if (/_call_output$|^tool_search_output$/.test(type)) {
      const output = inputText(item['output'])
      const call = stringIn(item, 'call_id')
      yield* this.#order.other({ type: 'result', call, ...output, at })
    }
  }

  *#compacted(payload: JsonObject): Generator<TranscriptEvent> {
    const kept = objectsIn(payload, 'replacement_history')
      .map((item) => stringIn(item, 'call_id'))
      .filter((id) => id !== '')
    yield* this.#order.close()
    yield { type: 'boundary', reason: 'compaction', kept }
    yield { type: 'context', text: stringIn(payload, 'message') }
  }
}

/** The output is a text, or an object with one; a shell's says how it ended. */
function inputText(output: unknown): { text: string; isError: boolean } {
  const object = inputOf(output)
  const body = typeof output === 'string' ? output : (object['content'] ?? object['text'] ?? output)
  const text = textOf(body)
  const failed =
    object['success'] === false || /^(?:Process )?exited with code (?!0\b)\d+/im.test(text.slice(0, 400))
  return { text, isError: failed }
}

/** `input_tokens` includes what was read from the cache and written to it. */
function usageOf(usage: JsonObject): Usage {
  const read = countIn(usage, 'cached_input_tokens')
  const written = countIn(usage, 'cache_write_input_tokens')
  return {
    input: Math.max(0, countIn(usage, 'input_tokens') - read - written),
    read,
    write5m: written,
    write1h: 0,
    output: countIn(usage, 'output_tokens'),
    webSearches: 0,
  }
}
