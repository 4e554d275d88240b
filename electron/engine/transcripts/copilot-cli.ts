import { stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import { foreignFormat, foreignVersion } from './known-version.ts'
import { countIn, inputOf, objectIn, objectsIn, textOf, timeIn } from './read-fields.ts'
import { readJsonLines } from './read-json-lines.ts'
import { ResponseOrder } from './response-order.ts'
import type { ReadTranscript, TranscriptProblem, Usage } from './transcript.ts'

const KNOWN = /^(?:session|user|assistant|tool|hook)\./

/** JSONL of events, {type, data, id, timestamp}. */
export const readCopilotCli: ReadTranscript = function* (source) {
  const problems: TranscriptProblem[] = []
  const order = new ResponseOrder()
  let isKnown = false
  let session = ''
  let requests = 0
  for (const line of readJsonLines(source.path, problems)) {
    const type = stringIn(line, 'type')
    isKnown ||= KNOWN.test(type)
    const data = objectIn(line, 'data')
    const at = timeIn(line, 'timestamp')
    if (type === 'session.start') {
      const version = stringIn(data, 'copilotVersion') || stringIn(data, 'cliVersion')
      const foreign = foreignVersion('copilot-cli', version)
      if (foreign) {
        yield foreign
        return
      }
      session = stringIn(data, 'sessionId')
      const project = stringIn(objectIn(data, 'context'), 'cwd') || stringIn(data, 'cwd')
      yield { type: 'session', session: { id: session, version, project } }
    } else if (type === 'user.message') {
      yield* order.close()
      yield { type: 'prompt', text: stringIn(data, 'content'), at }
    } else if (type === 'assistant.message') {
      const text = textOf(data['content'])
      if (text !== '') yield* order.part({ type: 'answer', text })
      for (const call of objectsIn(data, 'toolRequests')) {
        const id = stringIn(call, 'toolCallId')
        yield* order.part({
          type: 'call',
          id,
          tool: stringIn(call, 'name'),
          input: inputOf(call['arguments']),
        })
      }
    } else if (type === 'tool.execution_complete') {
      const call = stringIn(data, 'toolCallId')
      const text = textOf(objectIn(data, 'result')['content'])
      yield* order.other({ type: 'result', call, text, isError: data['success'] === false, at })
    } else if (type === 'session.usage_record') {
      const usage = objectIn(data, 'usage')
      const id = stringIn(line, 'id') || `${session}/${++requests}`
      const model = stringIn(usage, 'model') || stringIn(data, 'model')
      yield* order.request({ type: 'request', id, model, at, usage: usageOf(usage) })
    } else if (type === 'session.compaction_complete') {
      yield* order.close()
      yield { type: 'boundary', reason: 'compaction' }
    }
  }
  yield* order.close()
  yield* problems
  if (!isKnown && source.bytes > 0) yield foreignFormat('copilot-cli', 'no line has a type that it writes')
}

/** `inputTokens` includes what was read from the cache and written to it. */
function usageOf(usage: JsonObject): Usage {
  const read = countIn(usage, 'cacheReadTokens')
  const written = countIn(usage, 'cacheWriteTokens')
  return {
    input: Math.max(0, countIn(usage, 'inputTokens') - read - written),
    read,
    write5m: written,
    write1h: 0,
    output: countIn(usage, 'outputTokens'),
    webSearches: 0,
  }
}
