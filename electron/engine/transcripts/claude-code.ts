import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import { foreignFormat, foreignVersion } from './known-version.ts'
import { countIn, listIn, objectIn, objectsIn, textOf, timeIn } from './read-fields.ts'
import { readJsonLines } from './read-json-lines.ts'
import type { ReadTranscript, TranscriptEvent, TranscriptProblem, Usage } from './transcript.ts'

/** Written by the app, though as the user. */
const APPS_OWN = /^<(?:local-command-caveat|command-name|command-message|local-command-stdout)>/

/** The text of a line if a person, or a program in their place, wrote it. */
export function claudePrompt(line: JsonObject): string | undefined {
  if (line['type'] !== 'user' || line['isMeta'] === true || line['isCompactSummary'] === true)
    return undefined
  const content = objectIn(line, 'message')['content']
  if (
    Array.isArray(content) &&
    content.some((block) => isJsonObject(block) && block['type'] === 'tool_result')
  )
    return undefined
  const text = textOf(content)
  return text === '' || APPS_OWN.test(text) ? undefined : text
}

/** Lines that are of no use here, and no sign of a foreign format either. */
const KNOWN = new Set(['user', 'assistant', 'attachment', 'system', 'summary', 'progress', 'cost-state'])

/** JSONL, one line for each block of a message; sub-agents have files of their own, in older versions lines. */
export const readClaudeCode: ReadTranscript = function* (source) {
  const problems: TranscriptProblem[] = []
  const lanes = new Map<string, Lane>()
  const requests = new Set<string>()
  let version = ''
  let isKnown = false
  let session = ''
  let cwd = ''
  for (const line of readJsonLines(source.path, problems)) {
    const type = stringIn(line, 'type')
    isKnown ||= KNOWN.has(type)
    const written = stringIn(line, 'version')
    if (written !== '' && written !== version) {
      version = written
      const foreign = foreignVersion('claude-code', version)
      if (foreign) {
        yield foreign
        return
      }
      yield { type: 'session', session: { version } }
    }
    if (cwd === '' && stringIn(line, 'cwd') !== '') {
      cwd = stringIn(line, 'cwd')
      yield { type: 'session', session: { project: cwd } }
    }
    if (session === '' && stringIn(line, 'sessionId') !== '') {
      session = stringIn(line, 'sessionId')
      const parent = source.parent
      yield {
        type: 'session',
        session:
          parent === undefined ? { id: session } : { id: `${session}/${stringIn(line, 'agentId')}`, parent },
      }
    }
    const agent = line['isSidechain'] === true ? stringIn(line, 'agentId') || 'side' : ''
    let lane = lanes.get(agent)
    if (!lane) lanes.set(agent, (lane = new Lane(agent, requests)))
    yield* lane.read(type, line)
  }
  for (const lane of lanes.values()) yield* lane.close()
  yield* problems
  if (!isKnown && source.bytes > 0) yield foreignFormat('claude-code', 'no line has a type that it writes')
}

/** One context: the main one, or a sub-agent's. */
class Lane {
  readonly #agent: string | undefined
  readonly #requests: Set<string>
  /** The message whose lines are being read, with its usage of the last line. */
  #message: { id: string; request: TranscriptEvent & { type: 'request' } } | undefined
  #held: TranscriptEvent[] = []
  /** Place of each line of the conversation, to find where a prompt continues. */
  readonly #places = new Map<string, number>()
  #place = 0
  #results: { readonly place: number; readonly call: string; readonly uuid: string }[] = []

  constructor(agent: string, requests: Set<string>) {
    this.#agent = agent === '' ? undefined : agent
    this.#requests = requests
  }

  *read(type: string, line: JsonObject): Generator<TranscriptEvent> {
    if (type === 'assistant') {
      yield* this.#assistant(line)
      return
    }
    if (type === 'user') {
      yield* this.#user(line)
      return
    }
    if (type === 'system') {
      yield* this.#system(line)
      return
    }
    if (type === 'attachment') {
      this.#note(line)
      const rendered =
        textOf(listIn(line, 'rendered')) || textOf(listIn(objectIn(line, 'attachment'), 'rendered'))
      if (rendered !== '') yield* this.#later({ type: 'context', text: rendered })
    }
  }

  *close(): Generator<TranscriptEvent> {
    const message = this.#message
    const held = this.#held
    this.#message = undefined
    this.#held = []
    if (message && !this.#requests.has(message.id)) {
      this.#requests.add(message.id)
      yield this.#of(message.request)
    }
    for (const event of held) yield this.#of(event)
  }

