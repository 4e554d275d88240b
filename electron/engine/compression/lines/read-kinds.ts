import { readBlocks, readParents, type Nesting } from './blocks.ts'
import { levelOf } from './levels.ts'
import { readJsonLines, type JsonLines } from './json-members.ts'
import { learnPrefixes, type Prefixes } from './learn-prefix.ts'
import type { LineKind } from './line-kind.ts'
import { hashMasked, hashText } from './mask-line.ts'
import { mergeKinds } from './merge-kinds.ts'
import { leadingLevel, severityOf } from './severity.ts'
import { FieldSplitter } from './split-fields.ts'
import { readTextLines, sampleLines, type TextLines } from './text-lines.ts'

export interface ReadKinds {
  readonly lines: TextLines
  readonly prefixes: Prefixes
  readonly json: JsonLines | undefined
  /** In order of first occurrence. */
  readonly kinds: readonly LineKind[]
  kindOf(line: number): number
  /** Group of prefixes, -1 for none. */
  groupOf(line: number): number
  /** Where the message starts, behind the prefix. */
  bodyStart(line: number): number
  severity(line: number): number
  /** The line it continues; itself for most. */
  headOf(line: number): number
  /** The nearest line above that is indented less, as a whole or behind the prefix; -1 for none, and in text with times. */
  parentOf(line: number): number
  readonly isTimed: boolean
  /** As the lines are written, with their prefixes. */
  readonly nesting: Nesting
}

/** Bounds memory; later lines are distinguished by their first words only. */
const MAX_KINDS = 20_000
const COARSE_LENGTH = 24
const MESSAGE = 600

/** Messages of a kind that are told apart. */
const MOST_TEXTS = 8

interface Mined extends Pick<LineKind, 'first' | 'isContinuation'> {
  last: number
  count: number
  isVaried: boolean
  readonly samples: number[]
  /** Hashes of different messages. */
  readonly texts: number[]
}

/** Prefix, level, kind, block and severity of every line; one pass with a few numbers a line, then one over kinds. */
export function readKinds(source: string): ReadKinds {
  const lines = readTextLines(source)
  const { text, count } = lines
  const json = readJsonLines(lines)
  const prefixes = learnPrefixes(lines)
  const splitter = new FieldSplitter(prefixes.isTabbed)
  const bodyStart = new Uint32Array(count)
  const group = new Int16Array(count).fill(-1)
  const level = new Int8Array(count).fill(-1)
  const jsonHash = new Float64Array(json === undefined ? 0 : count)
  const levelColumns = prefixes.groups.map((columns) => columns.findIndex(({ role }) => role === 'level'))
  let timed = 0
  for (let line = 0; line < count; line++) {
    const start = lines.start(line)
    const end = lines.end(line)
    bodyStart[line] = start
    let stated: number | undefined
    if (json?.isObject(line) === true) {
      const looked = json.look(line)
      stated = looked.level
      jsonHash[line] = looked.hash
    } else {
      const own = prefixes.groupOf(line, splitter)
      if (own >= 0) {
        group[line] = own
        const last = splitter.ends[(prefixes.groups[own]?.length ?? 1) - 1] ?? start
        bodyStart[line] = last < end && isParting(text.charCodeAt(last)) ? last + 1 : last
        const column = levelColumns[own] ?? -1
        if (column >= 0) stated = levelOf(text.slice(splitter.starts[column], splitter.ends[column]))
        if (prefixes.groups[own]?.some(({ role }) => role === 'time') === true) timed++
      }
      if (stated === undefined) {
        const from = bodyStart[line] ?? start
        stated = leadingLevel(text.slice(from, Math.min(end, from + 40)))
        if (own < 0 && stated === 0) stated = undefined
      }
    }
    if (stated !== undefined) level[line] = stated
  }
  const isTimed = timed > count / 2
  const heads = readBlocks(lines, bodyStart, group, isTimed)
  const nesting = readParents(lines, (line) =>
    json?.isObject(line) === true ? undefined : lines.start(line),
  )
  const ofBodies = isTimed ? undefined : readParents(lines, (line) => bodyStart[line]).parents
  const hash = (line: number, seed: number, longest: number): number => {
    const start = bodyStart[line] ?? 0
    if (json === undefined || !json.isObject(line))
      return hashMasked(text, start, Math.min(lines.end(line), start + longest), seed)
    return (jsonHash[line] ?? 0) + (seed & 0xff)
  }

  const rawKind = new Uint32Array(count)
  const byHash = new Map<number, number>()
  const mined: Mined[] = []
  for (let line = 0; line < count; line++) {
    const isContinuation = heads[line] !== line
    const seed = ((level[line] ?? -1) + 1) * 2 + (isContinuation ? 1 : 0)
    let key = hash(line, seed, Number.POSITIVE_INFINITY)
    let kind = byHash.get(key)
    if (kind === undefined && byHash.size >= MAX_KINDS) {
      key = hash(line, ~seed, COARSE_LENGTH)
      kind = byHash.get(key) ?? (byHash.size >= 2 * MAX_KINDS ? 0 : undefined)
    }
    if (kind === undefined) {
      kind = mined.length
      byHash.set(key, kind)
      mined.push({
        first: line,
        last: line,
        count: 0,
        isVaried: false,
        samples: [],
        isContinuation,
        texts: [],
      })
    }
    rawKind[line] = kind
    const own = mined[kind]
    if (own === undefined) continue
    own.last = line
    own.count++
    const textHash = hashText(text, bodyStart[line] ?? 0, lines.end(line))
    const isNew = own.texts.length < MOST_TEXTS && !own.texts.includes(textHash)
    if (isNew) own.texts.push(textHash)
    own.isVaried ||= own.texts.length > 1 || own.texts[0] !== textHash
    // Powers of two: few lines per kind, spread over the text.
    if (isNew || (own.count & (own.count - 1)) === 0) own.samples.push(line)
  }

  const message = (line: number): string => {
    const start = bodyStart[line] ?? 0
    if (json?.isObject(line) === true) return json.print(line, false, MESSAGE).slice(0, MESSAGE)
    return text.slice(start, Math.min(lines.end(line), start + MESSAGE))
  }
  const first = mined.map((own): LineKind => {
    const stated = level[own.first] ?? -1
    return {
      ...own,
      level: stated,
      severity: severityOf(message(own.first), stated < 0 ? undefined : stated),
    }
  })
  const { kinds, places } = mergeKinds(first, (kind) => message(first[kind]?.first ?? 0))
  return {
    lines,
    prefixes,
    json,
    kinds,
    kindOf: (line) => places[rawKind[line] ?? 0] ?? 0,
    groupOf: (line) => group[line] ?? -1,
    bodyStart: (line) => bodyStart[line] ?? 0,
    severity: (line) => first[rawKind[line] ?? 0]?.severity ?? 0,
    headOf: (line) => heads[line] ?? line,
    nesting,
    parentOf(line) {
      const parent = nesting.parents[line] ?? -1
      return isTimed ? -1 : parent < 0 ? (ofBodies?.[line] ?? -1) : parent
    },
    isTimed,
  }
}

export const linesByKind = (read: ReadKinds): ReadonlyMap<number, readonly number[]> =>
  Map.groupBy(sampleLines(read.lines.count, Infinity), (line) => read.kindOf(line))

const isParting = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 124
