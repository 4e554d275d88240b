import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { HookApp, HookEvent, OutputEvent, Speaker } from '../hook-event.ts'
import { objectOf, textOf } from '../payload.ts'

/** https://code.claude.com/docs/en/hooks; shapes as seen in runs of 2.1.330. */
export const claudeCode: HookApp = {
  id: 'claude-code',
  read: (event, payload) => {
    // Cursor runs Claude Code's hooks, too.
    if ('cursor_version' in payload) return undefined
    const speaker = speakerOf(payload)
    if (!speaker) return undefined
    switch (event) {
      case 'UserPromptSubmit':
        return promptOf(payload, speaker)
      case 'PreToolUse':
        return usedTool(payload, speaker)
      case 'PostToolUse':
        return outputOf(payload, speaker)
      case 'SubagentStart':
      case 'SubagentStop':
        return agentOf(event, payload, speaker)
      case 'PostToolBatch':
        return deliveredOf(payload, speaker)
      case 'Stop':
        return { kind: 'turn-ended', ...speaker }
      case 'PreCompact':
      case 'PostCompact':
        return { kind: 'compacted', ...speaker }
      case 'SessionEnd':
        return { kind: 'ended', ...speaker }
      default:
        return undefined
    }
  },
}

export function speakerOf(payload: JsonObject): Speaker | undefined {
  const session = textOf(payload, 'session_id')
  if (session === undefined) return undefined
  const agent = textOf(payload, 'agent_id')
  return {
    session,
    folder: textOf(payload, 'cwd'),
    transcript: textOf(payload, 'transcript_path'),
    agent: agent === undefined ? undefined : { id: agent, type: textOf(payload, 'agent_type') },
  }
}

export function promptOf(payload: JsonObject, speaker: Speaker): HookEvent | undefined {
  const prompt = textOf(payload, 'prompt')
  return prompt === undefined ? undefined : { kind: 'prompt', ...speaker, prompt }
}

/** Of an MCP tool: the call that comes to Sluice may carry the same id. */
function usedTool(payload: JsonObject, speaker: Speaker): HookEvent | undefined {
  const [tool, callId] = [textOf(payload, 'tool_name'), textOf(payload, 'tool_use_id')]
  if (callId === undefined || !tool?.startsWith('mcp__')) return undefined
  return { kind: 'tool-used', ...speaker, callId }
}

export function agentOf(event: string, payload: JsonObject, speaker: Speaker): HookEvent | undefined {
  const agentId = textOf(payload, 'agent_id')
  if (agentId === undefined) return undefined
  return event === 'SubagentStart'
    ? { kind: 'agent-started', ...speaker, agentId, task: textOf(payload, 'prompt') }
    : { kind: 'agent-ended', ...speaker, agentId }
}

/** Characters of an output that the app has put into a file. */
const PREVIEW = 2_000

/** A tool's texts, and its object with others in their place. */
interface Shape {
  readonly texts: readonly string[]
  readonly wholeFile?: string | undefined
  readonly preview?: string | undefined
  readonly put: (texts: readonly string[]) => unknown
}

function outputOf(payload: JsonObject, speaker: Speaker): OutputEvent | undefined {
  const tool = textOf(payload, 'tool_name')
  const callId = textOf(payload, 'tool_use_id')
  const response = objectOf(payload, 'tool_response')
  if (tool === undefined || callId === undefined || !response) return undefined
  const shape = Object.hasOwn(SHAPES, tool) ? SHAPES[tool]?.(response) : undefined
  if (!shape) return undefined
  return {
    kind: 'output',
    ...speaker,
    tool,
    callId,
    input: objectOf(payload, 'tool_input'),
    texts: shape.texts,
    wholeFile: shape.wholeFile,
    preview: shape.preview,
    answer: (texts) => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: shape.put(texts) },
    }),
  }
}

