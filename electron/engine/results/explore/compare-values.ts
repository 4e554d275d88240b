import { JSONPathNodeList, jsonpath } from 'json-p3'
import { numberSourceOf } from '../../text/tree/json-values.ts'

type Comparison = InstanceType<typeof jsonpath.expressions.InfixExpression>
type Context = Parameters<Comparison['evaluate']>[0]

/** As JSONPath, but integers by all digits; with `areCells` numeric text counts as a number beside one. */
export function compareExactly(comparison: Comparison, context: Context, areCells: boolean): boolean {
  const { operator } = comparison
  const [left, right] = [valueOf(comparison.left, context), valueOf(comparison.right, context)]
  const [a, b] = [
    left.number ?? (areCells && right.number !== undefined ? numberIn(left.value) : undefined),
    right.number ?? (areCells && left.number !== undefined ? numberIn(right.value) : undefined),
  ]
  if (a === undefined || b === undefined)
    return jsonpath.expressions.compare(left.value, operator, right.value)
  const areWhole = WHOLE.test(a) && WHOLE.test(b)
  return areWhole
    ? jsonpath.expressions.compare(order(BigInt(a), BigInt(b)), operator, 0)
    : jsonpath.expressions.compare(Number(a), operator, Number(b))
}

const WHOLE = /^-?\d{1,1000}$/
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** `number`: its source text if numeric. */
function valueOf(
  expression: Comparison['left'],
  context: Context,
): { value: unknown; number: string | undefined } {
  if (expression instanceof jsonpath.expressions.NumberLiteral)
    return { value: expression.value, number: expression.token.value }
  const found = expression.evaluate(context)
  const value: unknown =
    found instanceof JSONPathNodeList && found.length === 1 ? found.nodes[0]?.value : found
  return { value, number: numberSourceOf(value) }
}

const numberIn = (value: unknown): string | undefined =>
  typeof value === 'string' && NUMBER.test(value.trim()) ? value.trim() : undefined
