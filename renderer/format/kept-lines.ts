import type { Passage } from '../../shared/api/results.ts'

/** Whether the model got a line (1-based); undefined for lines that weren't compared. */
export function keptLines(passages: readonly Passage[]): (line: number) => boolean | undefined {
  const kept: boolean[] = []
  for (const { isKept, fromLine, lines } of passages)
    for (let line = fromLine; line < fromLine + lines; line++) kept[line] = isKept
  return (line) => kept[line]
}
