import { allocate } from '../allocate.ts'
import type { Unit } from '../unit.ts'
import { bm25 } from '../../text/words/bm25.ts'
import { countTerms } from '../../text/words/count-terms.ts'
import { parseGoal, type Goal } from '../rank/goal.ts'
import { cutHunk, showPiece, type HunkPiece } from '../diff/cut-hunk.ts'
import { parseDiff, type DiffFile, type DiffHunk, type DiffPart } from '../diff/parse-diff.ts'
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
/** Largest shares for the list of files: without a goal it tells most. */
const OVERVIEW = { withGoal: 0.35, without: 0.65 } as const
const GENERATED =
  /(?:^|\/)(?:[\w.-]*lock(?:\.\w+)?|[\w-]+\.lock|go\.sum|[^/]+\.(?:min\.\w+|map|snap|svg|pb\.go)|dist\/.*|vendor\/.*|node_modules\/.*)$/i
const RESERVE = 24
const SUBJECT_LINES = 6
/** A file without hunks: renamed, binary. */
const WITHOUT_HUNKS = 0.3
const NAMES = 2
const ASKED = 1

/** All files with counts, then hunks that fit the goal; unchanged lines are dropped first. Reads as a diff. */
export const diffStrategy: Strategy = {
  name: 'diff',
  kinds: ['diff'],
  compress({ text, goal, budget }) {
    const parts = parseDiff(text)
    if (parts.every(({ files }) => files.length === 0)) return undefined
    const query = goal === undefined ? undefined : parseGoal(goal)
    const room = budget - RESERVE
    if (room <= 0) return undefined
    let output: StrategyOutput | undefined
    for (const context of CONTEXTS) {
      const shown = show(parts, query, room, context)
      output = shown.output
      if (shown.complete) break
    }
    return output
  },
}

function show(
  parts: readonly DiffPart[],
  goal: Goal | undefined,
  room: number,
  context: number,
): { output: StrategyOutput | undefined; complete: boolean } {
  const files = parts.flatMap((part) => part.files)
  const longest = Math.max(6, Math.min(40, Math.floor(room / 40)))
  const pieces = files.map(({ hunks }) =>
    hunks.flatMap((hunk) => cutHunk(hunk, context, longest).map((piece) => ({ ...piece, hunk }))),
  )
  const names = parts.map(namesOf)
  const messageValues = parts.map(({ message }, part) =>
    message.map((line, i) => messageValue(line, i, names[part] ?? [], goal)),
  )
  const values = goal ? scoreForGoal(parts, pieces, messageValues, goal) : scoreBySize(files, pieces)
  const best = values.map((own) => Math.max(0, ...own))

  const overview =
    parts.length > 1
      ? ''
      : showOverview(files, best, goal, Math.floor(room * (goal ? OVERVIEW.withGoal : OVERVIEW.without)))
  const units: Unit[] = []
  const pieceOf: (PieceOfHunk | undefined)[] = []
  const add = (unit: Unit, piece?: PieceOfHunk): number => {
    pieceOf.push(piece)
    return units.push(unit) - 1
  }
  let f = 0
  parts.forEach((part, p) => {
    const start = units.length
    const naming = (names[p] ?? []).map((line) => start + line)
    part.message.forEach((line, i) => add({ text: line, value: messageValues[p]?.[i] ?? 0, needs: naming }))
    for (const file of part.files) {
      const own = pieces[f] ?? []
      const header = add({
        text: () => headerOf(file).join('\n'),
        value: own.length === 0 ? WITHOUT_HUNKS : 0,
        needs: naming,
      })
      const score = values[f++] ?? []
      let head = -1
      own.forEach((piece, i) => {
        if (own[i - 1]?.hunk !== piece.hunk) head = add({ text: piece.hunk.head, value: 0, noGapAfter: true })
        add({ text: () => showPiece(piece), value: score[i] ?? 0, needs: [...naming, header, head] }, piece)
      })
    }
  })
  const roomLeft = room - (overview === '' ? 0 : countTokens(overview) + 1)
  const shown = allocate(units, { budget: Math.max(0, roomLeft), costExponent: 0, gap: '…' })
  // Of marks in a row the last says most.
  const hunkText = shown.text.replace(/^…\n(?=…)/gm, '')
  const text = [overview, hunkText].filter((part) => part !== '').join('\n')
  const hunks = files.reduce((sum, file) => sum + file.hunks.length, 0)
  const printed = new Map<DiffHunk, number>()
  for (const unit of shown.taken) {
    const piece = pieceOf[unit]
    if (piece) printed.set(piece.hunk, (printed.get(piece.hunk) ?? 0) + piece.lines.length)
  }
  const isCut = [...printed].some(([{ lines }, kept]) => kept < lines.length)
  const trimmed = isCut ? ', and lines of others' : ''
  const { complete } = shown
  if (text === '') return { output: undefined, complete }
  const left = printed.size === 0 ? 'all' : `${hunks - printed.size} of`
  const omitted = `${left} ${hunks} hunks in ${files.length} files${trimmed}`
  return { output: { text, omitted }, complete }
}

