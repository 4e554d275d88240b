import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { START, timeOf, VERSIONS, type Script } from './script.ts'

type Line = Record<string, unknown>

/** `{timestamp, ordinal, type, payload}`; the usage comes when the response is whole, after its calls. */
export function codexLines(script: Script): object[] {
  const lines: object[] = []
  let minutes = 0
  const add = (type: string, payload: Line): void =>
    void lines.push({ timestamp: timeOf(minutes), ordinal: lines.length, type, payload })
  add('session_meta', {
    id: script.session,
    cwd: script.project,
    originator: 'codex_exec',
    cli_version: script.version ?? VERSIONS.codex,
    model_provider: 'openai',
    base_instructions: { text: 'You are a coding agent.' },
  })
  add('turn_context', { cwd: script.project, model: script.model, approval_policy: 'never' })
  for (const step of script.steps) {
    if ('prompt' in step) {
      const content = [{ type: 'input_text', text: step.prompt }]
      add('response_item', { type: 'message', role: 'user', content })
      const item = {
        type: 'UserMessage',
        id: `u${lines.length}`,
        content: [{ type: 'text', text: step.prompt }],
      }
      add('event_msg', { type: 'item_completed', item })
    } else if ('request' in step) {
      minutes += step.minutes ?? 1
      const { input, read = 0, write = 0, output } = step.request
      const content = [{ type: 'output_text', text: step.answer ?? 'I look.' }]
      add('response_item', { type: 'message', role: 'assistant', content })
      for (const call of step.calls ?? []) {
        const { id, tool, input: args } = call
        add('response_item', {
          type: 'function_call',
          call_id: id,
          name: tool,
          arguments: JSON.stringify(args),
        })
      }
      const usage = {
        input_tokens: input + read + write,
        cached_input_tokens: read,
        cache_write_input_tokens: write,
        output_tokens: output,
        reasoning_output_tokens: 0,
      }
      add('token_usage_record', { response_id: `resp_${script.session}_${lines.length}`, usage })
      // Repeats the counts, and must not count again.
      add('event_msg', { type: 'token_count', info: { last_token_usage: usage, total_token_usage: usage } })
    } else if ('result' in step) {
      add('response_item', { type: 'function_call_output', call_id: step.result, output: step.text })
    } else {
      const kept = (step.kept ?? []).map((id) => ({
        type: 'function_call_output',
        call_id: id,
        output: 'kept',
      }))
      add('compacted', { message: step.compaction, replacement_history: kept })
    }
  }
  return lines
}

/** A message is written again whenever it changes. */
export function geminiLines(script: Script): object[] {
  const lines: object[] = [
    { sessionId: script.session, projectHash: 'f00', startTime: timeOf(0), kind: 'main' },
    { id: 'm0', timestamp: timeOf(0), type: 'user', content: '<session_context>Linux</session_context>' },
  ]
  let minutes = 0
  let message: Line | undefined
  const ids = new Map<string, string>()
  const write = (line: Line): void => void lines.push(structuredClone(line))
  for (const [index, step] of script.steps.entries()) {
    if ('prompt' in step) {
      write({
        id: `m${index + 1}`,
        timestamp: timeOf(minutes),
        type: 'user',
        content: [{ text: step.prompt }],
      })
    } else if ('request' in step) {
      minutes += step.minutes ?? 1
      const { input, read = 0, output } = step.request
      const id = `m${index + 1}`
      message = { id, timestamp: timeOf(minutes), type: 'gemini', content: '', model: script.model }
      write(message)
      message['content'] = step.answer ?? 'I look.'
      const tokens = {
        input: input + read,
        output,
        cached: read,
        thoughts: 0,
        tool: 0,
        total: input + read + output,
      }
      message['tokens'] = tokens
      message['toolCalls'] = (step.calls ?? []).map((call) => {
        ids.set(call.id, id)
        return {
          id: call.id,
          name: call.tool,
          args: call.input,
          status: 'executing',
          timestamp: timeOf(minutes),
        }
      })
      write(message)
    } else if ('result' in step && message) {
      for (const call of message['toolCalls'] as Line[]) {
        if (call['id'] !== step.result) continue
        const response = step.isError ? { error: step.text } : { output: step.text }
        call['status'] = step.isError ? 'error' : 'success'
        call['result'] = [{ functionResponse: { id: step.result, name: call['name'], response } }]
      }
      write(message)
    } else if ('compaction' in step) {
      const messages = (step.kept ?? []).map((id) => ({ id: ids.get(id), type: 'gemini' }))
      lines.push({ $set: { messages, lastUpdated: timeOf(minutes) } })
    }
  }
  return lines
}

export function copilotLines(script: Script): object[] {
  const lines: object[] = []
  let minutes = 0
  const add = (type: string, data: Line): void =>
    void lines.push({ type, data, id: `${script.session}-${lines.length}`, timestamp: timeOf(minutes) })
  const copilotVersion = script.version ?? VERSIONS['copilot-cli']
  add('session.start', { sessionId: script.session, copilotVersion, context: { cwd: script.project } })
  for (const step of script.steps) {
    if ('prompt' in step) add('user.message', { content: step.prompt, transformedContent: step.prompt })
    else if ('request' in step) {
      minutes += step.minutes ?? 1
      const { input, read = 0, write = 0, output } = step.request
      const toolRequests = (step.calls ?? []).map((call) => ({
        toolCallId: call.id,
        name: call.tool,
        arguments: call.input,
      }))
      add('assistant.message', { content: step.answer ?? 'I look.', toolRequests })
      const usage = {
        model: script.model,
        inputTokens: input + read + write,
        outputTokens: output,
        cacheReadTokens: read,
        cacheWriteTokens: write,
        cost: 0,
      }
      add('session.usage_record', { usage })
    } else if ('result' in step) {
      const result = { content: step.text, detailedContent: step.text }
      add('tool.execution_complete', { toolCallId: step.result, success: !step.isError, result })
    } else add('session.compaction_complete', { summaryContent: step.compaction })
  }
  return lines
}

