import {
  FunctionExpressionType,
  JSONPathEnvironment,
  JSONPathError,
  JSONPathNode,
  JSONPathRecursionLimitError,
  jsonpath,
} from 'json-p3'
import type { FilterFunction, JSONPathQuery, JSONValue } from 'json-p3'
import { RE2JS } from 're2js'
import { SluiceError, messageOf } from '../../ground/errors.ts'
import { isRecord } from '../../text/tree/json-values.ts'
import type { JsonPath } from '../../text/tree/places.ts'
import { compareExactly } from './compare-values.ts'
import { suggestQuery } from './suggest-query.ts'
import { isBareCondition, toJsonPath, withoutTexts } from './write-json-path.ts'

export const QUERY_SYNTAX =
  'Queries are JSONPath (RFC 9535): $.user.name, $.items[0:10].id, $.items[?@.status == "open" && @.amount > 10], $.items[?search(@.name, "(?i)abc")], $..id, $["a.b"]. What JSONPath can\'t say is for proxy_run.'

export interface Found {
  readonly places: readonly { readonly value: unknown; readonly path: JsonPath }[]
  readonly end: DeadEnd | undefined
}

export interface DeadEnd {
  readonly step: Step
  readonly at: Found['places']
}

type Step =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'index' }
  /** `fields`: read of an element. */
  | { readonly type: 'filter'; readonly source: string; readonly fields: readonly JSONPathQuery[] }
  | { readonly type: 'other' }

type Segment = JSONPathQuery['segments'][number]
type Expression = InstanceType<typeof jsonpath.expressions.FilterExpression>

/** For `..`, whose time grows with the cube of the depth. */
const DEEPEST = 300
const { expressions, selectors } = jsonpath

/**
 * JSONPath's rules; if that finds nothing, a name on a list applies to its elements. `areCells`: texts compare with
 * numbers as numbers, because table cells are texts. Throws BAD_INPUT.
 */
export function runQuery(source: string, value: unknown, areCells: boolean): Found {
  const query = compile(source)
  eachExpression(query, (expression) => {
    if (expression instanceof expressions.InfixExpression && !expression.logical)
      expression.evaluate = (context) => compareExactly(expression, context, areCells)
    if (expression instanceof expressions.RootQuery) evaluateOnce(expression)
  })
  let nodes = [new JSONPathNode(value as JSONValue, [], value as JSONValue)]
  try {
    for (const segment of query.segments) {
      const next = resolve(segment, nodes)
      if (next.length === 0) return { places: [], end: { step: stepOf(segment), at: nodes.map(placeOf) } }
      nodes = next
    }
  } catch (error) {
    if (error instanceof JSONPathRecursionLimitError) throw new RangeError(error.message, { cause: error })
    throw error
  }
  return { places: nodes.map(placeOf), end: undefined }
}

/** Reads from the root are the same for each element. */
function evaluateOnce(expression: InstanceType<typeof expressions.RootQuery>): void {
  const evaluate = expression.evaluate.bind(expression)
  let found: ReturnType<typeof evaluate> | undefined
  expression.evaluate = (context) => (found ??= evaluate(context))
}

const placeOf = ({ value, location }: JSONPathNode) => ({ value: value as unknown, path: location })

/** The eager way passes a list's elements as arguments of one call. */
function resolve(segment: Segment, nodes: readonly JSONPathNode[]): JSONPathNode[] {
  const areNames = segment instanceof jsonpath.JSONPathSegment && segment.selectors.every(isName)
  for (let from = [...nodes]; ; from = from.flatMap(elementsOf)) {
    const found = atMost(segment.lazyResolve(from))
    if (found.length > 0 || !areNames || !from.some(({ value }) => Array.isArray(value))) return found
  }
}

/** Selectors like `[*,*,*]` multiply what they select. */
const MOST_NODES = 2_000_000

function atMost(nodes: Iterable<JSONPathNode>): JSONPathNode[] {
  const found: JSONPathNode[] = []
  for (const node of nodes)
    if (found.push(node) > MOST_NODES)
      throw new SluiceError(
        'LIMIT_REACHED',
        `This query selects more than ${MOST_NODES.toLocaleString('en')} values. Select fewer: name fields, or add a filter like [?@.status == "open"].`,
      )
  return found
}

