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
const ASKS_FOR_A_NAME =
  /\b(?:which|what)(?: is the)?(?: name of the)? (?:function|method|class|type|interface|struct|module|constant|variable|procedure|macro|trait|enum)\b/i

/** An outline, then whole pieces that fit the goal, with marks for omissions. */
export const codeStrategy: Strategy = {
  name: 'code',
  kinds: ['code'],
  compress(input) {
    if (input.lossless === true || input.text.trim() === '') return undefined
    return compressCode(input)
  },
}

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
  const outline =
    named.length === 0
      ? ''
      : outlineOf(
          () => `Definitions:\n${listSignatures(text, definitions, named)}\n`,
          signatureRoom,
          () => {
            const list = listNames(definitions, named, (i) => names[i] ?? 0, room * share - 4)
            return list.text === '' ? '' : `Definitions: ${list.text}\n`
          },
        )

  const left = room - countTokens(outline)
  const units = chunks.map((chunk, i) => ({
    text: text.slice(chunk.start, chunk.end),
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

function outlineOf(signatures: () => string, room: number, names: () => string): string {
  const long = signatures()
  return long.length < room * 12 && countUpTo(long, room) <= room ? long : names()
}

function headsOf(chunks: readonly Chunk[], chunk: Chunk): number[] {
  const heads: number[] = []
  for (let head = chunk.head; head >= 0 && heads.length < 8; head = chunks[head]?.head ?? -1) heads.push(head)
  return heads
}

/** If part of each line is shown, lines were cut. */
const omittedWords = (left: number, all: number): string =>
  left === all
    ? `${groupDigits(all)} lines, but for their definitions`
    : left > 0
      ? `${groupDigits(left)} of ${groupDigits(all)} lines`
      : 'parts of long lines'

function keptLines(text: string, chunks: readonly Chunk[], taken: readonly number[]): number {
  let kept = 0
  for (const i of taken) {
    const chunk = chunks[i]
    if (chunk) kept += countLines(text, chunk.start, chunk.end)
  }
  return kept
}

function countLines(text: string, start: number, end: number): number {
  let lines = 1
  for (let i = text.indexOf('\n', start); i >= 0 && i < end - 1; i = text.indexOf('\n', i + 1)) lines++
  return lines
}
