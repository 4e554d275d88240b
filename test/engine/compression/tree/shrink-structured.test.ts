import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { shrinkStructured } from '../../../../electron/engine/compression/tree/shrink-structured.ts'
import { countTokens } from '../../../../electron/engine/text/tokens/count-tokens.ts'

const Order = z.object({
  id: z.string().regex(/^W\d+$/),
  status: z.enum(['open', 'closed']),
  placed: z.iso.datetime(),
  total: z.number(),
  note: z.string().optional(),
  gift: z.boolean().optional(),
  lines: z.array(z.object({ name: z.string(), count: z.int() })),
})
const Answer = z.object({ orders: z.array(Order), count: z.int(), next: z.string().nullable() })

const value = {
  count: 200,
  next: null,
  orders: Array.from({ length: 200 }, (_, i) => ({
    id: `W${1000 + i}`,
    status: i === 131 ? 'closed' : 'open',
    placed: '2026-01-02T03:04:05.000Z',
    total: i * 1.5,
    note: `Leave it at the ${i === 44 ? 'lighthouse' : 'door'}. `.repeat(12),
    gift: false,
    lines: [{ name: 'lamp', count: 1 }],
  })),
}
const isValid = (schema: z.ZodType) => (candidate: unknown) => schema.safeParse(candidate).success
const shrunk = (
  whole: Record<string, unknown>,
  { goal, budget, schema = z.unknown() }: { goal?: string; budget: number; schema?: z.ZodType },
) => {
  const done = shrinkStructured({
    json: JSON.stringify(whole),
    goal,
    budget,
    isValid: isValid(schema),
    resultId: 'r_7f3a9c',
  })
  return done && { ...done, value: JSON.parse(done.json) as Record<string, unknown> }
}
const shrink = (goal: string | undefined, budget: number, schema: z.ZodType = Answer) =>
  shrunk(value, { ...(goal === undefined ? {} : { goal }), budget, schema })?.value

describe('shrinkStructured', () => {
  test.each([60, 120, 400, 1500])('stays valid and within %i tokens', (budget) => {
    for (const goal of [undefined, 'note of the lighthouse order']) {
      const shorter = shrink(goal, budget)
      expect(Answer.safeParse(shorter).success).toBe(true)
      expect(countTokens(JSON.stringify(shorter))).toBeLessThanOrEqual(budget)
    }
  })

  test('keeps what fits the goal', () => {
    const { orders } = Answer.parse(shrink('order that goes to the lighthouse', 400))
    expect(orders.map(({ id }) => id)).toContain('W1044')
    expect(orders.find(({ id }) => id === 'W1044')?.note).toContain('lighthouse')
  })

  test('keeps the elements in their order and the fields as they are', () => {
    const { orders } = Answer.parse(shrink(undefined, 1500))
    expect(orders.length).toBeGreaterThan(5)
    const ids = orders.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort())
    expect(orders[0]?.placed).toBe('2026-01-02T03:04:05.000Z')
  })

  test('uses the room there is', () => {
    expect(countTokens(JSON.stringify(shrink(undefined, 1000)))).toBeGreaterThan(600)
  })

  test('strings that the schema pins are left alone', () => {
    const schema = z.object({ token: z.string().length(300), text: z.string() })
    const long = { token: 'x7'.repeat(150), text: 'The harbour is old. '.repeat(100) }
    const shorter = shrunk(long, { budget: 400, schema })?.value
    expect(shorter).toMatchObject({ token: long.token })
    expect(String(shorter?.['text']).length).toBeLessThan(long.text.length)
  })

  test('gives what fits back unchanged', () => {
    expect(shrunk({ a: 1 }, { budget: 50 })).toEqual({ json: '{"a":1}', value: { a: 1 }, said: undefined })
  })

  test('gives nothing when the schema allows nothing shorter', () => {
    expect(shrink(undefined, 100, z.object({ orders: z.array(Order).length(200) }))).toBeUndefined()
    expect(shrink(undefined, 1)).toBeUndefined()
    expect(shrunk(value, { budget: 100, schema: z.never() })).toBeUndefined()
  })

  test('a mark says what was cut and where all of it is, if the schema and the budget have room for one', () => {
    const marked = shrunk(value, { budget: 400 })
    const [mark = ''] = Object.keys(marked?.value ?? {})
    expect(marked?.value[mark]).toMatch(/^Shortened\. All of it: result r_7f3a9c\. /)
    expect(Object.keys(shrunk(value, { budget: 150 })?.value ?? {})).not.toContain(mark)
    const schema = z.strictObject({ ...Answer.shape, [mark]: z.string() })
    expect(shrunk({ ...value, [mark]: 'of the server' }, { budget: 400, schema })).toBeUndefined()
  })

  test('what is too deep to be built is left whole', () => {
    let deep: unknown = 'The harbour is old. '.repeat(400)
    for (let level = 0; level < 250; level++) deep = { a: deep }
    expect(shrunk({ deep }, { budget: 900 })).toBeUndefined()
  })

  test('lists that need a number of elements keep it', () => {
    const schema = Answer.extend({ orders: z.array(Order).min(3) })
    expect(Answer.parse(shrink(undefined, 300, schema)).orders.length).toBeGreaterThanOrEqual(3)
  })

  test('whatever comes in, what comes out is valid and fits', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 }),
        fc.integer({ min: 1, max: 60 }),
        (any, budget) => {
          const plain: unknown = JSON.parse(JSON.stringify(any))
          const done = shrinkStructured({
            json: JSON.stringify(plain),
            goal: 'a b c',
            budget,
            isValid: (candidate) => Object.keys(any).every((key) => Object.hasOwn(candidate, key)),
          })
          if (done === undefined) return
          const shorter = JSON.parse(done.json) as Record<string, unknown>
          expect(countTokens(done.json)).toBeLessThanOrEqual(budget)
          expect(Object.keys(shorter).sort()).toEqual(Object.keys(any).sort())
        },
      ),
      { numRuns: 200 },
    )
  })
})
