import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { firstTokens } from '../../../electron/engine/text/tokens/first-tokens.ts'
import type { Shortener } from '../../../electron/engine/replay/shortener.ts'
import { bestLines } from '../line-bm25.ts'

const formOf = (text: string) => ({ text, tokens: countTokens(text) })

/** Simple ways, at the budget that Sluice has. */
export const truncation: Shortener = {
  name: 'truncation',
  shorten: ({ text, budget }) => formOf(firstTokens(text, budget)),
}

export const lineBm25: Shortener = {
  name: 'line BM25',
  shorten: ({ text, goal, budget }) => formOf(bestLines(text, goal, budget)),
}

/** What both rivals do to a log: the same line, but for times, ids, numbers and paths, once with its count. */
const mould = (line: string): string =>
  line
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*/g, '<time>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '<uuid>')
    .replaceAll(/\b0x[0-9a-f]+\b/gi, '<hex>')
    .replaceAll(/\d{4,}/g, '<n>')
    .replaceAll(/(?:\/[\w.-]+){2,}/g, '<path>')

function onceEach(lines: readonly string[]): string[] {
  const counts = new Map<string, { line: string; count: number }>()
  for (const line of lines) {
    const key = mould(line)
    const known = counts.get(key)
    if (known) known.count++
    else counts.set(key, { line, count: 1 })
  }
  return [...counts.values()].map(({ line, count }) => (count === 1 ? line : `${line} (×${count})`))
}

const typesOf = (value: unknown, depth = 0): unknown => {
  if (Array.isArray(value))
    return value.length === 0 ? [] : [typesOf(value[0], depth + 1), `… ${value.length}`]
  if (typeof value !== 'object' || value === null) return typeof value
  if (depth > 5) return '{…}'
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typesOf(item, depth + 1)]))
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const FAILURE = /\b(?:fail(?:ed|ure|s)?|error|panic|exception|fatal)\b/i
const TEST_RUN = /\b(?:\d+ (?:passed|failed|passing|failing)|test result:|Tests?:|PASS|FAIL|ok \d+)\b/
const CODE =
  /^\s*(?:export |public |private |async |static )*(?:function|class|def|fn|func|impl|interface)\b/m

/** rtk, rules as published (MIT): by the kind of output, without a goal. */
export const rtkRules: Shortener = {
  name: 'rules of rtk',
  shorten: ({ text }) => {
    const json = jsonOf(text)
    if (json !== undefined) return formOf(JSON.stringify(typesOf(json), null, 1))
    const lines = text.split('\n')
    if (TEST_RUN.test(text)) {
      const kept = lines.filter((line) => FAILURE.test(line) || TEST_RUN.test(line))
      if (kept.length > 0) return formOf(kept.join('\n'))
    }
    if (CODE.test(text)) return formOf(withoutBodies(lines))
    return formOf(onceEach(lines).join('\n'))
  },
}

/** Only what is outside the second level of braces or indentation. */
function withoutBodies(lines: readonly string[]): string {
  let depth = 0
  const kept: string[] = []
  for (const line of lines) {
    if (depth < 2 && !/^\s{8,}/.test(line)) kept.push(line)
    for (const sign of line) depth += sign === '{' ? 1 : sign === '}' ? -1 : 0
    depth = Math.max(0, depth)
  }
  return kept.join('\n')
}

const LEVELS = { error: /\b(?:error|fatal|critical|exception)\b/i, warning: /\bwarn(?:ing)?\b/i }
const HEADROOM = { start: 0.3, end: 0.15, items: 15, errors: 10, warnings: 5, lines: 100, around: 3 }

/** headroom, rules as published (Apache-2.0): items of lists by place, errors and outliers; logs by their levels. */
export const headroomRules: Shortener = {
  name: 'rules of headroom',
  shorten: ({ text }) => {
    const json = jsonOf(text)
    if (json !== undefined) return formOf(JSON.stringify(fewerItems(json)))
    const lines = text.split('\n')
    const chosen = new Set<number>()
    const near = (index: number): void => {
      for (let at = index - HEADROOM.around; at <= index + HEADROOM.around; at++)
        if (at >= 0 && at < lines.length) chosen.add(at)
    }
    const matching = (pattern: RegExp, most: number): void =>
      lines
        .flatMap((line, index) => (pattern.test(line) ? [index] : []))
        .slice(0, most)
        .forEach(near)
    matching(LEVELS.error, HEADROOM.errors)
    matching(LEVELS.warning, HEADROOM.warnings)
    for (let at = 0; chosen.size < HEADROOM.lines && at < lines.length * HEADROOM.start; at++) chosen.add(at)
    for (
      let at = lines.length - 1;
      chosen.size < HEADROOM.lines && at > lines.length * (1 - HEADROOM.end);
      at--
    )
      chosen.add(at)
    return formOf(lines.filter((_, index) => chosen.has(index)).join('\n'))
  },
}

function fewerItems(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length < 5) return value.map(fewerItems)
    const first = Math.ceil(Math.min(HEADROOM.items, value.length) * HEADROOM.start * 2)
    const last = Math.ceil(Math.min(HEADROOM.items, value.length) * HEADROOM.end * 2)
    const chosen = value.filter(
      (item, index) =>
        index < first || index >= value.length - last || LEVELS.error.test(JSON.stringify(item) ?? ''),
    )
    return chosen.slice(0, HEADROOM.items).map(fewerItems)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fewerItems(item)]))
}
