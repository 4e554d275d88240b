import { describe, expect, test } from 'vitest'
import { explore } from '../../../../electron/engine/results/explore/explore.ts'
import { ExploredText } from '../../../../electron/engine/results/explore/explored-text.ts'
import type { ExplorationCall } from '../../../../electron/engine/results/exploration-arguments.ts'
import { tokenCounter } from '../../../helpers/token-counter.ts'

const ask = (call: ExplorationCall, texts: readonly string[], kind = 'json', budget = 1000) =>
  explore({
    call,
    parts: texts.map((text, index) => ({
      id: texts.length === 1 ? 'r_abc123' : `r_abc123/${index}`,
      source: new ExploredText(text, kind),
    })),
    whole: 'r_abc123',
    budget,
    tokens: tokenCounter,
    now: () => performance.now(),
  })

const structure = async (
  text: string,
  args: { path?: string; max_depth?: number } = {},
  kind = 'json',
  budget = 1000,
) => (await ask({ name: 'proxy_explore', args }, [text], kind, budget)).texts.join('')

const users = Array.from({ length: 120 }, (_, id) => ({
  id,
  email: `u${id}@example.com`,
  role: id % 2 ? 'admin' : 'guest',
  ...(id < 100 ? { score: id / 2 } : {}),
  tags: ['a', 'b'].slice(0, id % 3),
  address: id % 5 ? { city: `city ${id}`, geo: { lat: 1.5, lon: 2.5 } } : null,
}))

describe('proxy_explore', () => {
  test('tells fields, types, counts, ranges, choices and tokens of data', async () => {
    const text = await structure(JSON.stringify({ users, meta: { total: 120, 'odd.name': true } }))
    expect(text).toMatch(/^r_abc123: json, [\d,]+ bytes, 1 lines?, ~[\d,]+ tokens\nObject, ~[\d,]+ tokens$/m)
    for (const line of [
      / users: list of 120 objects, ~[\d,]+ tokens/,
      /  id: integer 0 to 119$/m,
      /  email: string, e.g. "u0@example.com", "u1@example.com"/,
      /  role: string, one of "guest", "admin"/,
      /  score: number 0 to 49.5 \(in 100 of 120\)/,
      /  tags: list of 0 to 2 strings, one of "a", "b"/,
      /  address: null or object/,
      /   geo: object/,
      /    lat: number 1.5/,
      / meta: object$/m,
      /  \["odd\.name"\]: boolean/,
    ]) {
      expect(text).toMatch(line)
    }
    expect(text).toMatch(/\[Next: proxy_filter \{"id":"r_abc123","fields":\["…"\]\}\]$/)
  })

  test('long numbers keep their digits', async () => {
    const ids = ['9007199254740993', '9007199254740992', '12345678901234567890123', '-9007199254740993']
    const text = await structure(`[${ids.map((id) => `{"id":${id},"size":1.50}`).join(',')}]`)
    expect(text).toContain('id: integer -9007199254740993 to 12345678901234567890123')
    expect(text).toContain('size: number 1.50')
  })

  test('goes as deep as it is told, and to a part', async () => {
    const json = JSON.stringify({ users })
    expect(await structure(json, { max_depth: 1 })).toContain(
      '… id, email, role, score, tags, address (deeper than max_depth)',
    )
    const part = await structure(json, { path: '$.users[*].address.geo' })
    expect(part).toContain(' lat: number 1.5')
    expect(part).not.toContain('email')
    await expect(structure(json, { path: 'nope' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  test('takes objects with many like fields for maps', async () => {
    const packages = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `node_modules/p${index}`,
        { version: `1.0.${index}`, dependencies: { [`d${index}`]: '1', [`e${index}`]: '2' } },
      ]),
    )
    const text = await structure(JSON.stringify({ packages }))
    expect(text).toMatch(/\* \(300 names, such as "node_modules\/p0", .*\): object/)
    expect(text).toMatch(/dependencies: object/)
    expect(text).toMatch(/\* \(600 names, such as "d0".*\): string/)
    expect(text.split('\n').length).toBeLessThan(15)
  })

  test('obeys its budget whatever there is', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`field ${index}`, { [`inner${index}`]: index }]),
    )
    const texts = [
      JSON.stringify(wide),
      JSON.stringify(users),
      '[]',
      '"x"',
      JSON.stringify('long '.repeat(10_000)),
    ]
    for (const text of texts) {
      for (const budget of [100, 300]) {
        const answer = await ask({ name: 'proxy_explore', args: {} }, [text], 'json', budget)
        expect(answer.tokens).toBeLessThanOrEqual(budget)
        expect(tokenCounter.count(answer.texts.join(''))).toBe(answer.tokens)
      }
    }
  })

  test.each<[string, string, RegExp]>([
    [
      'log',
      Array.from({ length: 500 }, (_, i) => `2026-11-22 ${i % 100 ? 'INFO' : 'ERROR'} request ${i}`).join(
        '\n',
      ),
      /Levels: ERROR 5, INFO 495\n5 lines with errors:\n1: .*ERROR request 0/,
    ],
    ['markdown', '# One\ntext\n## Two\ntext\n## Three\n', /3 headings:\n1: # One\n3: ## Two\n5: ## Three/],
    [
      'code',
      'import x\nexport class A {\n  b() {}\n}\nfunction f() {}\nconst c = 1\ninterface I {}',
      /3 definitions:\n2: export class A \{\n5: function f\(\) \{\}/,
    ],
    ['diff', 'diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\ndiff --git a/z b/z', /3 files/],
    [
      'prose',
      Array.from({ length: 300 }, (_, i) => `Sentence ${i}.`).join('\n'),
      /Lines from all over it:\n1: Sentence 0\.\n9: Sentence 8\./,
    ],
  ])('of a %s tells where things are', async (kind, text, expected) => {
    const told = await structure(text, {}, kind)
    expect(told).toMatch(expected)
    expect(told).toMatch(/\[Next: proxy_search .* or proxy_read .*\]$/)
  })

  test('of several parts tells each under its own id', async () => {
    const answer = await ask({ name: 'proxy_explore', args: {} }, ['{"a":1}', '{"b":2}'])
    expect(answer.texts.join('')).toMatch(
      /r_abc123\/0: json[^]* a: integer 1[^]*r_abc123\/1: json[^]* b: integer 2/,
    )
  })
})

