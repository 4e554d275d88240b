import { allocate } from '../allocate.ts'
import { chunkSource, type Chunk } from '../source/chunk-source.ts'
import { findDefinitions } from '../source/find-definitions.ts'
import { listNames, namedDefinitions } from '../source/list-names.ts'
import { listSignatures } from '../source/list-signatures.ts'
import { scoreChunks } from '../source/score-chunks.ts'
import { parseGoal } from '../rank/goal.ts'
import type { Strategy, StrategyInput, StrategyOutput } from '../strategy.ts'
import { countTokens, countUpTo } from '../../text/tokens/count-tokens.ts'
import { groupDigits } from '../group-digits.ts'

/** Largest shares of the budget. */
const OUTLINE_SHARE = { forAName: 0.7, forABody: 0.18, withoutGoal: 0.95 } as const
/** Largest share of the budget for signatures: more informative than names, but bodies take precedence. */
const SIGNATURE_SHARE = { withGoal: 0.2, withoutGoal: 0.7 } as const
/** Characters between two chunks of one line. */
const LONGEST_INDENTATION = 200
const ASKS_FOR_A_NAME =
  /\b(?:which|what)(?: is the)?(?: name of the)? (?:function|method|class|type|interface|struct|module|constant|variable|procedure|macro|trait|enum)\b/i

/** An outline, then whole pieces that fit the goal, with marks for omissions. */
export const codeStrategy: Strategy = { name: 'code', kinds: ['code'], compress: compressCode }

function compressCode({ text, goal, budget }: StrategyInput): StrategyOutput | undefined {
  const definitions = findDefinitions(text)
  const chunks = chunkSource(text, definitions, budget)
  const query = goal === undefined ? undefined : parseGoal(goal)
  const { values, names } = scoreChunks(text, chunks, definitions, query)
  const named = namedDefinitions(definitions)
  const lineCount = countLines(text, 0, text.length)
  const room = budget - countTokens(omittedWords(lineCount, lineCount)) - 1

  const share = query
    ? ASKS_FOR_A_NAME.test(query.text)
      ? OUTLINE_SHARE.forAName
      : OUTLINE_SHARE.forABody
    : OUTLINE_SHARE.withoutGoal
  const signatureRoom = room * (query ? SIGNATURE_SHARE.withGoal : SIGNATURE_SHARE.withoutGoal)
  const long = listSignatures(text, definitions, named)
  const list =
    long.length < signatureRoom * 12 && countUpTo(long, signatureRoom - 4) <= signatureRoom - 4
      ? `\n${long}`
      : ` ${listNames(definitions, named, (i) => names[i] ?? 0, room * share - 4)}`
  const outline = list.trim() === '' ? '' : `Definitions:${list}\n`

  const left = room - countTokens(outline)
  const units = chunks.map((chunk, i) => ({
    text: withCutMarks(text, chunk),
    value: values[i] ?? 0,
    needs: headsOf(chunks, chunk),
  }))
  const bodies = allocate(units, { budget: Math.max(0, left), costExponent: 0.15 })
  const shown = outline + (outline === '' || bodies.text === '' ? '' : '\n') + bodies.text
  if (shown.trim() === '') return undefined
  const whole = bodies.complete && bodies.text.length >= text.trim().length
  return {
    text: shown.trimEnd(),
    omitted: whole ? undefined : omittedWords(lineCount - keptLines(text, chunks, bodies.taken), lineCount),
    lossless: whole && bodies.text === text,
  }
}

function headsOf(chunks: readonly Chunk[], chunk: Chunk): number[] {
  const heads: number[] = []
  for (let head = chunk.head; head >= 0 && heads.length < 8; head = chunks[head]?.head ?? -1) heads.push(head)
  return heads
}

/** A chunk that begins or ends within a line of the source says so there. */
function withCutMarks(text: string, { start, end }: Chunk): string {
  const before = /\S[^\S\n]*$/.test(text.slice(Math.max(0, start - LONGEST_INDENTATION), start)) ? '… ' : ''
  const after = /^[^\S\n]*\S/.test(text.slice(end, end + LONGEST_INDENTATION)) ? ' …' : ''
  return before + text.slice(start, end) + after
}

/** If part of each line is shown, lines were cut. */
const omittedWords = (left: number, all: number): string =>
  left === all
    ? `${groupDigits(all)} lines, but for their definitions`
    : left > 0
      ? `${groupDigits(left)} of ${groupDigits(all)} lines`
      : 'parts of long lines'

const keptLines = (text: string, chunks: readonly Chunk[], taken: readonly number[]): number =>
  taken.reduce((sum, i) => sum + countLines(text, chunks[i]!.start, chunks[i]!.end), 0)

function countLines(text: string, start: number, end: number): number {
  let lines = 1
  for (let i = text.indexOf('\n', start); i >= 0 && i < end - 1; i = text.indexOf('\n', i + 1)) lines++
  return lines
}
