import type { HookApp } from '../hook-event.ts'
import { hashOfCall, objectOf, textOf } from '../payload.ts'

/** Seen in runs of 1.0.102. A failed command counts as success here. */
export const copilotCli: HookApp = {
  id: 'copilot-cli',
  read: (event, payload) => {
    const session = textOf(payload, 'sessionId')
    if (session === undefined) return undefined
    const speaker = { session, folder: textOf(payload, 'cwd') }
    if (event === 'userPromptSubmitted') {
      const prompt = textOf(payload, 'prompt')
      return prompt === undefined ? undefined : { kind: 'prompt', ...speaker, prompt }
    }
    if (event === 'sessionEnd') return { kind: 'ended', ...speaker }
    if (event !== 'postToolUse') return undefined
    const tool = textOf(payload, 'toolName')
    const result = objectOf(payload, 'toolResult')
    const output = textOf(result, 'textResultForLlm')
    if (tool === undefined || result?.['resultType'] !== 'success' || output === undefined) return undefined
    const input = objectOf(payload, 'toolArgs') ?? argumentsIn(textOf(payload, 'toolArgs'))
    return {
      kind: 'output',
      ...speaker,
      tool,
      callId: hashOfCall(session, tool, input, output),
      input,
      texts: [output],
      answer: ([text = '']) => ({ modifiedResult: { ...result, textResultForLlm: text } }),
    }
  },
}

function argumentsIn(json: string | undefined): ReturnType<typeof objectOf> {
  try {
    return json === undefined ? undefined : objectOf({ args: JSON.parse(json) }, 'args')
  } catch {
    return undefined
  }
}