describe('every tool', () => {
  const rows = Array.from({ length: 3000 }, (_, id) => ({
    id,
    name: `user ${id}`,
    text: 'some words that fill the row',
  }))
  const calls: ExplorationCall[] = [
    { name: 'proxy_explore', args: {} },
    { name: 'proxy_filter', args: { fields: ['*'] } },
    { name: 'proxy_search', args: { pattern: 'user' } },
    { name: 'proxy_search', args: { pattern: 'user words', mode: 'bm25' } },
    { name: 'proxy_search', args: { pattern: 'some wrds that fil', mode: 'fuzzy' } },
    { name: 'proxy_search', args: { pattern: 'user 7', mode: 'context', max_results: 500 } },
    { name: 'proxy_read', args: {} },
    { name: 'proxy_read', args: { unit: 'tokens', offset: 1000 } },
    { name: 'proxy_run', args: { code: 'data' } },
    { name: 'proxy_run', args: { code: 'console.log(text)' } },
  ]

  // RLM's own tools had no output limit.
  test.each(calls)(
    'predecessors 1B.9: answers within its budget and says how to go on: $name $args',
    async (call) => {
      for (const text of [JSON.stringify(rows), JSON.stringify(rows, null, 2)]) {
        for (const budget of [100, 500]) {
          const answer = await ask(call, [text], 'json', budget)
          const counted = answer.texts.reduce((sum, each) => sum + tokenCounter.count(each), 0)
          expect(counted).toBe(answer.tokens)
          expect(counted).toBeLessThanOrEqual(budget)
          expect(answer.texts.at(-1)).toMatch(call.name === 'proxy_explore' ? /Next: / : /"offset":\d+/)
        }
      }
    },
  )

  test('the offset that it names leads on without a gap', async () => {
    const pretty = JSON.stringify(rows, null, 2)
    let offset: number | undefined = 0
    let joined = ''
    for (let page = 0; offset !== undefined && page < 5; page++) {
      const text: string =
        (await ask({ name: 'proxy_run', args: { code: 'text', offset } }, [pretty], 'json', 400)).texts[0] ??
        ''
      joined += text.slice(0, text.lastIndexOf('\n['))
      offset = Number(/"offset":(\d+)\]$/.exec(text)?.[1])
      expect(pretty.slice(0, offset).replaceAll(/\s+/g, '')).toBe(joined.replaceAll(/\s+/g, ''))
    }
    await expect(
      ask({ name: 'proxy_filter', args: { fields: ['id'], offset: 9_999_999 } }, [pretty]),
    ).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
  })

  test('a long call is not repeated in its own answer', async () => {
    const pattern = `user|${'x'.repeat(5000)}`
    const answer = await ask({ name: 'proxy_search', args: { pattern } }, [JSON.stringify(rows)], 'json', 300)
    expect(answer.tokens).toBeLessThanOrEqual(300)
    expect(answer.texts.join('')).toContain('the same call with {"id":"r_abc123","offset":')
  })

  test('data nested a hundred thousand deep is refused in words, and can still be searched and read', async () => {
    const deep = `${'[['.repeat(50_000)}"needle"${']]'.repeat(50_000)}`
    const refused: ExplorationCall[] = [
      { name: 'proxy_explore', args: {} },
      { name: 'proxy_filter', args: { fields: ['**.x'] } },
    ]
    for (const call of refused) {
      await expect(ask(call, [deep])).rejects.toMatchObject({
        code: 'LIMIT_REACHED',
        message: expect.stringContaining('proxy_search'),
      })
    }
    expect(
      (await ask({ name: 'proxy_search', args: { pattern: 'needle' } }, [deep])).texts.join(''),
    ).toContain('needle')
    expect((await ask({ name: 'proxy_read', args: {} }, [deep])).texts[0]).toMatch(/^\[+$/)
  })

  test('a result without text says so', async () => {
    await expect(ask({ name: 'proxy_read', args: {} }, [])).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  test('an empty text is no error', async () => {
    expect((await ask({ name: 'proxy_read', args: {} }, [''], 'prose')).texts[0]).toBe('')
    expect((await ask({ name: 'proxy_search', args: { pattern: 'x' } }, [''], 'prose')).texts[0]).toMatch(
      /^\[No match for "x"/,
    )
  })
})
