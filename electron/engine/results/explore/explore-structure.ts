import { SluiceError } from '../../ground/errors.ts'
import { pageOf } from './answer.ts'
import type { ExploreAnswer } from './answer.ts'
import { callText, nameOf, referenceTo } from './call-text.ts'
import type { Reference } from './call-text.ts'
import { describeShape, number } from './describe-data.ts'
import { describeText, outlineText } from './describe-text.ts'
import type { ExploredPart, ExploredText, ParsedData } from './explored-text.ts'
import { valuesAt } from './filter.ts'
import { addToShape, emptyShape, foldMaps } from './shape.ts'
import type { TokenCounter } from './token-counter.ts'

export interface StructureArguments extends Reference {
  readonly path?: string | undefined
  readonly max_depth?: number | undefined
}

const DEFAULT_DEPTH = 4

/** Facts, then fields or landmarks, reduced until they fit. */
export function exploreStructure(
  parts: readonly ExploredPart[],
  args: StructureArguments,
  budget: number,
  tokens: TokenCounter,
): ExploreAnswer {
  const share = Math.floor(budget / parts.length)
  const texts = parts.map((part) => describePart(part, args, share, tokens))
  const next = nextStep(parts, args)
  return pageOf({
    body: texts.join('\n\n'),
    offset: 0,
    budget,
    tokens,
    trailer: (end) =>
      end < texts.join('\n\n').length
        ? `[Cut. "path" or a smaller "max_depth" makes it shorter. ${next}]`
        : `[${next}]`,
  })
}

const TRAILER_ROOM = 60

function describePart(
  part: ExploredPart,
  args: StructureArguments,
  budget: number,
  tokens: TokenCounter,
): string {
  const { source } = part
  const whole = tokens.measure(source.text)
  const facts = `${nameOf(part)}: ${source.data?.format ?? source.kind}, ${number(source.byteCount)} bytes, ${number(source.lineCount)} lines, ~${number(whole)} tokens`
  const depth = args.max_depth ?? DEFAULT_DEPTH
  const variants = source.data
    ? outlines(source.data, args.path, depth, whole / Math.max(1, source.text.length))
    : textOutlines(source, args.path)
  let last = facts
  for (const outline of variants) {
    last = `${facts}\n${outline}`
    if (tokens.count(last) <= budget - TRAILER_ROOM) return last
  }
  return last
}

function nextStep(parts: readonly ExploredPart[], args: StructureArguments): string {
  const [first, second] = parts
  if (!first) return 'There is no text in it.'
  const from = referenceTo(first, args)
  if (second) return `Next: ${callText('proxy_explore', referenceTo(second, args))} for one part alone`
  return first.source.data
    ? `Next: ${callText('proxy_filter', { ...from, fields: ['…'] })}`
    : `Next: ${callText('proxy_search', { ...from, pattern: '…' })} or ${callText('proxy_read', { ...from, offset: 0 })}`
}

function* outlines(
  data: ParsedData,
  path: string | undefined,
  depth: number,
  tokensPerCharacter: number,
): Iterable<string> {
  const shape = emptyShape()
  for (const each of path === undefined ? [data.value] : valuesAt(data, path)) addToShape(shape, each)
  foldMaps(shape)
  const details = [
    { maxDepth: depth, samples: 3, maxFields: 60 },
    { maxDepth: depth, samples: 1, maxFields: 25 },
  ]
  for (let maxDepth = depth - 1; maxDepth >= 1; maxDepth--)
    details.push({ maxDepth, samples: 1, maxFields: 25 })
  for (const detail of details) yield describeShape(shape, { ...detail, tokensPerCharacter })
}

function* textOutlines(source: ExploredText, path: string | undefined): Iterable<string> {
  if (path !== undefined) {
    throw new SluiceError(
      'BAD_INPUT',
      `"path" is for JSON and tables; this is ${source.kind}. Leave it out, or use proxy_search.`,
    )
  }
  const outline = outlineText(source.lines(), source.lineCount, source.kind)
  for (const most of [40, 20, 10, 5, 2]) yield describeText(outline, most)
}