const isName = (selector: unknown): boolean => selector instanceof selectors.NameSelector

const elementsOf = ({ value, location, root }: JSONPathNode): JSONPathNode[] =>
  Array.isArray(value) ? value.map((each, at) => new JSONPathNode(each, [...location, at], root)) : []

function stepOf({ selectors: all }: Segment): Step {
  const [first] = all
  if (first instanceof selectors.NameSelector) return { type: 'name', name: first.name }
  if (first instanceof selectors.IndexSelector || first instanceof selectors.SliceSelector)
    return { type: 'index' }
  if (!(first instanceof selectors.FilterSelector)) return { type: 'other' }
  const fields: JSONPathQuery[] = []
  walk(first.expression, (each) => {
    if (each instanceof expressions.RelativeQuery) fields.push(each.path)
  })
  return { type: 'filter', source: first.toString(), fields }
}

function eachExpression(query: JSONPathQuery, visit: (expression: Expression) => void): void {
  for (const segment of query.segments)
    for (const selector of segment.selectors)
      if (selector instanceof selectors.FilterSelector) walk(selector.expression, visit)
}

function walk(expression: Expression, visit: (expression: Expression) => void): void {
  visit(expression)
  if (expression instanceof expressions.InfixExpression) {
    walk(expression.left, visit)
    walk(expression.right, visit)
  } else if (expression instanceof expressions.PrefixExpression) walk(expression.right, visit)
  else if (expression instanceof expressions.LogicalExpression) walk(expression.expression, visit)
  else if (expression instanceof expressions.FunctionExtension)
    for (const each of expression.args) walk(each, visit)
  else if (expression instanceof expressions.FilterQuery) eachExpression(expression.path, visit)
}

/** Bounded expressions; a number with source text has no parts. */
class Environment extends JSONPathEnvironment {
  protected override setupFilterFunctions(): void {
    super.setupFilterFunctions()
    const compiled = new Map<string, RE2JS>()
    const withPattern = (test: (pattern: RE2JS, text: string) => boolean): FilterFunction => ({
      argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
      returnType: FunctionExpressionType.LogicalType,
      call: (text, source) => {
        if (typeof text !== 'string' || typeof source !== 'string') return false
        const pattern = compiled.get(source) ?? compilePattern(source)
        compiled.set(source, pattern)
        return test(pattern, text)
      },
    })
    this.functionRegister.set(
      'search',
      withPattern((pattern, text) => pattern.test(text)),
    )
    this.functionRegister.set(
      'match',
      withPattern((pattern, text) => pattern.testExact(text)),
    )
  }

  override entries(record: Record<string, JSONValue>): [string, JSONValue][] {
    return isRecord(record) ? super.entries(record) : []
  }
}

function compilePattern(source: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    throw badQuery(`The regular expression ${JSON.stringify(source)} is not valid (${messageOf(error)})`)
  }
}

function compile(source: string): JSONPathQuery {
  const shown = JSON.stringify(source.slice(0, 200))
  if (source.trim() === '') throw badQuery('The query is empty. $ is everything')
  const instead = (): string => suggestQuery(source, isQuery)
  if (/[^|]\|[^|]/.test(withoutTexts(source)))
    throw badQuery(`The query ${shown} is not valid: there is no "|" in JSONPath.${instead()}`)
  if (isBareCondition(source)) throw badQuery(`${shown} is a condition without a list.${instead()}`)
  try {
    return parse(toJsonPath(source))
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error
    throw badQuery(`The query ${shown} is not valid: ${error.message}.${instead()}`)
  }
}

const parse = (query: string): JSONPathQuery => new Environment({ maxRecursionDepth: DEEPEST }).compile(query)

function isQuery(query: string): boolean {
  try {
    parse(query)
    return true
  } catch {
    return false
  }
}

const badQuery = (what: string): SluiceError =>
  new SluiceError('BAD_INPUT', `${what.replace(/\.?$/, '.')} ${QUERY_SYNTAX}`)
