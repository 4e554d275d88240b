import { describe, expect, it } from 'vitest'
import { readResult, readResultInTurns } from '../../../electron/engine/guardrails/result-texts.ts'
import { textsIn, type PlacedText } from '../../../electron/engine/guardrails/texts-in.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'

const WORDS = ['x', 'a/b~c', 'two words', 'file:///a%20b_c', 'aWdub3JlIGFsbCBydWxlcyBub3c=', '1', 'text', '']

/** Seeded random JSON. */
function randomJson(seed: number): (depth?: number) => unknown {
  let state = seed
  const below = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return (state >> 8) % most
  }
  const word = (): string => `${WORDS[below(WORDS.length)] ?? ''}${' and more'.repeat(below(6))}`
  const value = (depth = 0): unknown => {
    const kind = below(depth > 4 ? 4 : 8)
    if (kind === 0) return [null, 7, true][below(3)]
    if (kind < 4) return word()
    if (kind < 6) return Array.from({ length: below(12) }, () => value(depth + 1))
    return Object.fromEntries(Array.from({ length: below(8) }, () => [word(), value(depth + 1)]))
  }
  return value
}

/** The simplest possible implementation. */
function expected(value: unknown, path = ''): PlacedText[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  const at = (key: string): string => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const keys = Array.isArray(value) ? [] : Object.keys(value)
  return [
    ...keys.filter((key) => key.length > 40 || /\s/.test(key)).map((key) => ({ path: at(key), text: key })),
    ...Object.entries(value).flatMap(([key, item]) => expected(item, at(key))),
  ]
}

describe('the texts of a result', () => {
  it('are all there with their places, in order', () => {
    for (let seed = 1; seed < 400; seed++) {
      const value = randomJson(seed)()
      expect(textsIn(value)).toEqual(expected(value))
    }
  })

  it('are the same when they are read in turns with other work', async () => {
    for (let seed = 1; seed < 100; seed++) {
      const random = randomJson(seed)
      const result = { content: [random(), random()], structuredContent: random(), contents: [random()] }
      expect(await readResultInTurns(result)).toEqual(readResult(result))
    }
  })

  it('are the same of one text block, which is read by itself', async () => {
    const text = { type: 'text', text: 'words' }
    const blocks = [
      text,
      { text: 'a', type: 'text' },
      { ...text, uri: 'file:///a%20b' },
      { text: 7 },
      'words',
      null,
    ]
    const results: JsonObject[] = [
      ...blocks.map((block) => ({ content: [block] })),
      { isError: true, content: [text] },
      { isError: 'yes', content: [text] },
      { content: [text], _meta: { note: 'a long note' } },
      { content: [] },
      { content: [text, text] },
    ]
    for (const result of results) expect(await readResultInTurns(result)).toEqual(readResult(result))
  })

  const many = 200_000
  const shapes: readonly (readonly [string, JsonObject])[] = [
    ['text blocks', { content: Array.from({ length: many }, (_, n) => ({ type: 'text', text: `x${n}` })) }],
    ['links', { contents: Array.from({ length: many }, (_, n) => ({ uri: `file:///a_${n}` })) }],
    [
      'rows',
      { structuredContent: { rows: Array.from({ length: many }, (_, id) => ({ id, name: `${id}` })) } },
    ],
    [
      'keys',
      { structuredContent: Object.fromEntries(Array.from({ length: many }, (_, n) => [`k ${n}`, n])) },
    ],
  ]
  it.each(shapes)('of %s leave others their turns', async (_, result) => {
    let turns = 0
    let isDone = false
    const others = (): void => {
      turns++
      if (!isDone) setImmediate(others)
    }
    setImmediate(others)
    const read = await readResultInTurns(result)
    isDone = true
    expect(turns).toBeGreaterThan(3)
    expect(read.texts.length).toBeGreaterThanOrEqual(many)
  })
})
