/** On one line, cut after `most` characters. */
export function excerpt(text: string, most = 120): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 3)}…` : line
}
