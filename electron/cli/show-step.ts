import type { Writable } from 'node:stream'

/** What a command is doing now, on a terminal; the next step takes its place. */
export function showStep(stderr: Writable): {
  readonly step: (text: string) => void
  readonly end: () => void
} {
  const isTerminal = 'isTTY' in stderr && stderr.isTTY === true
  const write = (text: string): void => void (isTerminal && stderr.write(`\r\u001B[2K${text}`))
  return { step: (text) => write(`${text} …`), end: () => write('') }
}
