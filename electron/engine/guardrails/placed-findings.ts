import { isFailure, type Finding } from './detector.ts'
import { worthNaming, type ScanVerdict } from './judge.ts'

/** For people and scripts that look the passage up. */
export interface PlacedFinding extends Pick<Finding, 'kind' | 'reason'> {
  /** From 1, as editors count. Missing where a detector names no passage. */
  readonly line?: number
  readonly column?: number
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start?: number
  readonly end?: number
}

/** Those that explain the verdict, strongest first; equal reasons once for each passage. */
export function placedFindings(text: string, { findings }: Pick<ScanVerdict, 'findings'>): PlacedFinding[] {
  const placed = worthNaming(findings).map((finding) => {
    const { kind, reason, start, end } = finding
    if (isFailure(finding) || end <= start) return { kind, reason }
    return { kind, reason, ...placeOf(text, start), start, end }
  })
  return [...new Map(placed.map((each) => [JSON.stringify(each), each])).values()]
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const breaks = [...before.matchAll(/\r\n|\r|\n/g)]
  const last = breaks.at(-1)
  return { line: breaks.length + 1, column: offset - (last ? last.index + last[0].length : 0) + 1 }
}
