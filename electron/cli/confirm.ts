import { createInterface } from 'node:readline/promises'
import { SluiceError } from '../engine/ground/errors.ts'
import type { CliContext } from './cli-context.ts'

/** Names from other programs' files must not steer the terminal. */
export const plainText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '?',
  )

/** Throws BAD_INPUT without a terminal. */
export function requireTerminal({ stdin }: Pick<CliContext, 'stdin'>): void {
  if ('isTTY' in stdin && stdin.isTTY === true) return
  throw new SluiceError('BAD_INPUT', 'Nothing was changed: without a terminal to ask on, --yes is needed.')
}

/** Empty means no. Throws BAD_INPUT without a terminal. */
export async function confirm(context: CliContext, question: string): Promise<boolean> {
  requireTerminal(context)
  const { stdin, stdout } = context
  const lines = createInterface({ input: stdin, output: stdout, terminal: false })
  try {
    stdout.write(`${question} [y/N] `)
    const answer = await Promise.race([
      lines.question(''),
      new Promise<string>((done) => lines.once('close', () => done(''))),
    ])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