/** A shape without its fields is not one that the app would take back. */
const SHAPES: Readonly<Record<string, (response: JsonObject) => Shape | undefined>> = {
  Bash: shell,
  PowerShell: shell,
  Read: (response) => {
    const file = objectOf(response, 'file')
    const content = textOf(file, 'content')
    if (response['type'] !== 'text' || !file || content === undefined) return undefined
    return { texts: [content], put: ([text = '']) => ({ ...response, file: { ...file, content: text } }) }
  },
  Grep: (response) => {
    // The list of files has counts beside it, and is never cut.
    const content = textOf(response, 'content')
    if (response['mode'] !== 'content' || content === undefined || !Array.isArray(response['filenames']))
      return undefined
    return { texts: [content], put: ([text = '']) => ({ ...response, content: text }) }
  },
  WebFetch: (response) => {
    const result = textOf(response, 'result')
    if (result === undefined || textOf(response, 'url') === undefined) return undefined
    return { texts: [result], put: ([text = '']) => ({ ...response, result: text }) }
  },
  WebSearch: webSearch,
  Agent: handBack,
  Task: handBack,
  ReadMcpResourceTool: (response) => blocks(response, 'contents'),
}

function shell(response: JsonObject): Shape | undefined {
  const [stdout, stderr] = [textOf(response, 'stdout'), textOf(response, 'stderr')]
  const isWhole = typeof response['interrupted'] === 'boolean' && typeof response['isImage'] === 'boolean'
  if (stdout === undefined || stderr === undefined || !isWhole || response['isImage'] === true)
    return undefined
  // A background task's notice.
  if (response['backgroundTaskId'] !== undefined) return undefined
  const wholeFile = textOf(response, 'persistedOutputPath')
  return {
    texts: stderr === '' ? [stdout] : [stdout, stderr],
    wholeFile,
    preview: wholeFile === undefined ? undefined : previewOf(stdout, wholeFile),
    put: ([text = '', errors = '']) => {
      const { persistedOutputPath: _path, persistedOutputSize: _size, ...rest } = response
      return { ...rest, stdout: text, stderr: errors }
    },
  }
}

/** In place of an output above the app's limit (seen in runs of 2.1.197). */
const previewOf = (stdout: string, path: string): string =>
  `<persisted-output>\nOutput too large. Full output saved to: ${path}\n\nPreview (first 2KB):\n${stdout.slice(0, PREVIEW)}\n...\n</persisted-output>`

function webSearch(response: JsonObject): Shape | undefined {
  const results = response['results']
  if (textOf(response, 'query') === undefined || !Array.isArray(results)) return undefined
  const found = results.flatMap((result: unknown) => (typeof result === 'string' ? [result] : []))
  return {
    texts: found,
    put: (texts) => {
      let next = 0
      return {
        ...response,
        results: results.map((result: unknown) =>
          typeof result === 'string' ? (texts[next++] ?? result) : result,
        ),
      }
    },
  }
}

function handBack(response: JsonObject): Shape | undefined {
  return response['status'] === 'completed' ? blocks(response, 'content') : undefined
}

/** Of content blocks, those with text. */
function blocks(response: JsonObject, key: string): Shape | undefined {
  const all = response[key]
  if (!Array.isArray(all) || all.length === 0) return undefined
  const isText = (block: unknown): block is JsonObject =>
    isJsonObject(block) && typeof block['text'] === 'string'
  return {
    texts: all.filter(isText).map((block) => String(block['text'])),
    put: (texts) => {
      let next = 0
      return {
        ...response,
        [key]: all.map((block: unknown) =>
          isText(block) ? { ...block, text: texts[next++] ?? block['text'] } : block,
        ),
      }
    },
  }
}

/** Each call of the batch with its result as the model will see it. */
function deliveredOf(payload: JsonObject, speaker: Speaker): HookEvent | undefined {
  const calls = Object.values(payload)
    .filter((value) => Array.isArray(value))
    .flat()
    .flatMap((call: unknown) => {
      const callId = isJsonObject(call) ? textOf(call, 'tool_use_id') : undefined
      if (callId === undefined || !isJsonObject(call)) return []
      const seen = call['tool_response']
      return seen === undefined
        ? []
        : [{ callId, seen: typeof seen === 'string' ? seen : JSON.stringify(seen) }]
    })
  return calls.length === 0 ? undefined : { kind: 'delivered', ...speaker, calls }
}
