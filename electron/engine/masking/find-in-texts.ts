import type { CustomPattern, PersonalDataType } from '../../../shared/masking-policy.ts'
import { compilePatterns } from './custom-patterns.ts'
import { findByPattern, findByType } from './find-personal-data.ts'
import { KnownValues, SHORTEST_KNOWN, TOLD_BY_CONTEXT, type KnownValue } from './known-values.ts'
import { mergeFound } from './merge-found.ts'
import type { Span } from './personal-data.ts'
import { BUILT_IN_NAMES, findLookalikes } from './placeholders.ts'
import { leavesOf, type LabelledText, type Leaf } from './text-leaves.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    'find-personal-data': (input: FindInTextsInput) => Promise<Span[][]>
  }
}

/** Plain data for worker threads. */
export interface FindInTextsInput {
  readonly texts: readonly LabelledText[]
  readonly types: readonly PersonalDataType[]
  readonly customPatterns: Readonly<Record<string, CustomPattern>>
  /** In use besides the built-in ones. */
  readonly names: readonly string[]
  /** Recognised only by context. */
  readonly known: readonly KnownValue[]
}

/** Between leaves in the searched text; no pattern spans it. */
const SEPARATOR = '\n\0\n'
/** Keys that are context for values without digits. Values with digits are searched with their key in any language. */
const TELLING =
  /phone|tel|mobile|cell|fax|call|contact|birth|dob|born|passport|licen[cs]e|driver|dl|ssn|itin|social|card|pan|key|secret|token|pass|pwd|auth|cred|signature|cookie|page|cursor|version|name|address|street/i

const HAS_DIGIT = /\d/

/** In offsets of each text. In JSON only strings are searched, with keys as context; `value` is unescaped. */
export function findInTexts(input: FindInTextsInput): Span[][] {
  const leaves = input.texts.map(leavesOf)
  const found = findInLeaves(leaves.flat(), input)
  let next = 0
  return leaves.map((own) =>
    own.flatMap((leaf) =>
      (found[next++] ?? []).map((span) => ({
        ...span,
        start: leaf.toSource(span.start),
        end: leaf.toSource(span.end),
      })),
    ),
  )
}

function findInLeaves(leaves: readonly Leaf[], input: FindInTextsInput): Span[][] {
  const patterns = compilePatterns(input.customPatterns)
  const names = input.names.length > 0 ? new Set([...BUILT_IN_NAMES, ...input.names]) : BUILT_IN_NAMES
  const byType = findTogether(leaves, input.types)
  const found =
    patterns.length === 0
      ? byType
      : byType.map((spans, index) => mergeFound(findByPattern(leaves[index]?.text ?? '', patterns), spans))
  const known = knownIn(found, input.known)
  return found.map((spans, index) => {
    const text = leaves[index]?.text ?? ''
    const again = known ? mergeFound(spans, known.find(text)) : spans
    return /\[|%5b/i.test(text) ? mergeFound(again, findLookalikes(text, names)) : again
  })
}

function knownIn(
  found: readonly (readonly Span[])[],
  before: readonly KnownValue[],
): KnownValues | undefined {
  let known: KnownValues | undefined
  const add = (value: KnownValue): void => (known ??= new KnownValues()).add(value)
  for (const value of before) add(value)
  for (const spans of found) {
    for (const span of spans) {
      if (TOLD_BY_CONTEXT.has(span.type) && span.value.length >= SHORTEST_KNOWN) add(span)
    }
  }
  return known
}

/** Separate searches cost more. */
function findTogether(leaves: readonly Leaf[], types: readonly PersonalDataType[]): Span[][] {
  const found: Span[][] = leaves.map(() => [])
  const starts: number[] = []
  let joined = ''
  for (const { text, label } of leaves) {
    const words =
      label !== undefined && (HAS_DIGIT.test(text) || TELLING.test(label)) ? `${asWords(label)}: ` : ''
    starts.push(joined.length + words.length)
    joined += words + text + SEPARATOR
  }
  let index = 0
  for (const span of findByType(joined, types)) {
    while (index + 1 < starts.length && (starts[index + 1] ?? 0) <= span.start) index++
    const leaf = leaves[index]
    const start = span.start - (starts[index] ?? 0)
    if (!leaf || start < 0 || start >= leaf.text.length) continue
    found[index]?.push(clipped(span, start, leaf.text))
  }
  return found
}

function clipped({ type, start, end }: Span, at: number, text: string): Span {
  // A secret with its own key may contain any character except white space.
  const isWhole = type === 'api_key' && at === 0 && !/\s/.test(text)
  const to = isWhole ? text.length : Math.min(at + end - start, text.length)
  return { type, start: at, end: to, value: text.slice(at, to) }
}

const asWords = (key: string): string =>
  key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll(/[_.-]+/g, ' ')
