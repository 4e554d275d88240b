import { SluiceError } from '../../ground/errors.ts'
import { number } from './describe-data.ts'
import type { ExploredText } from './explored-text.ts'
import { fitTokens, nextCharacter } from './token-counter.ts'
import type { TokenCounter } from './token-counter.ts'

export type ReadUnit = 'lines' | 'bytes' | 'tokens'

export interface ReadInput {
  readonly unit: ReadUnit
  /** Line, byte or token, from 0; negative from the end. */
  readonly offset: number
  readonly limit: number | undefined
}

export interface ReadPage {
  readonly text: string
  readonly covers: string
  /** Undefined at the text's end. */
  readonly next: { unit: ReadUnit; offset: number } | undefined
}

/** At most `budget` tokens. Throws BAD_INPUT for an offset beyond the end. */
export function readPage(
  source: ExploredText,
  input: ReadInput,
  budget: number,
  tokens: TokenCounter,
): ReadPage {
  if (input.unit === 'tokens') return byTokens(source, input, budget, tokens)
  return input.unit === 'lines'
    ? byLines(source, input, budget, tokens)
    : byBytes(source, input, budget, tokens)
}

function byLines(source: ExploredText, input: ReadInput, budget: number, tokens: TokenCounter): ReadPage {
  const total = source.lineCount
  const first = startOf(input, total)
  const start = source.lineStart(first)
  const wanted = source.lineStart(first + (input.limit ?? total))
  const fits = Math.min(wanted, fitTokens(source.text, start, budget, tokens))
  const afterLast = fits >= source.text.length ? total : source.lineAt(fits)
  if (afterLast > first || total === 0) {
    const end = source.lineStart(afterLast)
    return {
      text: source.text.slice(start, end),
      covers: `lines ${number(Math.min(first + 1, total))} to ${number(afterLast)} of ${number(total)}`,
      next: afterLast < total ? { unit: 'lines', offset: afterLast } : undefined,
    }
  }
  // A line longer than a page, such as minified JSON, can only be paged by bytes.
  return {
    text: source.text.slice(start, fits),
    covers: `the beginning of line ${number(first + 1)} of ${number(total)}, which is ${number(source.lineStart(first + 1) - start)} characters long`,
    next: { unit: 'bytes', offset: source.byteAt(fits) },
  }
}

function byBytes(source: ExploredText, input: ReadInput, budget: number, tokens: TokenCounter): ReadPage {
  const total = source.byteCount
  const start = source.characterAtByte(startOf(input, total))
  const startByte = source.byteAt(start)
  const fits = fitTokens(source.text, start, budget, tokens)
  const wanted =
    input.limit === undefined
      ? fits
      : Math.max(source.characterAtByte(startByte + input.limit), nextCharacter(source.text, start))
  const end = Math.min(fits, wanted)
  const endByte = source.byteAt(end)
  return {
    text: source.text.slice(start, end),
    covers: `bytes ${number(startByte)} to ${number(endByte)} of ${number(total)}`,
    next: end < source.text.length ? { unit: 'bytes', offset: endByte } : undefined,
  }
}

function byTokens(source: ExploredText, input: ReadInput, budget: number, tokens: TokenCounter): ReadPage {
  const first = input.offset < 0 ? startOf(input, source.tokenCount(tokens)) : input.offset
  const start = source.characterAtToken(first, tokens)
  if (start >= source.text.length && first > 0) throw behind(input, source.tokenCount(tokens))
  let size = Math.min(input.limit ?? budget, budget)
  let end = source.characterAtToken(first + size, tokens)
  while (size > 1 && tokens.count(source.text.slice(start, end)) > budget) {
    size = Math.max(1, size - 1 - (size >> 5))
    end = source.characterAtToken(first + size, tokens)
  }
  // Some characters are several tokens: never returns an empty page.
  while (end === start && end < source.text.length) end = source.characterAtToken(first + ++size, tokens)
  const isLast = end >= source.text.length
  const last = isLast ? source.tokenCount(tokens) : first + size
  return {
    text: source.text.slice(start, end),
    covers: `tokens ${number(first)} to ${number(last)}`,
    next: isLast ? undefined : { unit: 'tokens', offset: last },
  }
}

function startOf(input: ReadInput, total: number): number {
  const start = input.offset < 0 ? Math.max(0, total + input.offset) : input.offset
  if (start >= total && start > 0) throw behind(input, total)
  return start
}

const behind = ({ unit, offset }: ReadInput, total: number): SluiceError =>
  new SluiceError(
    'BAD_INPUT',
    `The offset ${offset} is behind the end: there are ${number(total)} ${unit}. Offsets start at 0; negative ones count from the end.`,
  )
