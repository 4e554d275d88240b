import { SluiceError, assertNever } from '../../ground/errors.ts'
import type { ExplorationCall } from '../exploration-arguments.ts'
import { pageOf } from './answer.ts'
import type { ExploreAnswer } from './answer.ts'
import { callText, goOn, nameOf, referenceTo } from './call-text.ts'
import type { Reference } from './call-text.ts'
import { number } from './describe-data.ts'
import { isRecord } from '../../text/tree/json-values.ts'
import { exploreStructure } from './explore-structure.ts'
import type { ExploredPart } from './explored-text.ts'
import { filterData } from './filter.ts'
import { readPage } from './read.ts'
import { runInSandbox } from './sandbox.ts'
import { searchTexts } from './search.ts'
import { clip } from './token-counter.ts'
import type { TokenCounter } from './token-counter.ts'

export interface ExploreRequest {
  readonly call: ExplorationCall
  readonly parts: readonly ExploredPart[]
  /** Of all parts; undefined if unstored. */
  readonly whole: string | undefined
  /** For the whole answer. */
  readonly budget: number
  readonly tokens: TokenCounter
  /** For the code's time limit. */
  readonly now: () => number
}

const DEFAULT_RESULTS = 20
const DEFAULT_TIMEOUT_MS = 2000

