import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../ground/errors.ts'
import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import { foreignFormat, foreignVersion } from './known-version.ts'
import { countIn, objectIn, textOf } from './read-fields.ts'
import type { ReadTranscript, TranscriptEvent, TranscriptSource, Usage } from './transcript.ts'

/**
 * Reads what the app has written so far, with its write-ahead log. Without a log the file is opened as unchanging,
 * because SQLite would write a file beside it otherwise.
 */
function openReadOnly(path: string): DatabaseSync {
  const log = `${path}-wal`
  const hasLog = existsSync(log) && statSync(log).size > 0
  const url = pathToFileURL(path)
  url.search = hasLog ? '?mode=ro' : '?mode=ro&immutable=1'
  return new DatabaseSync(url, { readOnly: true })
}

/** One source for each session; throws if it isn't such a database. */
export function listOpencodeSessions(path: string): TranscriptSource[] {
  const database = openReadOnly(path)
  try {
    const rows = database
      .prepare('SELECT * FROM session')
      .all()
      .map((row) => ({ ...row }))
    const share = Math.ceil(statSync(path).size / Math.max(1, rows.length))
    return rows.map((row) => ({
      app: 'opencode' as const,
      path,
      session: stringIn(row, 'id'),
      bytes: share,
      changed: countIn(row, 'time_updated') || countIn(row, 'time_created'),
      ...(stringIn(row, 'directory') === '' ? {} : { project: stringIn(row, 'directory') }),
    }))
  } finally {
    database.close()
  }
}

export const readOpencode: ReadTranscript = function* (source) {
  let database: DatabaseSync
  try {
    database = openReadOnly(source.path)
  } catch (error) {
    yield foreignFormat('opencode', messageOf(error))
    return
  }
  try {
    yield* readSession(database, source.session ?? '')
  } catch (error) {
    yield foreignFormat('opencode', messageOf(error))
  } finally {
    database.close()
  }
}

function* readSession(database: DatabaseSync, id: string): Generator<TranscriptEvent> {
  const row = { ...database.prepare('SELECT * FROM session WHERE id = ?').get(id) }
  const version = stringIn(row, 'version')
  const foreign = foreignVersion('opencode', version)
  if (foreign) {
    yield foreign
    return
  }
  const parent = stringIn(row, 'parent_id')
  const session = { id, version, project: stringIn(row, 'directory') }
  yield { type: 'session', session: parent === '' ? session : { ...session, parent } }
  const parts = database.prepare('SELECT id, data FROM part WHERE message_id = ? ORDER BY id')
  let damaged = 0
  const messages = database.prepare(
    'SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id',
  )
  for (const message of messages.iterate(id)) {
    const data = parsed(message['data'])
    if (!data) {
      damaged++
      continue
    }
    const all = parts.all(String(message['id'])).map((part) => parsed(part['data']))
    damaged += all.filter((part) => part === undefined).length
    const at = countIn(objectIn(data, 'time'), 'created') || Number(message['time_created'])
    yield* readMessage({
      id: String(message['id']),
      data,
      parts: all.filter((part) => part !== undefined),
      at,
    })
  }
  if (damaged > 0) {
    const message = `${damaged} of its messages or parts can't be parsed and are left out.`
    yield { type: 'problem', problem: 'damaged', lines: damaged, message }
  }
}

interface Message {
  readonly id: string
  readonly data: JsonObject
  readonly parts: readonly JsonObject[]
  readonly at: number
}

const opencodePrompt = (parts: readonly JsonObject[]): string =>
  parts
    .filter((part) => part['type'] === 'text' && part['synthetic'] !== true)
    .map((part) => stringIn(part, 'text'))
    .join('\n')

function* readMessage({ id, data, parts, at }: Message): Generator<TranscriptEvent> {
  if (data['role'] === 'user') {
    const text = opencodePrompt(parts)
    if (text !== '') yield { type: 'prompt', text, at }
    for (const part of parts) if (part['synthetic'] === true) yield { type: 'context', text: textOf(part) }
    return
  }
  if (data['role'] !== 'assistant') return
  const isSummary = data['summary'] === true
  const steps = stepsOf(parts)
  const hasSteps = steps.some(({ end }) => end !== undefined)
  for (const [index, step] of steps.entries()) {
    // Each step is a request with its own counts; an older version has those of the message only.
    const counted = step.end ?? (!hasSteps && index === 0 ? data : undefined)
    const usage = counted && usageOf(objectIn(counted, 'tokens'))
    if (usage && usage.input + usage.read + usage.write5m + usage.output > 0) {
      yield {
        type: 'request',
        id: `${id}/${index}`,
        model: stringIn(data, 'modelID'),
        at,
        usage,
        charged: countIn(counted, 'cost'),
      }
    }
    for (const part of step.parts)
      if (part['type'] === 'text' && !isSummary) yield { type: 'answer', text: textOf(part) }
    const tools = step.parts.filter((part) => part['type'] === 'tool')
    for (const part of tools) {
      const input = objectIn(objectIn(part, 'state'), 'input')
      yield { type: 'call', id: stringIn(part, 'callID'), tool: stringIn(part, 'tool'), input }
    }
    for (const part of tools) yield* resultOf(part, at)
  }
  // The context begins with the summary from here on.
  if (!isSummary) return
  yield { type: 'boundary', reason: 'compaction' }
  for (const part of parts) if (part['type'] === 'text') yield { type: 'context', text: textOf(part) }
}

function* resultOf(part: JsonObject, at: number): Generator<TranscriptEvent> {
  const state = objectIn(part, 'state')
  const isError = state['status'] === 'error'
  if (!isError && state['status'] !== 'completed') return
  const time = objectIn(state, 'time')
  const leavesAt = countIn(time, 'compacted')
  yield {
    type: 'result',
    call: stringIn(part, 'callID'),
    text: isError ? stringIn(state, 'error') : stringIn(state, 'output'),
    isError,
    at: countIn(time, 'end') || at,
    ...(leavesAt > 0 ? { leavesAt } : {}),
  }
}

function stepsOf(parts: readonly JsonObject[]): { parts: JsonObject[]; end: JsonObject | undefined }[] {
  const steps: { parts: JsonObject[]; end: JsonObject | undefined }[] = [{ parts: [], end: undefined }]
  for (const part of parts) {
    const step = steps.at(-1)
    if (part['type'] === 'step-finish' && step) {
      step.end = part
      steps.push({ parts: [], end: undefined })
    } else step?.parts.push(part)
  }
  return steps
}

function parsed(data: unknown): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(String(data))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** `input` excludes what was read from the cache and written to it. */
function usageOf(tokens: JsonObject): Usage {
  const cache = objectIn(tokens, 'cache')
  return {
    input: countIn(tokens, 'input'),
    read: countIn(cache, 'read'),
    write5m: countIn(cache, 'write'),
    write1h: 0,
    output: countIn(tokens, 'output') + countIn(tokens, 'reasoning'),
    webSearches: 0,
  }
}
