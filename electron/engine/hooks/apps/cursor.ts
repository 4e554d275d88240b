import type { HookApp } from '../hook-event.ts'
import { textOf } from '../payload.ts'

/** https://cursor.com/docs/hooks: no built-in tool's output can be replaced, so only the goal comes from here. */
export const cursor: HookApp = {
  id: 'cursor',
  read: (event, payload) => {
    const [session, prompt] = [textOf(payload, 'conversation_id'), textOf(payload, 'prompt')]
    if (event !== 'beforeSubmitPrompt' || session === undefined || prompt === undefined) return undefined
    return { kind: 'prompt', session, prompt }
  },
}
