import type { HookApp } from '../hook-event.ts'
import { objectOf, textOf } from '../payload.ts'
import { promptOf } from './claude-code.ts'

/** What the plugin file sends; its answer is the text that takes the output's place. Seen in runs of 1.18.33. */
export const opencode: HookApp = {
  id: 'opencode',
  read: (event, payload) => {
    const session = textOf(payload, 'sessionID')
    if (session === undefined) return undefined
    const speaker = { session, folder: textOf(payload, 'directory') }
    if (event === 'chat.message') return promptOf(payload, speaker)
    if (event === 'session.compacting') return { kind: 'compacted', ...speaker }
    if (event !== 'tool.execute.after') return undefined
    const [tool, callId] = [textOf(payload, 'tool'), textOf(payload, 'callID')]
    const output = textOf(payload, 'output')
    if (tool === undefined || callId === undefined || output === undefined) return undefined
    const metadata = objectOf(payload, 'metadata')
    const exit = metadata?.['exit']
    return {
      kind: 'output',
      ...speaker,
      tool,
      callId,
      input: objectOf(payload, 'args'),
      texts: [output],
      wholeFile: textOf(metadata, 'outputPath'),
      exitCode: typeof exit === 'number' ? exit : undefined,
      answer: ([text = '']) => ({ output: text }),
    }
  },
}
