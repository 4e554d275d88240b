import { describe, expect, it } from 'vitest'
import { crossInTurns } from '../../../electron/engine/work/crossing.ts'
import { TextMover } from '../../../electron/engine/work/moved-texts.ts'
import { parseExact, stringifyExact } from '../../../electron/engine/protocol/exact-json.ts'
import { assemble, hasManyValues, portionsOf } from '../../../electron/engine/protocol/json-portions.ts'
import { stringifyInPieces } from '../../../electron/engine/protocol/stringify-in-pieces.ts'
import { atOnce } from '../../../electron/engine/ground/steps.ts'

const MANY = 20_000
const list = (make: (at: number) => string): string =>
  `[${Array.from({ length: MANY }, (_, at) => make(at)).join(',')}]`
const object = (make: (at: number) => string): string =>
  `{${Array.from({ length: MANY }, (_, at) => make(at)).join(',')}}`

/** As JSON, since JavaScript would write some of it differently. */
const shapes: readonly (readonly [string, string])[] = [
  ['blocks', `{"content":${list((at) => `{"type":"text","text":"x${at}"}`)},"isError":false}`],
  [
    'numbers as JavaScript does not write them',
    list((at) => (at % 2 ? `${at}.0` : `90071992547${100_000 + at}`)),
  ],
  ['noted values deep inside', list((at) => `{"a":[{"b":${at}.50}],"c":"\\u0041\\/"}`)],
  ['infinity and minus zero', list((at) => (at % 2 ? '1e400' : '-0'))],
  ['keys in another order than JavaScript has them', object((at) => `"${MANY - at}":${at}`)],
  ['such keys in small objects', list((at) => `{"b":1,"2":2,"1":${at}}`)],
  [
    'keys that are special',
    `[${object((at) => (at === 9 ? '"__proto__":{"x":1}' : `"k${at}":[]`))},{"toJSON":1}]`,
  ],
  [
    'lists in lists',
    list((at) => (at % 300 === 0 ? `[${list((n) => String(n)).slice(0, 9_000)}0]]` : '[[]]')),
  ],
  [
    'long texts among many values',
    `[${list(() => '"short"')},"${'é\\n"'.replace('"', '').repeat(200_000)}"]`,
  ],
  ['halves of surrogate pairs', list((at) => `"\\ud83d${at}"`)],
]

describe('portions of a value', () => {
  it.each(shapes)('make the same JSON and the same value: %s', (_, json) => {
    const value = parseExact(json)
    const written = stringifyExact(value)
    expect(hasManyValues(value)).toBe(true)
    expect([...stringifyInPieces(value, { size: 100_000 })].join('') === written).toBe(true)
    const there = atOnce(assemble(structuredClone([...portionsOf(value)])))
    expect(JSON.stringify(there) === JSON.stringify(value)).toBe(true)
    expect(stringifyExact(there) === written).toBe(true)
  })

  it.each(shapes)('are small, so that others have their turns between them: %s', (_, json) => {
    const portions = [...portionsOf(parseExact(json))]
    expect(portions.length).toBeGreaterThan(MANY / 2_000)
    for (const portion of portions)
      if (portion.kind === 'some') expect(portion.json.split(',').length).toBeLessThanOrEqual(1_000)
  })

  it('leave out, or keep, what JSON has no words for', () => {
    const value = {
      a: undefined,
      list: Array.from({ length: MANY }, (_, at) => (at === 7 ? undefined : at)),
      bytes: new Uint8Array([1, 2]),
      date: new Date(0),
      numbers: [Number.NaN, -0],
    }
    expect([...stringifyInPieces(value)].join('')).toBe(JSON.stringify(value))
    expect(atOnce(assemble(structuredClone([...portionsOf(value)])))).toEqual(value)
  })

  it('are made in turns with others', async () => {
    const value = Array.from({ length: 500_000 }, (_, at) => ({ at }))
    let turns = 0
    let isDone = false
    const others = (): void => {
      turns++
      if (!isDone) setImmediate(others)
    }
    setImmediate(others)
    const { portions } = await crossInTurns(new TextMover(), value)
    isDone = true
    expect(turns).toBeGreaterThan(3)
    expect(portions?.length).toBeGreaterThan(500)
  })
})
