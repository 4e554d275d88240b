import { allocate } from '../allocate.ts'
import type { Unit } from '../unit.ts'
import { bm25 } from '../../text/words/bm25.ts'
import { countTerms } from '../../text/words/count-terms.ts'
import { parseGoal, type Goal } from '../rank/goal.ts'
import { cutHunk, showPiece, type HunkPiece } from '../diff/cut-hunk.ts'
import { parseDiff, type DiffFile } from '../diff/parse-diff.ts'
import type { Strategy, StrategyOutput } from '../strategy.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'

const WEIGHTS = {
  /** Path and enclosing function, relative to own words. */
  context: 1,
  /** Further pieces of a file without a goal. */
  repeat: 0.6,
  /** Lock files, snapshots, minified code. */
  generated: 0.15,
  costExponent: 0.4,
} as const
/** Unchanged lines around a change: fewer until all fit. */
const CONTEXTS = [3, 1, 0] as const
const OVERVIEW_SHARE = 0.35
const GENERATED =
  /(?:^|\/)(?:[\w.-]*lock(?:\.\w+)?|[\w-]+\.lock|go\.sum|[^/]+\.(?:min\.\w+|map|snap|svg|pb\.go)|dist\/.*|vendor\/.*|node_modules\/.*)$/i
const RESERVE = 24

/** All files with counts, then hunks that fit the goal; unchanged lines are dropped first. Reads as a diff. */
export const diffStrategy: Strategy = {
  name: 'diff',
  kinds: ['diff'],
  compress({ text, goal, budget, lossless }) {
    if (lossless === true) return undefined
    const { preface, files } = parseDiff(text)
    if (files.length === 0) return undefined
    const query = goal === undefined ? undefined : parseGoal(goal)
    const room = budget - RESERVE
    if (room <= 0) return undefined
    let output: StrategyOutput | undefined
    for (const context of CONTEXTS) {
      const shown = show(preface, files, query, room, context)
      output = shown.output
      if (shown.complete) break
    }
    return output
  },
}

function show(
  preface: readonly string[],
  files: readonly DiffFile[],
  goal: Goal | undefined,
  room: number,
  context: number,
): { output: StrategyOutput | undefined; complete: boolean } {
  const longest = Math.max(6, Math.min(40, Math.floor(room / 40)))
  const pieces = files.map(({ hunks }) => hunks.flatMap((hunk) => cutHunk(hunk, context, longest)))
  const values = goal ? scoreForGoal(files, pieces, goal) : scoreBySize(files, pieces)
  const best = values.map((own) => Math.max(0, ...own))

  const overview = showOverview(files, best, Math.floor(room * OVERVIEW_SHARE))
  const units: Unit[] = []
  const message = preface.filter((line) => line.trim() !== '').slice(0, 40)
  message.forEach((line, i) => units.push({ text: line, value: prefaceValue(line, i, goal) }))
  let hunkCount = 0
  const isPiece: boolean[] = units.map(() => false)
  files.forEach((file, f) => {
    const header = units.length
    units.push({ text: () => headerOf(file).join('\n'), value: pieces[f]?.length === 0 ? 0.3 : 0 })
    isPiece.push(false)
    pieces[f]?.forEach((piece, p) => {
      hunkCount++
      units.push({ text: () => showPiece(piece), value: values[f]?.[p] ?? 0, needs: [header] })
      isPiece.push(true)
    })
  })
  const left = room - (overview === '' ? 0 : countTokens(overview) + 1)
  const shown = allocate(units, { budget: Math.max(0, left), costExponent: 0, gap: '…' })
  const text = [overview, shown.text].filter((part) => part !== '').join('\n')
  const printed = shown.taken.filter((unit) => isPiece[unit]).length
  const trimmed = context === CONTEXTS[0] ? '' : ', and unchanged lines'
  const complete = shown.complete
  if (text === '') return { output: undefined, complete }
  const omitted = `${hunkCount - printed} of ${hunkCount} hunks in ${files.length} files${trimmed}`
  return { output: { text, omitted, lossless: false }, complete }
}

/** One line per file with counts, for several files; the best that fit, in order. */
function showOverview(files: readonly DiffFile[], best: readonly number[], room: number): string {
  if (files.length < 2) return ''
  const units = files.map((file, i) => ({
    text: `${file.path} +${file.added} -${file.removed}`,
    value: 1 + (best[i] ?? 0),
  }))
  return allocate(units, { budget: room, gap: (skipped) => `… ${skipped} more files` }).text
}

/** The git line and hashes only repeat names and modes. */
function headerOf({ header }: DiffFile): string[] {
  const hasNames = header.some((line) => line.startsWith('+++ '))
  return header.filter(
    (line) => line.trim() !== '' && !(hasNames && /^(?:diff |index |={10,}|Index: )/.test(line)),
  )
}

function scoreForGoal(
  files: readonly DiffFile[],
  pieces: readonly (readonly HunkPiece[])[],
  goal: Goal,
): number[][] {
  const all = files.flatMap((file, f) =>
    (pieces[f] ?? []).map((piece) => ({
      ...countTerms(piece.lines.join('\n'), goal),
      context: countTerms(`${file.path} ${piece.context}`, goal).counts,
    })),
  )
  const { scores } = bm25(all, goal, { contextWeight: WEIGHTS.context })
  const fallback = scoreBySize(files, pieces)
  let next = 0
  return pieces.map((own, f) => own.map((_, p) => (scores[next++] ?? 0) + 0.01 * (fallback[f]?.[p] ?? 0)))
}

function scoreBySize(files: readonly DiffFile[], pieces: readonly (readonly HunkPiece[])[]): number[][] {
  return files.map((file, f) => {
    const share = GENERATED.test(file.path) ? WEIGHTS.generated : 1
    const own = pieces[f] ?? []
    const order = own
      .map((_, p) => p)
      .sort((a, b) => (own[b]?.changes ?? 0) - (own[a]?.changes ?? 0) || a - b)
    const values = own.map(() => 0)
    order.forEach((p, rank) => {
      const changes = own[p]?.changes ?? 0
      const cost = Math.max(8, (own[p]?.lines.length ?? 1) * 10) ** WEIGHTS.costExponent
      values[p] = (share * WEIGHTS.repeat ** Math.min(rank, 8) * Math.log(2 + changes)) / cost
    })
    return values
  })
}

/** The first lines of a commit state its purpose. */
function prefaceValue(line: string, place: number, goal: Goal | undefined): number {
  if (/^(?:commit|From|From:|Author:|Date:|Subject:)/.test(line))
    return /^(?:commit|Subject)/.test(line) ? 2 : 0.2
  const fits = goal && countTerms(line, goal).counts !== undefined
  return fits ? 2 : 1 / (1 + place)
}
