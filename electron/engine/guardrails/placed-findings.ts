import { isFailure, type Finding } from './detector.ts'
import { passageFinder, type Passage } from './passage-finder.ts'
import { worthNaming, type ScanVerdict } from './judge.ts'

/** The passage is missing where a detector names none. */
export interface PlacedFinding extends Pick<Finding, 'kind' | 'reason'>, Partial<Passage> {
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start?: number
  readonly end?: number
}

/** Those that explain the verdict, strongest first; equal reasons once for each passage. */
export function placedFindings(text: string, { findings }: Pick<ScanVerdict, 'findings'>): PlacedFinding[] {
  const passageOf = passageFinder(text)
  const placed = worthNaming(findings).map((finding) => {
    const { kind, reason, start, end } = finding
    if (isFailure(finding) || end <= start) return { kind, reason }
    return { kind, reason, ...passageOf(start), start, end }
  })
  return [...new Map(placed.map((each) => [JSON.stringify(each), each])).values()]
}
