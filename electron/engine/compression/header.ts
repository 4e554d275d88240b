import { countsAddUp, countTokens } from '../text/tokens/count-tokens.ts'

export interface HeaderFacts {
  readonly tokensBefore: number
  readonly strategy: string
  /** Names what is kept of the original; without it there is no way back to announce. */
  readonly resultId: string | undefined
  readonly omitted: string | undefined
  /** What a model says of the text, where it can't stand in the text itself. */
  readonly said?: string | undefined
  /** How many times as long as usual the text may be, because the call was repeated. */
  readonly escalation?: number | undefined
  /** Of how many blocks the text was put together, and the ids of the first and the last of them. */
  readonly blocks?: JoinedBlocks | undefined
  /** A file with the original, for clients that read files. */
  readonly file?: string | undefined
}

interface JoinedBlocks {
  readonly count: number
  /** Undefined where they don't follow each other. */
  readonly ids: readonly [first: string, last: string] | undefined
}

const WAY_BACK = 'proxy_search, proxy_filter, proxy_read or proxy_run with this id returns any part.'

/** The header line that says what was done to a text and how to get the rest; it ends in the blank line before the text. */
export function headerLine(facts: HeaderFacts, tokensAfter: number): string {
  const { tokensBefore, strategy, resultId, omitted, said, escalation, blocks, file } = facts
  const id = resultId === undefined ? '' : `, id: ${resultId}`
  const again = escalation === undefined ? '' : `, escalation: ${escalation}x`
  const joined = blocks === undefined ? '' : `, blocks: ${blocks.count}`
  const rest = omitted === undefined ? '' : ` Omitted: ${oneLine(omitted)}.`
  const wayBack =
    (resultId === undefined ? '' : ` ${WAY_BACK}`) +
    (blocks?.ids === undefined ? '' : ` Blocks: ${blocks.ids[0]} to ${blocks.ids[1]}.`) +
    (file === undefined ? '' : ` File: ${oneLine(file)}`)
  const summary = said === undefined ? '' : ` Summary: ${oneLine(said)}`
  return `[Compressed: ${tokensBefore}→${tokensAfter} tokens, strategy: ${strategy}${again}${joined}${id}]${rest}${wayBack}${summary}\n\n`
}

/** Puts the header before a text. Its own number is part of what it counts, hence the second look. */
export function withHeader(facts: HeaderFacts, text: string): { text: string; tokens: number } {
  const tokensWith = (tokensAfter: number) => {
    const header = headerLine(facts, tokensAfter)
    return countsAddUp(header, text) ? countTokens(header) + countTokens(text) : countTokens(header + text)
  }
  const guess = tokensWith(100)
  // Numbers of up to three digits are one token, longer ones more: only then the first guess is off.
  const tokens = guess < 1000 ? guess : tokensWith(guess)
  return { text: headerLine(facts, tokens) + text, tokens }
}

/** For budgets that have no room for the header line: it still says that something is missing, and where it is. */
export const shortHeader = (resultId: string): string => `[Compressed, id: ${resultId}]\n`

const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/\.$/, '')
