import type { HookApp } from '../hook-event.ts'
import { hashOfCall, objectOf, textOf } from '../payload.ts'
import { promptOf, speakerOf } from './claude-code.ts'

/**
 * Seen in runs of 0.61.0. `deny` would arrive as an error, so a second tool call reads the shortened form: its result
 * takes the place of the first one's.
 */
export const geminiCli: HookApp = {
  id: 'gemini-cli',
  read: (event, payload) => {
    const speaker = speakerOf(payload)
    if (!speaker) return undefined
    if (event === 'BeforeAgent') return promptOf(payload, speaker)
    if (event === 'AfterAgent') return { kind: 'turn-ended', ...speaker }
    if (event === 'PreCompress') return { kind: 'compacted', ...speaker }
    if (event === 'SessionEnd') return { kind: 'ended', ...speaker }
    // The second call comes by here, too.
    if (event !== 'AfterTool' || payload['original_request_name'] !== undefined) return undefined
    const tool = textOf(payload, 'tool_name')
    const response = objectOf(payload, 'tool_response')
    const output = textOf(response, 'llmContent')
    if (tool === undefined || output === undefined || 'mcp_context' in payload) return undefined
    const input = objectOf(payload, 'tool_input')
    const callId = hashOfCall(speaker.session, tool, input, output)
    return {
      kind: 'output',
      ...speaker,
      tool,
      callId,
      input,
      texts: [output],
      answer: () => ({}),
      answerWithKept: (id, entry) => ({
        hookSpecificOutput: {
          hookEventName: 'AfterTool',
          tailToolCallRequest: { name: `mcp_${entry}_proxy_read`, args: { id } },
        },
      }),
    }
  },
}
