import type { CompressTextOutput } from '../../electron/engine/compression/compress-text.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import type { Source } from './source.ts'
import type { Violation } from './violations.ts'

/** Sizes in the header of a text this long are counted, of a longer one estimated. */
const COUNTED = 20_000
const ESTIMATE = 0.25

/** The header counts truthfully and never says that all was left out above kept text. */
export function headerViolations(
  output: Pick<CompressTextOutput, 'text' | 'tokensBefore' | 'tokensAfter' | 'omitted'>,
  source: Source,
  body: string,
  tokens: number,
): Violation[] {
  const found: Violation[] = []
  const say = (detail: string) => found.push({ rule: 'header', detail })
  if (output.tokensAfter !== tokens) say(`says ${output.tokensAfter} tokens, has ${tokens}`)
  const before = countTokens(source.text)
  const allowed = source.text.length <= COUNTED ? 0 : before * ESTIMATE
  if (Math.abs(output.tokensBefore - before) > allowed)
    say(`says that there were ${output.tokensBefore} tokens of ${before}`)
  const omitted = output.omitted ?? ''
  for (const [, part, whole, what] of omitted.matchAll(/([\d,]+) of ([\d,]+) (\w+)/g)) {
    const [left, all] = [numberOf(part), numberOf(whole)]
    const isCountOfLeft = !omitted.includes(`${part} of ${whole} ${what} shown`)
    if (left > all) say(`${part} of ${whole} ${what}`)
    if (isCountOfLeft && left === all && saysAll(omitted) && body.trim() !== '')
      say(`all ${what} omitted above kept text: ${omitted}`)
    if (what === 'lines' && !lineCounts(source).includes(all))
      say(`${all} lines where there are ${lineCounts(source).join(' or ')}`)
  }
  const [, everywhere] = /in every line: (.*)$/.exec(omitted) ?? []
  if (everywhere !== undefined) {
    const words = everywhere.trim().split(/\s+/)
    const lacksOne = (line: string) => line.trim() !== '' && words.some((word) => !line.includes(word))
    const without = source.lines.find(lacksOne)
    if (without !== undefined) say(`not in every line: ${everywhere}; e.g. ${without.slice(0, 80)}`)
  }
  return found
}

const numberOf = (digits: string | undefined) => Number((digits ?? '').replaceAll(',', ''))

/** All parts of the list say that nothing of them is left. */
const saysAll = (omitted: string) =>
  [...omitted.matchAll(/([\d,]+) of ([\d,]+)/g)].every(([, part, whole]) => part === whole)

/** With and without blank lines, and the one behind the last line feed. */
function lineCounts(source: Source): number[] {
  const lines = source.lines
  return [lines.length, lines.length - 1, lines.filter((line) => line.trim() !== '').length]
}
