import type { HookPlace } from './hook-spec.ts'

/** The whole file. It catches everything, because an exception would become the tool's error. */
export function opencodePlugin({ launcher }: HookPlace): string {
  const { command, args, env = {} } = launcher
  return `// Written by \`sluice wrap opencode --built-in\`; \`sluice unwrap opencode --built-in\` removes it.
import { spawn } from 'node:child_process'
import { env } from 'node:process'

const COMMAND = ${JSON.stringify(command)}
const ARGS = ${JSON.stringify(args)}
const ENV = ${JSON.stringify(env)}

const ask = (event, payload) =>
  new Promise((resolve) => {
    const child = spawn(COMMAND, [...ARGS, 'hook', 'opencode', event], {
      env: { ...env, ...ENV },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    })
    const timer = setTimeout(() => child.kill(), 3000)
    let text = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (chunk) => (text += chunk))
    child.on('error', () => resolve({}))
    child.on('close', () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(text))
      } catch {
        resolve({})
      }
    })
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(payload))
  })

export const Sluice = async ({ directory }) => ({
  'chat.message': async (input, output) => {
    try {
      const prompt = (output.parts ?? []).map((part) => part.text ?? '').join('\\n')
      await ask('chat.message', { sessionID: input.sessionID, directory, prompt })
    } catch {}
  },
  'tool.execute.after': async (input, output) => {
    try {
      if (typeof output.output !== 'string' || output.output.length < 1000) return
      const { sessionID, callID, tool, args } = input
      const { output: said, metadata } = output
      const answer = await ask('tool.execute.after', { sessionID, callID, tool, args, directory, output: said, metadata })
      if (typeof answer.output === 'string') output.output = answer.output
    } catch {}
  },
  'experimental.session.compacting': async (input) => {
    try {
      await ask('session.compacting', { sessionID: input.sessionID, directory })
    } catch {}
  },
})
`
}