/** Throws BAD_INPUT and LIMIT_REACHED. */
export async function explore(request: ExploreRequest): Promise<ExploreAnswer> {
  const { call } = request
  try {
    switch (call.name) {
      case 'proxy_explore':
        return exploreStructure(request.parts, call.args, request.budget, request.tokens)
      case 'proxy_filter':
        return filter(request, call.args)
      case 'proxy_search':
        return search(request, call.args)
      case 'proxy_read':
        return read(request, call.args)
      case 'proxy_run':
        return await run(request, call.args)
      default:
        return assertNever(call)
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SluiceError(
      'LIMIT_REACHED',
      'This data is nested too deeply, or too large, to be taken apart. Use proxy_search or proxy_read.',
      { cause: error },
    )
  }
}

type ArgumentsOf<Name extends ExplorationCall['name']> = Extract<ExplorationCall, { name: Name }>['args']

function filter(request: ExploreRequest, args: ArgumentsOf<'proxy_filter'>): ExploreAnswer {
  const { budget, tokens } = request
  const part = firstPart(request)
  const { body, notes } = filterData(part.source, args)
  const offset = checkOffset(args.offset, body.length)
  const remarks = [...notes.map((note) => clip(note, budget)).slice(0, 4), `From ${nameOf(part)}.`].join(' ')
  const trailer = (end: number) => {
    if (end >= body.length) return `[${remarks}]`
    return `[${remarks} ${shownOf(offset, end, body.length)} ${goOn('proxy_filter', part, args, { offset: end })}]`
  }
  return pageOf({ body, offset, budget, tokens, trailer })
}

function search(request: ExploreRequest, args: ArgumentsOf<'proxy_search'>): ExploreAnswer {
  const { parts, budget, tokens } = request
  const mode = args.mode ?? 'regex'
  const offset = args.offset ?? 0
  const whole = wholeOf(request)
  const more = (next: number) =>
    `${goOn('proxy_search', whole, args, { offset: next })} ${around(firstPart(request), args)}`
  const reserve = tokens.count(`[9,999,999 to 9,999,999 of 9,999,999+ matches. ${more(9_999_999)}]`) + 2
  const page = searchTexts(
    parts.map((part) => ({ label: nameOf(part), source: part.source })),
    {
      pattern: args.pattern,
      mode,
      ignoreCase: args.ignore_case ?? false,
      contextLines: args.context_lines ?? 0,
      maxResults: args.max_results ?? DEFAULT_RESULTS,
      offset,
    },
    Math.max(1, budget - reserve),
    tokens,
  )
  const total = `${number(page.total)}${page.isCapped ? '+' : ''}`
  const isAll = page.next === undefined && offset === 0
  const range = isAll
    ? `All ${total}`
    : `${number(offset + 1)} to ${number(offset + page.blocks.length)} of ${total}`
  const trailer =
    page.blocks.length === 0
      ? `[No match for ${JSON.stringify(clip(args.pattern, 80))} in ${nameOf(whole)}. ${advice(mode)}]`
      : `[${range} ${mode === 'bm25' ? 'passages' : 'matches'} in ${nameOf(whole)}.${page.next === undefined ? '' : ` ${more(page.next)}`}]`
  const text = [...page.blocks, trailer].join('\n')
  return { texts: [text], tokens: tokens.count(text) }
}

const around = (part: ExploredPart, args: Reference): string =>
  `Around line N: ${callText('proxy_read', { ...referenceTo(part, args), offset: 'N-1' }).replace('"N-1"', 'N-1')}`

const advice = (mode: string): string =>
  mode === 'fuzzy'
    ? 'proxy_explore shows what is there.'
    : 'Try mode "fuzzy", other words, or "ignore_case"; proxy_explore shows what is there.'

function read(request: ExploreRequest, args: ArgumentsOf<'proxy_read'>): ExploreAnswer {
  const { parts, budget, tokens } = request
  const part = firstPart(request)
  const unit = args.unit ?? 'lines'
  const another = parts[1] ? ` This is 1 of ${parts.length} parts, the next is ${nameOf(parts[1])}.` : ''
  const trailerOf = (covers: string, next: { unit: string; offset: number } | undefined) => {
    if (!next) return `[${nameOf(part)}: ${covers}, up to the end.${another}]`
    const same = { ...args, limit: next.unit === unit ? args.limit : undefined }
    return `[${nameOf(part)}: ${covers}. ${goOn('proxy_read', part, same, next)}${another}]`
  }
  const longest = trailerOf(
    'the beginning of line 9,999,999 of 9,999,999, which is 9,999,999 characters long',
    {
      unit: 'bytes',
      offset: 9_999_999_999,
    },
  )
  const input = { unit, offset: args.offset ?? 0, limit: args.limit }
  const page = readPage(part.source, input, Math.max(1, budget - tokens.count(longest)), tokens)
  const trailer = trailerOf(page.covers, page.next)
  // Separate items: the page is byte for byte.
  return { texts: [page.text, trailer], tokens: tokens.count(page.text) + tokens.count(trailer) }
}

async function run(request: ExploreRequest, args: ArgumentsOf<'proxy_run'>): Promise<ExploreAnswer> {
  const { budget, tokens, now } = request
  const part = firstPart(request)
  const { text, data } = part.source
  const { value, printed } = await runInSandbox(
    {
      code: args.code,
      text,
      // The sandbox's parser rejects a byte order mark.
      data:
        data &&
        (data.format === 'json' && !text.startsWith('\uFEFF')
          ? 'from text'
          : { json: JSON.stringify(data.value) }),
      timeoutMs: args.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    },
    now,
  ).catch((error: unknown) => {
    throw withNames(error, data?.value)
  })
  const hasNoValue = value === 'undefined' && printed.length > 0
  const body = [...printed, ...(hasNoValue ? [] : [value])].join('\n')
  const offset = checkOffset(args.offset, body.length)
  const hint =
    value === 'undefined' && printed.length === 0
      ? ' End the code with an expression, or return something.'
      : ''
  const trailer = (end: number) =>
    end >= body.length
      ? `[From ${nameOf(part)}.${hint}]`
      : `[From ${nameOf(part)}. ${shownOf(offset, end, body.length)} Return less, or go on: the same call with "offset":${end}]`
  return pageOf({ body, offset, budget, tokens, trailer })
}

/** What is there, for code that looked for something else. */
function withNames(error: unknown, data: unknown): unknown {
  if (!(error instanceof SluiceError) || !/ReferenceError|undefined|not a function/.test(error.message))
    return error
  const fields = isRecord(data) ? Object.keys(data).slice(0, 10).join(', ') : ''
  const what =
    data === undefined
      ? '`data` is undefined, because this result is plain text: use `text`'
      : Array.isArray(data)
        ? `\`data\` is a list of ${data.length}, \`text\` the result as text`
        : `\`data\` is ${fields === '' ? 'a single value' : clip(`an object with ${fields}`, 200)}, \`text\` the result as text`
  return new SluiceError(error.code, `${error.message.replace(/\.?$/, '.')} ${what}.`, { cause: error })
}

function firstPart({ parts }: ExploreRequest): ExploredPart {
  const [first] = parts
  if (first) return first
  throw new SluiceError('BAD_INPUT', 'There is no text in this result: nothing of it was shortened.')
}

function wholeOf(request: ExploreRequest): ExploredPart {
  const first = firstPart(request)
  return request.parts.length > 1 ? { ...first, id: request.whole } : first
}

function checkOffset(offset: number | undefined, length: number): number {
  if (offset === undefined || offset === 0 || offset < length) return offset ?? 0
  throw new SluiceError(
    'BAD_INPUT',
    `The offset ${offset} is behind the end: the output has ${number(length)} characters.`,
  )
}

const shownOf = (from: number, to: number, of: number): string =>
  `Characters ${number(from)} to ${number(to)} of ${number(of)}.`
