import type { JsonObject } from '../protocol/json-rpc.ts'
import { commandsOf } from './command-line.ts'
import { textOf } from './payload.ts'

const SEARCHES = /^(?:[efz]?grep|rg|ag|ack|findstr|Select-String|sls|pgrep)$/i
/** Options of test runners and of Git whose value is looked for. */
const LOOKS_FOR =
  /^(?:-k|-t|-run|-S|-G|--(?:filter|grep|test-name-pattern|testNamePattern|name|tests))(?:=(.*))?$/s
const MOST = 300

/** What a command looks for by itself: a pattern, the name of a test. Undefined for most. */
export function wordsOfCommand(input: JsonObject | undefined): string | undefined {
  const found = commandsOf(textOf(input, 'command') ?? '').flatMap(({ program, words }) => {
    const plain = words.filter(({ text }) => !text.startsWith('-'))
    const searches = SEARCHES.test(program) || (program === 'git' && plain[0]?.text === 'grep')
    if (searches)
      return plain
        .slice(program === 'git' ? 1 : 0)
        .slice(0, 1)
        .map(({ text }) => text)
    return words.flatMap(({ text }, index) => {
      const [is, value] = LOOKS_FOR.exec(text) ?? []
      return is === undefined ? [] : [value ?? words[index + 1]?.text ?? '']
    })
  })
  return found.join(' ').slice(0, MOST).trim() || undefined
}
