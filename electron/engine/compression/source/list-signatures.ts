import type { Definition } from './definition.ts'

const LONGEST = 240

/** Indented by depth. */
export function listSignatures(
  text: string,
  definitions: readonly Definition[],
  named: readonly number[],
): string {
  return named
    .map((i) => {
      const definition = definitions[i]
      return definition ? '  '.repeat(Math.min(8, definition.depth)) + signatureOf(text, definition) : ''
    })
    .join('\n')
}

/** On one line, without comment and decorators above. */
function signatureOf(text: string, { start, bodyStart, name }: Definition): string {
  const head = text.slice(start, Math.min(bodyStart, start + 20_000))
  const lines = head.split('\n')
  const first = lines.findIndex((line) => line.includes(name))
  const joined = (first < 0 ? lines.slice(-1) : lines.slice(first)).join(' ').replace(/\s+/g, ' ').trim()
  const bare = joined.replace(/\s*(?:=>|=|:=|\{|do|:)$/, (end) => (end.trim() === ':' ? ':' : ''))
  return bare.length > LONGEST ? `${bare.slice(0, LONGEST)}…` : bare
}
