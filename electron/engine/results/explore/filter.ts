import { SluiceError } from '../../ground/errors.ts'
import { nearest } from '../../ground/nearest.ts'
import { CONDITION_SYNTAX, parseCondition, valuesAt } from './condition.ts'
import type { ExploredText } from './explored-text.ts'
import { isRecord } from './parse-data.ts'
import { PATH_SYNTAX, isBareCondition, parsePath } from './path.ts'
import { renderJson } from './render-json.ts'
import { drop, emptySelection, keep, select } from './selection.ts'
import type { DeadEnd } from './selection.ts'
import { clip } from './token-counter.ts'
import { whereElements } from './where.ts'

export interface FilterInput {
  readonly fields?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/**
 * The parts of JSON, JSON lines or a table that are asked for, as JSON text, and notes on what was not found. First the
 * bare conditions pick elements, then `fields` pick parts, then `exclude` takes parts away. Throws BAD_INPUT.
 */
export function filterData(
  { data, kind }: ExploredText,
  input: FilterInput,
): { body: string; notes: string[] } {
  const fields = input.fields ?? []
  const exclude = input.exclude ?? []
  if (fields.length + exclude.length === 0) {
    throw new SluiceError(
      'BAD_INPUT',
      `Say what to keep in "fields" or what to leave out in "exclude". ${PATH_SYNTAX}`,
    )
  }
  if (!data) {
    throw new SluiceError(
      'BAD_INPUT',
      `proxy_filter works on JSON, JSON lines and tables; this result is ${kind}. Use proxy_search to find lines or proxy_read to page.`,
    )
  }
  const notes: string[] = []
  let value = data.value
  for (const [entries, keepMatching] of [
    [fields, true],
    [exclude, false],
  ] as const) {
    for (const entry of entries.filter(isBareCondition))
      value = applyCondition(value, entry, keepMatching, notes)
  }
  const kept = fields.filter((entry) => !isBareCondition(entry))
  if (kept.length > 0) {
    const selection = mark(value, kept, notes)
    value = keep(value, selection)
  }
  const dropped = exclude.filter((entry) => !isBareCondition(entry))
  if (dropped.length > 0) value = drop(value, mark(value, dropped, notes))
  return { body: renderJson(value), notes }
}

function applyCondition(value: unknown, source: string, keepMatching: boolean, notes: string[]): unknown {
  const condition = parseCondition(source)
  const found = whereElements(value, condition, keepMatching)
  if (found.lists === 0) {
    const names = condition.fields.map((keys) => keys.join('.')).join(', ')
    throw new SluiceError(
      'BAD_INPUT',
      `No list has elements with ${names || 'a field'} of the condition ${JSON.stringify(source)}. ${thereIs(value)} ${CONDITION_SYNTAX}`,
    )
  }
  notes.push(`${found.matched} of ${found.of} elements meet ${source}.`)
  return found.value
}

/** All paths marked in one selection. Throws when none of them leads anywhere. */
function mark(value: unknown, paths: readonly string[], notes: string[]): ReturnType<typeof emptySelection> {
  const selection = emptySelection()
  const problems: string[] = []
  let reached = 0
  for (const path of paths) {
    let end: DeadEnd | undefined
    const found = select(value, parsePath(path), selection, (deadEnd) => {
      if (!end || deadEnd.depth > end.depth) end = deadEnd
    })
    reached += found
    // A condition that nothing meets and a slice behind the end are answers, not mistakes.
    if (found > 0 || isEmptyList(value)) continue
    if (end?.kind === 'condition' || end?.kind === 'index') reached++
    problems.push(explain(path, end))
  }
  if (reached === 0 && problems.length > 0)
    throw new SluiceError('BAD_INPUT', `${problems.join(' ')} ${PATH_SYNTAX}`)
  notes.push(...problems)
  return selection
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function explain(path: string, end: DeadEnd | undefined): string {
  const named = JSON.stringify(clip(path, 80))
  if (!end) return `Nothing is at ${named}.`
  const where = end.place === '' ? 'at the top' : `in ${clip(end.place, 80)}`
  const { segment, value } = end
  if (end.kind === 'condition' && segment.type === 'where' && Array.isArray(value)) {
    return `None of the ${value.length} elements ${where} meets ${segment.condition.source}.${samples(value, segment.condition.fields[0])}`
  }
  if (end.kind === 'index' && Array.isArray(value))
    return `${named} is outside the ${value.length} elements ${where}.`
  if (end.kind === 'not a list') return `${named}: there is no list ${where}. ${thereIs(value)}`
  return `No field ${segment.type === 'field' ? JSON.stringify(segment.name) : named} ${where}. ${thereIs(value, segment.type === 'field' ? segment.name : undefined)}`
}

/** Some of the values that a condition's field does have. */
function samples(list: readonly unknown[], keys: readonly string[] | undefined): string {
  if (!keys) return ''
  const found = new Set(
    list
      .slice(0, 1000)
      .flatMap((element) => valuesAt(element, keys))
      .map((value) => clip(JSON.stringify(value) ?? '', 40)),
  )
  const some = [...found].slice(0, 5).join(', ')
  return some === ''
    ? ` None has ${keys.join('.')}.`
    : ` ${keys.join('.')} is ${some}${found.size > 5 ? ', …' : ''} there.`
}

/** What a value offers to a path, in words. */
function thereIs(value: unknown, wanted?: string): string {
  if (Array.isArray(value)) {
    const first: unknown = value.find(isRecord)
    return `There is a list of ${value.length}${first === undefined ? '' : `; its elements have: ${names(first)}`}.`
  }
  if (!isRecord(value)) return `There is ${clip(JSON.stringify(value) ?? 'nothing', 40)}.`
  const close = wanted === undefined ? undefined : nearest(wanted, Object.keys(value))
  return `${close === undefined ? '' : `Did you mean ${JSON.stringify(close)}? `}Fields there: ${names(value)}.`
}

function names(value: unknown): string {
  const all = isRecord(value) ? Object.keys(value) : []
  const shown = all
    .slice(0, 12)
    .map((name) => (/^[^\s,"]+$/.test(name) ? clip(name, 40) : JSON.stringify(clip(name, 40))))
  return shown.join(', ') + (all.length > shown.length ? `, and ${all.length - shown.length} more` : '')
}
