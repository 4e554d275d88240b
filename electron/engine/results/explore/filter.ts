import type { JSONPathQuery, JSONValue } from 'json-p3'
import { SluiceError } from '../../ground/errors.ts'
import { nearest } from '../../ground/nearest.ts'
import { isRecord } from '../../text/tree/json-values.ts'
import type { ExploredText, ParsedData } from './explored-text.ts'
import { formatPath } from '../../text/tree/format-path.ts'
import { QUERY_SYNTAX, runQuery } from './query.ts'
import type { DeadEnd } from './query.ts'
import { renderJson } from './render-json.ts'
import { drop, emptySelection, keep, mark } from './selection.ts'
import type { Selection } from './selection.ts'
import { clip } from './token-counter.ts'

const EXAMPLE = 'Queries are JSONPath, like $.items[*].id.'

export interface FilterInput {
  readonly fields?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

/**
 * In source order and structure, with notes on what wasn't found: `fields` selects, then `exclude` removes. Throws
 * BAD_INPUT.
 */
export function filterData(
  { data, kind }: ExploredText,
  { fields = [], exclude = [] }: FilterInput,
): { body: string; notes: string[] } {
  if (fields.length + exclude.length === 0) {
    throw new SluiceError(
      'BAD_INPUT',
      `Say what to keep in "fields" or what to leave out in "exclude". ${QUERY_SYNTAX}`,
    )
  }
  if (!data) {
    const what = kind === 'table' ? 'a table whose columns are not clear' : kind
    throw new SluiceError(
      'BAD_INPUT',
      `proxy_filter works on JSON, JSON lines, tables, YAML, XML and settings; this result is ${what}. Use proxy_search to find lines or proxy_read to page.`,
    )
  }
  const notes: string[] = []
  const chosen = fields.length > 0 ? keep(data.value, selected(data, fields, notes)) : data.value
  const rest =
    exclude.length > 0 ? drop(chosen, selected({ ...data, value: chosen }, exclude, notes)) : chosen
  return { body: renderJson(rest), notes }
}

/** For proxy_explore. Throws BAD_INPUT if none. */
export function valuesAt({ value, format }: ParsedData, path: string): unknown[] {
  const { places, end } = runQuery(path, value, format === 'table')
  if (end) throw new SluiceError('BAD_INPUT', `${explain(path, end)} ${EXAMPLE}`)
  return places.map((place) => place.value)
}

/** Throws if no query matches. */
function selected({ value, format }: ParsedData, queries: readonly string[], notes: string[]): Selection {
  const selection = emptySelection()
  const problems: string[] = []
  let answered = 0
  for (const query of queries) {
    const { places, end } = runQuery(query, value, format === 'table')
    for (const { path } of places) mark(selection, path)
    if (end) problems.push(explain(query, end))
    // Not mistakes: an unmet condition, a slice beyond the end.
    if (!end || isAnswer(end)) answered++
  }
  if (answered === 0) throw new SluiceError('BAD_INPUT', `${problems.join(' ')} ${EXAMPLE}`)
  notes.push(...problems)
  return selection
}

function isAnswer({ step, at }: DeadEnd): boolean {
  const isList = at.some(({ value }) => Array.isArray(value))
  return (isList && step.type !== 'name') || at.every(({ value }) => isEmpty(value))
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0

function explain(query: string, { step, at }: DeadEnd): string {
  const [first] = at
  const named = JSON.stringify(clip(query, 80))
  if (!first) return `Nothing is at ${named}.`
  const place = formatPath(first.path, at.length > 1)
  const where = place === '' ? 'at the top' : `in ${clip(place, 80)}`
  const elements = at.flatMap(({ value }): readonly unknown[] => (Array.isArray(value) ? value : []))
  const isList = at.some(({ value }) => Array.isArray(value))
  if (step.type === 'filter' && isList)
    return `None of the ${elements.length} elements ${where} meets ${step.source}.${samples(elements, step.fields[0])}`
  if (step.type === 'index' && isList) return `${named} is outside the ${elements.length} elements ${where}.`
  if (step.type === 'index') return `${named}: there is no list ${where}. ${thereIs(first.value)}`
  if (step.type !== 'name') return `Nothing is at ${named}. ${thereIs(first.value)}`
  const hint = stepHint(step.name, place, isList ? elements : undefined)
  if (hint !== undefined) return hint
  const of = isList ? (elements.find(isRecord) ?? first.value) : (at.find(isField) ?? first).value
  return `No field ${JSON.stringify(step.name)} ${isList ? `in ${clip(`${place}[*]`, 80)}` : where}. ${thereIs(of, step.name)}`
}

/** Forms of other languages. */
function stepHint(name: string, place: string, list: readonly unknown[] | undefined): string | undefined {
  const shown = place === '' ? '$' : clip(place, 80)
  const [, inside] = /^\{(.+)\}$/.exec(name) ?? []
  if (inside !== undefined) {
    const names = inside.split(',').map((each) => JSON.stringify(each.replace(/^.*:/s, '').trim()))
    return `Write ${shown}${list ? '[*]' : ''}[${names.join(', ')}] for several fields.`
  }
  if (!list) return undefined
  const where = place === '' ? 'at the top' : `in ${shown}`
  if (/^\d+$/.test(name)) return `Write ${shown}[${name}] for an element of the list ${where}.`
  if (/^(?:length|count|size)(?:\(\))?$/.test(name)) return `There are ${list.length} elements ${where}.`
  return undefined
}

const isField = ({ value }: DeadEnd['at'][number]): boolean => isRecord(value)

/** Of a condition's field. */
function samples(list: readonly unknown[], field: JSONPathQuery | undefined): string {
  if (!field) return ''
  const found = new Set(
    list
      .slice(0, 1000)
      .flatMap((element) => field.query(element as JSONValue).values())
      .map((value) => clip(JSON.stringify(value) ?? '', 40)),
  )
  const name = field.toString().replace(/^\$\.?/, '')
  const some = [...found].slice(0, 5).join(', ')
  if (some === '') return ` None has ${name}.`
  return ` ${name === '' ? 'There' : name} is ${some}${found.size > 5 ? ', …' : ''}${name === '' ? '' : ' there'}.`
}

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
