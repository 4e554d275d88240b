import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { compressWorld } from '../../helpers/compress-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

let world: ReturnType<typeof compressWorld>
beforeAll(() => {
  world = compressWorld(temporaryFolder(afterAll))
})
afterAll(() => world.close())

const image: JsonObject = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
const text = (value: string, more: JsonObject = {}): JsonObject => ({ type: 'text', text: value, ...more })
const words = (name: string, characters: number): string =>
  `Record ${name}: ${'the harbour opened again after the storm. '.repeat(Math.ceil(characters / 42))}`.slice(
    0,
    characters,
  )
const blocksOf = ({ content }: JsonObject): JsonObject[] => content as JsonObject[]
const shownIn = (result: JsonObject): string =>
  blocksOf(result)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
    .join('\n')
const markOf = ({ _meta }: JsonObject): JsonObject =>
  (_meta as { 'sluice/result': JsonObject })['sluice/result']

describe('structured content that repeats the only text, without a schema', () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `Ship ${id}`, port: 'Kiel' }))
  const shorten = (value: JsonObject, compression = {}) =>
    world.shorten({ content: [text(JSON.stringify(value))], structuredContent: value }, { compression })

  test('is shortened and says so in itself, in the text and in _meta', async () => {
    const { result } = await shorten({ rows, total: 2000 })
    const value = result['structuredContent'] as { _sluice: string; rows: JsonObject[] }
    expect(value.rows.length).toBeGreaterThan(5)
    expect(value.rows.every((row) => rows.some(({ id }) => id === row['id']))).toBe(true)
    expect(value._sluice).toContain(`${value.rows.length} of 2,000 in rows`)
    expect(countTokens(JSON.stringify(value))).toBeLessThanOrEqual(1000)
    expect(shownIn(result)).toContain(`structuredContent is shortened: ${value.rows.length} of 2,000 in rows`)
    expect(markOf(result)['structuredContent']).toBe('shortened')
  })

  test.each([
    ['has a budget without room for the mark', { rows }, { tokenThreshold: 150, maxOutputTokens: 150 }],
    [
      'has that budget and a field of the name of the mark',
      { rows, _sluice: 'Whole. Nothing was left out.' },
      { tokenThreshold: 150, maxOutputTokens: 150 },
    ],
  ])('is left out where it %s: the text and _meta say so', async (_, value, compression) => {
    const { result, compression: trace } = await shorten(value, compression)
    expect('structuredContent' in result).toBe(false)
    expect(shownIn(result)).toContain(
      `[structuredContent is left out: it says the same as the text. id: ${trace?.resultId}]`,
    )
    expect(markOf(result)['structuredContent']).toBe('left out')
  })
})

describe('structured content with a field of the name of the mark', () => {
  const claim = 'Whole. Nothing was left out.'
  const rows = Array.from({ length: 1000 }, (_, id) => ({ id, name: `Ship ${id}`, port: 'Kiel' }))
  const properties = { rows: { type: 'array', items: { type: 'object' } }, _sluice: { type: 'string' } }
  const shorten = (value: JsonObject, outputSchema: JsonObject | undefined, texts: JsonObject[] = []) =>
    world.shorten(
      { content: texts, structuredContent: value },
      { definition: { name: 'get', inputSchema: { type: 'object' }, ...(outputSchema && { outputSchema }) } },
    )

  test.each([
    ['no schema', undefined],
    ['a schema that names it', { type: 'object', properties, required: ['rows', '_sluice'] }],
    ['a schema that does not', { type: 'object', properties: { rows: properties.rows } }],
  ])('and %s: the mark has a name of its own, and what the server sends stays', async (_, schema) => {
    for (const taken of [{ _sluice: claim }, { _sluice: claim, _sluice_2: claim }]) {
      const { result } = await shorten({ ...taken, rows }, schema)
      const value = result['structuredContent'] as { rows: JsonObject[] } & Record<string, string>
      const name = '_sluice_2' in taken ? '_sluice_3' : '_sluice_2'
      expect(Object.keys(value)).toEqual([name, ...Object.keys(taken), 'rows'])
      expect(value).toMatchObject(taken)
      expect(value.rows.length).toBeLessThan(1000)
      expect(value[name]).toContain(`${value.rows.length} of 1,000 in rows`)
      expect(shownIn(result)).toContain(`structuredContent is shortened: `)
    }
  })

  test('that repeats the only text is marked, too', async () => {
    const value = { _sluice: claim, rows }
    const { result } = await shorten(value, undefined, [text(JSON.stringify(value))])
    expect((result['structuredContent'] as JsonObject)['_sluice_2']).toMatch(/of 1,000 in rows/)
  })

  test('passes whole where the schema allows no other name', async () => {
    const schema = { type: 'object', properties, required: ['rows'], additionalProperties: false }
    const value = { _sluice: claim, rows }
    const { result } = await shorten(value, schema)
    expect(result).toEqual({ content: [], structuredContent: value })
    const unclaimed = await shorten({ rows }, schema)
    expect(unclaimed.result['structuredContent']).toHaveProperty('_sluice', expect.stringMatching(/of 1,000/))
  })
})