  *#assistant(line: JsonObject): Generator<TranscriptEvent> {
    const message = objectIn(line, 'message')
    const id = stringIn(message, 'id') || stringIn(line, 'uuid')
    const model = stringIn(message, 'model')
    if (this.#message?.id !== id) yield* this.close()
    this.#note(line)
    // The app's own words about a failed request.
    if (model === '<synthetic>') return
    const usage = usageOf(objectIn(message, 'usage'))
    const before = this.#message?.request.usage
    // A tool may run before the last line is written, so the first one has the time.
    const at = this.#message?.request.at ?? timeIn(line, 'timestamp')
    if (!before || usage.output >= before.output)
      this.#message = { id, request: { type: 'request', id, model, at, usage } }
    for (const block of objectsIn(message, 'content')) {
      if (block['type'] === 'text') this.#held.push({ type: 'answer', text: stringIn(block, 'text') })
      else if (block['type'] === 'tool_use') {
        this.#held.push({
          type: 'call',
          id: stringIn(block, 'id'),
          tool: stringIn(block, 'name'),
          input: objectIn(block, 'input'),
        })
      }
    }
    for (const edit of objectsIn(objectIn(message, 'context_management'), 'applied_edits')) {
      const oldest = countIn(edit, 'cleared_tool_uses')
      // Before the request that reports it.
      if (oldest > 0) yield this.#of({ type: 'boundary', reason: 'edit', oldest })
    }
  }

  *#user(line: JsonObject): Generator<TranscriptEvent> {
    const message = objectIn(line, 'message')
    const results = objectsIn(message, 'content').filter((block) => block['type'] === 'tool_result')
    const at = timeIn(line, 'timestamp')
    if (results.length > 0) {
      this.#note(line)
      for (const block of results) {
        const call = stringIn(block, 'tool_use_id')
        this.#results.push({ place: this.#place, call, uuid: stringIn(line, 'uuid') })
        const text = textOf(block['content'])
        yield* this.#later({ type: 'result', call, text, isError: block['is_error'] === true, at })
      }
      return
    }
    const prompt = claudePrompt(line)
    if (prompt === undefined) {
      this.#note(line)
      const text = textOf(message['content'])
      if (text !== '') yield* this.#later({ type: 'context', text })
      return
    }
    yield* this.close()
    yield* this.#rewind(line)
    this.#note(line)
    yield this.#of({ type: 'prompt', text: prompt, at })
  }

  /** A prompt that continues an earlier line leaves what came after that line. */
  *#rewind(line: JsonObject): Generator<TranscriptEvent> {
    const parent = line['parentUuid']
    if (parent === null && this.#results.length > 0) {
      this.#results = []
      yield this.#of({ type: 'boundary', reason: 'clear' })
      return
    }
    const place = typeof parent === 'string' ? this.#places.get(parent) : undefined
    if (place === undefined) return
    const calls = this.#results.filter((result) => result.place > place).map(({ call }) => call)
    if (calls.length === 0) return
    this.#results = this.#results.filter((result) => result.place <= place)
    yield this.#of({ type: 'boundary', reason: 'rewind', calls })
  }

  *#system(line: JsonObject): Generator<TranscriptEvent> {
    this.#note(line)
    if (line['subtype'] !== 'compact_boundary') return
    yield* this.close()
    const preserved = listIn(objectIn(objectIn(line, 'compactMetadata'), 'preservedMessages'), 'uuids')
    this.#results = this.#results.filter(({ uuid }) => preserved.includes(uuid))
    yield this.#of({ type: 'boundary', reason: 'compaction', kept: this.#results.map(({ call }) => call) })
  }

  #note(line: JsonObject): void {
    const uuid = stringIn(line, 'uuid')
    if (uuid !== '') this.#places.set(uuid, ++this.#place)
  }

  /** Results may be written among the lines of one message. */
  *#later(event: TranscriptEvent): Generator<TranscriptEvent> {
    if (this.#message) this.#held.push(event)
    else yield this.#of(event)
  }

  #of(event: TranscriptEvent): TranscriptEvent {
    return this.#agent === undefined ? event : { ...event, agent: this.#agent }
  }
}

/** Written without its life, a cache entry lives five minutes. */
function usageOf(usage: JsonObject): Usage {
  const lives = objectIn(usage, 'cache_creation')
  const written = countIn(usage, 'cache_creation_input_tokens')
  const write1h = countIn(lives, 'ephemeral_1h_input_tokens')
  return {
    input: countIn(usage, 'input_tokens'),
    read: countIn(usage, 'cache_read_input_tokens'),
    write5m: Math.max(countIn(lives, 'ephemeral_5m_input_tokens'), written - write1h),
    write1h,
    output: countIn(usage, 'output_tokens'),
    webSearches: countIn(objectIn(usage, 'server_tool_use'), 'web_search_requests'),
  }
}