interface PieceOfHunk extends HunkPiece {
  readonly hunk: DiffHunk
}

/** Text after the second @@, usually a function. */
const contextOf = ({ head }: DiffHunk): string => head.replace(/^(@@+) .*? \1/, '')

/** Lines of a message that name it: the commit and its subject. */
function namesOf({ message }: DiffPart): number[] {
  const commit = message.findIndex((line) => COMMIT.test(line))
  if (commit < 0) return []
  const subject = message.findIndex(
    (line, i) => i > commit && (/^(?:Subject:|\s+\S)/.test(line) || i > commit + 4),
  )
  return subject < 0 ? [commit] : [commit, subject]
}

const COMMIT = /^(?:commit|From|changeset:?|revision) [\da-f]+|^r\d+ \|/

/** One line per file with what became of it and counts, for several files; the best that fit, in order. */
function showOverview(
  files: readonly DiffFile[],
  best: readonly number[],
  goal: Goal | undefined,
  room: number,
): string {
  if (files.length < 2) return ''
  const texts = files.map((file) => `${file.path}${statusOf(file)} +${file.added} -${file.removed}`)
  const fits =
    goal &&
    bm25(
      texts.map((line) => countTerms(line, goal)),
      goal,
    ).scores
  const units = texts.map((line, i) => ({ text: line, value: 1 + (best[i] ?? 0) + (fits?.[i] ?? 0) }))
  return allocate(units, { budget: room, gap: (skipped) => `… ${skipped} more files` }).text
}

function statusOf({ header }: DiffFile): string {
  const messageValues = header.flatMap((line) => STATUS.exec(line)?.slice(1, 2) ?? [])
  return messageValues.length === 0 ? '' : ` (${messageValues.join(', ')})`
}

/** In git's words. */
const STATUS = /^((?:new|deleted) file mode \d+|(?:rename|copy) from .+|Binary files)/

/** The git line and hashes only repeat names and modes. */
function headerOf({ header }: DiffFile): string[] {
  const hasNames = header.some((line) => line.startsWith('+++ '))
  return header.filter(
    (line) => line.trim() !== '' && !(hasNames && /^(?:diff |index |={10,}|Index: )/.test(line)),
  )
}

/** Sets the values of messages, too: all are ranked together. */
function scoreForGoal(
  parts: readonly DiffPart[],
  pieces: readonly (readonly PieceOfHunk[])[],
  messageValues: number[][],
  goal: Goal,
): number[][] {
  const files = parts.flatMap((part) => part.files)
  const subjects = parts.flatMap(({ message, files: { length } }) =>
    Array.from({ length }, () => message.slice(0, SUBJECT_LINES).join(' ')),
  )
  const ofPieces = files.flatMap((file, f) =>
    (pieces[f] ?? []).map((piece) => ({
      ...countTerms(piece.lines.join('\n'), goal),
      context: countTerms(`${file.path} ${contextOf(piece.hunk)} ${subjects[f] ?? ''}`, goal).counts,
    })),
  )
  const ofMessages = parts.flatMap(({ message }) => message.map((line) => countTerms(line, goal)))
  const { scores } = bm25([...ofPieces, ...ofMessages], goal, { contextWeight: WEIGHTS.context })
  const fallback = scoreBySize(files, pieces)
  let next = ofPieces.length
  for (const own of messageValues)
    for (let i = 0; i < own.length; i++) own[i] = (own[i] ?? 0) + (scores[next++] ?? 0)
  next = 0
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

/** What names a part comes along with its hunks; without a goal it comes first, the rest of the message last. */
function messageValue(line: string, place: number, names: readonly number[], goal: Goal | undefined): number {
  if (names.includes(place)) return goal === undefined ? NAMES : 0
  if (names.length === 0) return 1 / (1 + place)
  const isDate = /^\w*Date:/.test(line)
  const isAsked =
    goal !== undefined &&
    (isDate ? goal.askedTypes.has('date') : /^Author:|^From:/.test(line) && goal.askedTypes.has('name'))
  return isAsked ? ASKED : 0.01 / (1 + place)
}