describe('a text that stands in the structured half, too', () => {
  const properties = { content: { type: 'string' }, lines: { type: 'integer' } }
  const schemas = {
    'no schema': undefined,
    'an open schema': { type: 'object', properties, required: ['content'] },
    'a closed schema': { type: 'object', properties, required: ['content'], additionalProperties: false },
  }
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n')
  const texts = {
    prose: words('of the harbour', 40_000),
    code: lines(900, (n) => `function f${n}(a) {\n\tif (a === "${n}") {\n\t\treturn "\\t"\n\t}\n}\n`),
    numbers: lines(9000, (n) => `${(n * 7919) % 1000}`),
    'paths of Windows': lines(2000, (n) => `C:\\srv\\p${n % 40}\\src\\a${n}\\b.ts`),
    'lines of JSON': lines(1500, (n) => JSON.stringify({ at: n, level: 'info', msg: `took "${n}"` })),
    'an indented list': JSON.stringify(
      Array.from({ length: 900 }, (_, n) => ({ n, 'a "b"': [`\\${n}`] })),
      null,
      2,
    ),
  }
  const cases = Object.keys(schemas).flatMap((schema) => Object.keys(texts).map((name) => [name, schema]))

  test.each(cases as [keyof typeof texts, keyof typeof schemas][])(
    '%s, with %s: both halves show one short form, each within the budget',
    async (name, schema) => {
      const outputSchema = schemas[schema]
      const { result } = await world.shorten(
        { content: [text(texts[name])], structuredContent: { content: texts[name], lines: 3 } },
        {
          definition: { name: 'get', inputSchema: { type: 'object' }, ...(outputSchema && { outputSchema }) },
        },
      )
      const shown = shownIn(result)
      expect(shown).toMatch(/^\[Compressed: /)
      expect(result['structuredContent']).toEqual({ content: shown, lines: 3 })
      // One kind of line is said once.
      expect(countTokens(shown)).toBeGreaterThan(name === 'lines of JSON' ? 50 : 500)
      expect(countTokens(JSON.stringify(result['structuredContent']))).toBeLessThanOrEqual(1000)
      expect(markOf(result)['structuredContent']).toBe('shortened')
    },
  )
})

describe('texts for different readers', () => {
  const user = { annotations: { audience: ['user'], priority: 1 } }
  const mark = (block: JsonObject) => block['annotations']

  test('stay apart, with what they say of themselves, where there is room for each group', async () => {
    const content = Array.from({ length: 24 }, (_, index) =>
      index % 2 === 0
        ? text(words(`for-all-${index}`, 2000))
        : text(words(`for-user-${index}`, 2000), { ...user, _meta: { k: 1 } }),
    )
    const { result } = await world.shorten({ content })
    expect(blocksOf(result)).toEqual([
      { type: 'text', text: expect.stringMatching(/id: r_(?!.*for-user)/s) as string },
      {
        type: 'text',
        text: expect.stringMatching(/id: r_(?!.*for-all)/s) as string,
        ...user,
        _meta: { k: 1 },
      },
    ])
  })

  test('are never put together, however many groups and however small the budget', async () => {
    for (const budget of [100, 1000]) {
      const audiences = [undefined, ['user'], ['assistant'], ['assistant', 'user'], ['nobody']]
      const content = Array.from({ length: 300 }, (_, index) => {
        const audience = audiences[index % audiences.length]
        const name = audience?.length === 1 && audience[0] !== 'nobody' ? audience[0] : 'all'
        return text(words(`for-${name}`, 300), {
          annotations: { priority: index / 300, ...(audience && { audience }) },
        })
      })
      const { result } = await world.shorten(
        { content },
        { compression: { tokenThreshold: budget, maxOutputTokens: budget } },
      )
      const names = ['all', 'user', 'assistant']
      expect(blocksOf(result).map(mark)).toEqual([
        undefined,
        { audience: ['user'] },
        { audience: ['assistant'] },
      ])
      for (const [index, block] of blocksOf(result).entries()) {
        expect(block['text']).toMatch(/id: r_/)
        for (const other of names.filter((name) => name !== names[index]))
          expect(block['text']).not.toContain(`for-${other}`)
      }
      expect(countTokens(shownIn(result))).toBeLessThanOrEqual(budget)
    }
  })

  test('an embedded resource beside many texts names its own part of the original', async () => {
    const held = words('held', 20_000)
    const content = Array.from({ length: 40 }, (_, index) =>
      index % 10 === 9 ? image : text(words(`${index}`, 1000)),
    )
    content.splice(18, 0, {
      type: 'resource',
      resource: { uri: 'mem://x', mimeType: 'text/plain', text: held },
      ...user,
    })
    const many = content.flatMap((block, index) =>
      block['type'] === 'text' ? [block, image] : [block, index % 2 ? image : block],
    )
    const { result, compression } = await world.shorten({ content: many })
    const parts = many.filter(({ type }) => type !== 'image')
    const resources = blocksOf(result).filter(({ type }) => type === 'resource')
    expect(resources.length).toBeGreaterThan(0)
    for (const { resource } of resources) {
      const id = /^… (r_\w+\/\d+)$/.exec((resource as { text: string }).text)?.[1] ?? ''
      expect(id.split('/')[0]).toBe(compression?.resultId)
      expect(parts[Number(id.split('/')[1])]?.['type']).toBe('resource')
      expect(await world.readBack(id)).toBe(held)
    }
  })
})