export function qwenLines(script: Script): object[] {
  const lines: object[] = []
  let minutes = 0
  let model = script.model
  const add = (type: string, fields: Line): void =>
    void lines.push({
      uuid: `${script.session}-${lines.length}`,
      parentUuid: lines.length === 0 ? null : `${script.session}-${lines.length - 1}`,
      sessionId: script.session,
      timestamp: timeOf(minutes),
      type,
      cwd: script.project,
      version: script.version ?? VERSIONS['qwen-code'],
      ...fields,
    })
  for (const step of script.steps) {
    if ('prompt' in step) {
      add('user', { provenance: 'real_user', message: { role: 'user', parts: [{ text: step.prompt }] } })
    } else if ('request' in step) {
      minutes += step.minutes ?? 1
      model = script.model
      const { input, read = 0, output } = step.request
      const parts = [
        { text: step.answer ?? 'I look.' },
        ...(step.calls ?? []).map((call) => ({
          functionCall: { id: call.id, name: call.tool, args: call.input },
        })),
      ]
      const usageMetadata = {
        promptTokenCount: input + read,
        cachedContentTokenCount: read,
        candidatesTokenCount: output,
        totalTokenCount: input + read + output,
      }
      add('assistant', { model, message: { role: 'model', parts }, usageMetadata })
      add('system', { subtype: 'ui_telemetry', systemPayload: { usage: usageMetadata } })
    } else if ('result' in step) {
      const response = step.isError ? { error: step.text } : { output: step.text }
      const parts = [{ functionResponse: { id: step.result, name: 'any', response } }]
      const status = step.isError ? 'error' : 'success'
      add('tool_result', {
        message: { role: 'user', parts },
        toolCallResult: { callId: step.result, status },
      })
    } else add('system', { subtype: 'chat_compression', systemPayload: { text: step.compaction } })
  }
  return lines
}

const pieces = (sql: string): string => sql.replaceAll(/\s+/g, ' ')

/** Leaves the write-ahead log beside the file while the app runs: `close` ends it. */
export function openOpencode(path: string, scripts: readonly (Script & { parent?: string })[]): () => void {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(
    pieces(`CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,
      version TEXT, cost REAL, time_created INTEGER, time_updated INTEGER);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE INDEX message_session_idx ON message (session_id);
      CREATE INDEX part_message_idx ON part (message_id)`),
  )
  database.exec('BEGIN')
  for (const script of scripts) addOpencodeSession(database, script)
  database.exec('COMMIT')
  return () => database.close()
}

function addOpencodeSession(database: DatabaseSync, script: Script & { parent?: string }): void {
  let minutes = 0
  let message = ''
  let step = 0
  let part = 0
  const at = (): number => START + minutes * 60_000
  const addMessage = (data: Line): void => {
    message = `${script.session}-msg-${String(step).padStart(4, '0')}`
    const row = { time: { created: at() }, ...data }
    database
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?)')
      .run(message, script.session, at(), JSON.stringify(row))
  }
  const addPart = (data: Line): string => {
    const id = `${message}-part-${String(part++).padStart(4, '0')}`
    const row = JSON.stringify(data)
    database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?)').run(id, message, script.session, at(), row)
    return id
  }
  const version = script.version ?? VERSIONS.opencode
  database
    .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(script.session, 'p', script.parent ?? null, script.project, 'A title', version, 0, START, Date.now())
  const toolParts = new Map<string, { id: string; data: Line }>()
  for (const one of script.steps) {
    step++
    if ('prompt' in one) {
      addMessage({ role: 'user' })
      addPart({ type: 'text', text: one.prompt })
    } else if ('request' in one) {
      minutes += one.minutes ?? 1
      const { input, read = 0, write = 0, output } = one.request
      const tokens = { input, output, reasoning: 0, cache: { read, write } }
      addMessage({ role: 'assistant', modelID: script.model, providerID: 'anthropic', cost: 0, tokens })
      addPart({ type: 'step-start' })
      addPart({ type: 'text', text: one.answer ?? 'I look.' })
      for (const call of one.calls ?? []) {
        const data = {
          type: 'tool',
          callID: call.id,
          tool: call.tool,
          state: { status: 'running', input: call.input },
        }
        toolParts.set(call.id, { id: addPart(data), data })
      }
      addPart({ type: 'step-finish', reason: 'tool-calls', cost: 0, tokens })
    } else if ('result' in one) {
      const known = toolParts.get(one.result)
      if (!known) continue
      const state = { ...(known.data['state'] as Line), time: { start: at(), end: at() } }
      const done = one.isError
        ? { status: 'error', error: one.text }
        : { status: 'completed', output: one.text }
      const data = JSON.stringify({ ...known.data, state: { ...state, ...done } })
      database.prepare('UPDATE part SET data = ? WHERE id = ?').run(data, known.id)
    } else {
      addMessage({ role: 'assistant', summary: true, modelID: script.model })
      addPart({ type: 'text', text: one.compaction })
    }
  }
}
