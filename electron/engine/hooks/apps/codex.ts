import type { HookApp } from '../hook-event.ts'
import { objectOf, textOf } from '../payload.ts'
import { agentOf, promptOf, speakerOf } from './claude-code.ts'

/** Seen in runs of 0.169.0. The reason of a block is the whole result that the model gets. */
export const codex: HookApp = {
  id: 'codex',
  read: (event, payload) => {
    const speaker = speakerOf(payload)
    if (!speaker) return undefined
    if (event === 'UserPromptSubmit') return promptOf(payload, speaker)
    if (event === 'SubagentStart' || event === 'SubagentStop') return agentOf(event, payload, speaker)
    if (event === 'Stop') return { kind: 'turn-ended', ...speaker }
    if (event === 'PreCompact' || event === 'PostCompact') return { kind: 'compacted', ...speaker }
    if (event !== 'PostToolUse') return undefined
    const tool = textOf(payload, 'tool_name')
    const callId = textOf(payload, 'tool_use_id')
    const output = textOf(payload, 'tool_response')
    if (tool !== 'Bash' || callId === undefined || output === undefined) return undefined
    return {
      kind: 'output',
      ...speaker,
      tool,
      callId,
      input: objectOf(payload, 'tool_input'),
      texts: [output],
      answer: ([text = '']) => ({ decision: 'block', reason: text }),
    }
  },
}
