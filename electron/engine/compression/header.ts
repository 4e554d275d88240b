import type { BuiltInCall } from '../message/call.ts'
import { countsAddUp, countTokens } from '../text/tokens/count-tokens.ts'

export interface HeaderFacts {
  readonly tokensBefore: number
  readonly strategy: string
  /** Id of the stored original; without it the header names no way back. */
  readonly resultId: string | undefined
  readonly omitted: string | undefined
  /** A summary that can't be in the text. */
  readonly summary?: string | undefined
  /** Factor on the usual length for a repeated call. */
  readonly escalation?: number | undefined
  /** Of a budget of the user, such as `team from 70 %`. */
  readonly budgetStep?: string | undefined
  /** Number of joined blocks, and the ids of the first and last. */
  readonly blocks?: JoinedBlocks | undefined
  /** For clients that read files. */
  readonly file?: string | undefined
  /** Default: the exploration tools. */
  readonly reading?: Reading | undefined
}

type Reading = Pick<BuiltInCall, 'readers' | 'command'>

interface JoinedBlocks {
  readonly count: number
  /** Undefined when not consecutive. */
  readonly ids: readonly [first: string, last: string] | undefined
}

const WAY_BACK = 'proxy_search, proxy_filter, proxy_read or proxy_run with this id returns any part.'

/** The file is named at the end of the line. */
function wayBackOf(id: string, reading: Reading | undefined): string {
  if (!reading) return ` ${WAY_BACK}`
  return reading.readers
    .map((reader) => {
      if (reader === 'file') return ''
      const command = `${reading.command} ${id}`
      return reader === 'tool'
        ? ` ${WAY_BACK}`
        : ` \`${command}\` prints it, with --grep TEXT, --lines 10-80 or --tail 50 a part.`
    })
    .join('')
}

/** Ends with the blank line before the text. */
export function headerLine(facts: HeaderFacts, tokensAfter: number): string {
  const {
    tokensBefore,
    strategy,
    resultId,
    omitted,
    summary,
    escalation,
    budgetStep,
    blocks,
    file,
    reading,
  } = facts
  const id = resultId === undefined ? '' : `, id: ${resultId}`
  const again = escalation === undefined ? '' : `, escalation: ${escalation}x`
  const saving = budgetStep === undefined ? '' : `, budget: ${oneLine(budgetStep)}`
  const joined = blocks === undefined ? '' : `, blocks: ${blocks.count}`
  const rest = omitted === undefined ? '' : ` Omitted: ${oneLine(omitted)}.`
  const wayBack =
    (resultId === undefined ? '' : wayBackOf(resultId, reading)) +
    (blocks?.ids === undefined ? '' : ` Blocks: ${blocks.ids[0]} to ${blocks.ids[1]}.`) +
    (file === undefined ? '' : ` File: ${oneLine(file)}`)
  const summaryPart = summary === undefined ? '' : ` Summary: ${oneLine(summary)}`
  return `[Compressed: ${tokensBefore}→${tokensAfter} tokens, strategy: ${strategy}${again}${saving}${joined}${id}]${rest}${wayBack}${summaryPart}\n\n`
}

/** The header counts its own number, so it is counted twice. */
export function withHeader(facts: HeaderFacts, text: string): { text: string; tokens: number } {
  const tokensWith = (tokensAfter: number) => {
    const header = headerLine(facts, tokensAfter)
    return countsAddUp(header, text) ? countTokens(header) + countTokens(text) : countTokens(header + text)
  }
  const guess = tokensWith(100)
  // Numbers over three digits take several tokens: then the first guess is wrong.
  const tokens = guess < 1000 ? guess : tokensWith(guess)
  return { text: headerLine(facts, tokens) + text, tokens }
}

/** For budgets without room for the header line. */
export const shortHeader = (resultId: string): string => `[Compressed, id: ${resultId}]\n`

const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/\.$/, '')
