import type { MarkedText } from '../../../shared/api/quarantine.ts'
import { cleanText } from '../guardrails/control-characters.ts'
import type { Finding } from '../guardrails/detector.ts'
import { passageFinder } from '../guardrails/passage-finder.ts'
import type { PlacedText } from '../guardrails/texts-in.ts'

const CONTEXT = 400
const MOST_TEXTS = 100

/** Texts with findings first. Makes hidden characters visible. */
export function markFindings(texts: readonly PlacedText[], findings: readonly Finding[]): MarkedText[] {
  return texts
    .map(({ path, text }) => {
      const own = findings.filter((finding) => finding.path === path && finding.end > finding.start)
      return { path, text, own }
    })
    .sort((a, b) => b.own.length - a.own.length)
    .slice(0, MOST_TEXTS)
    .map(({ path, text, own }) => ({ path, ...markText(text, own) }))
}

function markText(text: string, findings: readonly Finding[]): Pick<MarkedText, 'runs' | 'leftOut'> {
  const shown = (from: number, to: number): string => cleanText(text.slice(from, to), 'visualise')
  const runs: MarkedText['runs'] = []
  const passageOf = passageFinder(text)
  const isOneLine = !/[\r\n]./.test(text)
  let at = 0
  let leftOut = 0
  const plain = (to: number, isLast: boolean): void => {
    const length = to - at
    const room = at === 0 || isLast ? CONTEXT : CONTEXT * 2
    if (length <= 0) return
    if (length <= room) runs.push({ text: shown(at, to) })
    else {
      const head = at === 0 && findings.length > 0 ? 0 : CONTEXT
      const tail = isLast ? 0 : CONTEXT
      leftOut += length - head - tail
      runs.push({ text: `${shown(at, at + head)} … ${shown(to - tail, to)}` })
    }
    at = to
  }
  for (const { start, end, reason, score } of withoutOverlaps(findings)) {
    plain(start, false)
    const { line, path } = passageOf(start)
    const place = [...(isOneLine ? [] : [`line ${line}`]), ...(path === undefined ? [] : [path])].join(', ')
    runs.push({
      text: shown(start, end),
      reason: cleanText(reason, 'visualise'),
      score,
      ...(place === '' ? {} : { place: cleanText(place, 'visualise') }),
    })
    at = end
  }
  plain(text.length, true)
  return { runs, leftOut }
}

/** Keeps the narrowest: a classifier marks a passage, a rule four words. */
function withoutOverlaps(findings: readonly Finding[]): Finding[] {
  const narrowestFirst = [...findings].sort(
    (a, b) => a.end - a.start - (b.end - b.start) || b.score - a.score || a.start - b.start,
  )
  const edges = [...new Set(findings.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b)
  const marks: Finding[] = []
  let last: Finding | undefined
  edges.forEach((start, index) => {
    const end = edges[index + 1] ?? start
    const found = narrowestFirst.find((finding) => finding.start <= start && finding.end >= end)
    const before = marks.at(-1)
    if (found && end > start) {
      if (found === last && before?.end === start) marks[marks.length - 1] = { ...before, end }
      else marks.push({ ...found, start, end })
    }
    last = found
  })
  return marks
}
