import { createInterface } from 'node:readline'
import type { CliContext } from './cli-context.ts'

export interface Questions {
  ask(text: string): Promise<string>
  close(): void
}

export function openQuestions({ stdin, stdout }: Pick<CliContext, 'stdin' | 'stdout'>): Questions {
  const lines = createInterface({ input: stdin, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  return {
    ask: async (text) => {
      stdout.write(text)
      const { value, done } = await answers.next()
      return done === true ? '' : value.trim()
    },
    close: () => lines.close(),
  }
}
