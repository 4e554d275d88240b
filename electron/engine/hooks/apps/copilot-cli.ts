import type { HookApp } from '../hook-event.ts'
import { hashOfCall, objectOf, textOf } from '../payload.ts'
import { promptOf } from './claude-code.ts'

/** Seen in runs of 1.0.102. A failed command counts as success here. */
export const copilotCli: HookApp = {
  id: 'copilot-cli',
  read: (event, payload) => {
    const session = textOf(payload, 'sessionId')
    if (session === undefined) return undefined
    const speaker = { session, folder: textOf(payload, 'cwd') }
    if (event === 'userPromptSubmitted') return promptOf(payload, speaker)
    if (event === 'sessionEnd') return { kind: 'ended', ...speaker }
    if (event !== 'postToolUse') return undefined
    const tool = textOf(payload, 'toolName')
    const result = objectOf(payload, 'toolResult')
    const output = textOf(result, 'textResultForLlm')
    if (tool === undefined || result?.['resultType'] !== 'success' || output === undefined) return undefined
    const { shown, wholeFile, end } = partsOf(output)
    const input = objectOf(payload, 'toolArgs') ?? argumentsIn(textOf(payload, 'toolArgs'))
    return {
      kind: 'output',
      ...speaker,
      tool,
      callId: hashOfCall(session, tool, input, output),
      input,
      texts: [shown],
      wholeFile,
      preview: wholeFile === undefined ? undefined : output,
      exitCode: exitCodeIn(end),
      answer: ([text = '']) => ({ modifiedResult: { ...result, textResultForLlm: text + end } }),
    }
  },
}

/** What the app puts in place of a large output. */
const CUT =
  /^Output too large to read at once \([^)\n]*\)\. Saved to: (\S[^\n]*)\n[^]*?\nPreview \([^)\n]*\):\n/
/** Behind the output of a shell. */
const END = /\n<shellId: [^\s<>]+ [^\n<>]*>\s*$/

function partsOf(output: string): { shown: string; wholeFile: string | undefined; end: string } {
  const end = END.exec(output)?.[0] ?? ''
  const text = output.slice(0, output.length - end.length)
  const cut = CUT.exec(text)
  return { shown: cut ? text.slice(cut[0].length) : text, wholeFile: cut?.[1], end }
}

const exitCodeIn = (end: string): number | undefined => {
  const code = /exit code (\d+)>/.exec(end)?.[1]
  return code === undefined ? undefined : Number(code)
}

function argumentsIn(json: string | undefined): ReturnType<typeof objectOf> {
  try {
    return json === undefined ? undefined : objectOf({ args: JSON.parse(json) }, 'args')
  } catch {
    return undefined
  }
}
