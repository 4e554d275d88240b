import type { Comparison, Passage } from '../../shared/api/results.ts'
import { formatCount, formatNoun } from './numbers.ts'

const nouns = { line: 'line', 'indented-line': 'line', passage: 'passage' } as const

export function omittedHead({ omittedLines, unit }: Pick<Comparison, 'omittedLines' | 'unit'>): string {
  if (omittedLines === 0) return 'Nothing was left out'
  const what = formatNoun(omittedLines, nouns[unit])
  return unit === 'indented-line' ? `Left out · ${what} of the indented JSON` : `Left out · ${what}`
}

export function omittedPlace({ fromLine, lines }: Passage, unit: Comparison['unit']): string {
  const noun = nouns[unit]
  if (lines === 1) return `${noun} ${formatCount(fromLine)}`
  return `${noun}s ${formatCount(fromLine)}–${formatCount(fromLine + lines - 1)} · ${formatCount(lines)}`
}

/** Removes common indentation. */
export function withoutIndent(text: string): string {
  const lines = text.split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0].length ?? 0)
  const least = Math.min(...indents)
  return Number.isFinite(least) ? lines.map((line) => line.slice(least)).join('\n') : text
}
