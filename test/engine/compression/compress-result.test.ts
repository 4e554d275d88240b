import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import * as fc from '../../helpers/properties.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ToolOutcome } from '../../../electron/engine/message/call.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { compressWorld } from '../../helpers/compress-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { stringifyExact } from '../../../electron/engine/protocol/exact-json.ts'

let world: ReturnType<typeof compressWorld>
beforeAll(() => {
  world = compressWorld(temporaryFolder(afterAll))
})
afterAll(() => world.close())

const text = (value: string, more: JsonObject = {}): JsonObject => ({ type: 'text', text: value, ...more })
const image: JsonObject = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
const resource = (uri: string, value: string): JsonObject => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: value },
})
const words = (seed: number, characters: number): string =>
  `Record ${seed}: ${'the harbour opened again after the storm had gone. '.repeat(Math.ceil(characters / 51))}`.slice(
    0,
    characters,
  )
const blocksOf = ({ content }: JsonObject): JsonObject[] => content as JsonObject[]
const textsOf = (result: JsonObject): string[] =>
  blocksOf(result).flatMap((block) => {
    const carrier = (block['resource'] ?? block) as JsonObject
    return typeof carrier['text'] === 'string' ? [carrier['text']] : []
  })
const tokensOf = (result: JsonObject): number =>
  textsOf(result).reduce((sum, value) => sum + countTokens(value), 0)
const idIn = (value: string): string => /id: (r_[\w/-]+)/.exec(value)?.[1] ?? ''

describe('many text blocks are one document', () => {
  test.each([
    [30, 1100],
    [700, 1100],
    [1000, 1100],
    [1000, 40],
    [20_000, 3],
    [200_000, 3],
  ])('%i blocks of %i characters', async (count, size) => {
    const content = Array.from({ length: count }, (_, index) => text(words(index, size)))
    const { result, compression } = await world.shorten({ content })
    const [shown = '', ...others] = textsOf(result)
    expect(others).toEqual([])
    const id = idIn(shown)
    expect(id).toBe(compression?.resultId)
    expect(shown).toContain(`blocks: ${count}, id: ${id}]`)
    expect(shown).toContain(`Blocks: ${id}/0 to ${id}/${count - 1}.`)
    expect(tokensOf(result)).toBeLessThanOrEqual(1000)
    expect(compression?.tokensAfter).toBe(tokensOf(result))
    expect(compression?.strategy).not.toBe('none')
    for (const index of [0, count >> 1, count - 1])
      expect(await world.readBack(`${id}/${index}`)).toBe(words(index, size))
  })

  test('whatever their number and sizes: what is left out is said with the id, and nothing is empty that was not', async () => {
    const block = fc.record({
      size: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3000 })),
      shape: fc.constantFrom('text', 'text', 'text', 'note', 'user', 'image', 'resource'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { maxLength: 60 }),
        fc.constantFrom(100, 300, 1000),
        async (shapes, budget) => {
          const content = shapes.map(({ size, shape }, index) => {
            if (shape === 'image') return image
            if (shape === 'resource') return resource(`file:///${index}`, words(index, size))
            if (shape === 'user') return text(words(index, size), { annotations: { audience: ['user'] } })
            return text(words(index, size), shape === 'note' ? { annotations: { priority: index % 3 } } : {})
          })
          const compression = { tokenThreshold: budget, maxOutputTokens: budget }
          const { result } = await world.shorten({ content }, { compression })
          if (result['content'] === content) return
          const shown = textsOf(result)
          const original = textsOf({ content })
          expect(shown.filter((value) => value === '').length).toBeLessThanOrEqual(
            original.filter((value) => value === '').length,
          )
          // Pictures and what surrounds a text stay.
          expect(blocksOf(result).filter((each) => each === image)).toHaveLength(
            content.filter((each) => each === image).length,
          )
          const uris = (blocks: JsonObject[]) =>
            blocks.flatMap(({ resource: held }) => (held as JsonObject | undefined)?.['uri'] ?? [])
          expect(uris(blocksOf(result))).toEqual(uris(content))
          const stubs = shown.filter((value) => value.startsWith('…'))
          const room = stubs.reduce((sum, value) => sum + countTokens(value), 0)
          expect(tokensOf(result)).toBeLessThanOrEqual(budget + room)
          // Each text is there as it was, or stands for a part that a text before it names.
          const ids = shown.map(idIn).filter((id) => id !== '')
          expect(ids.length).toBeGreaterThan(0)
          for (const [index, value] of original.entries())
            if (!shown.includes(value)) {
              const holder = ids.find((id) => covers(id, index))
              expect(holder, `part ${index} of ${JSON.stringify(ids)}`).toBeDefined()
              expect(await world.readBack(`${holder?.split('/')[0] ?? ''}/${index}`)).toBe(value)
            }
        },
      ),
      { numRuns: 30 },
    )
  })

  test('JSON in blocks is shortened as records', async () => {
    const content = Array.from({ length: 400 }, (_, id) =>
      text(
        JSON.stringify(
          { id, name: `Ship ${id}`, port: id === 321 ? 'Hamburg' : 'Kiel', note: words(id, 60) },
          null,
          2,
        ),
      ),
    )
    const { result, compression } = await world.shorten({ content }, { goal: 'ship in Hamburg' })
    expect(compression?.strategy).toBe('json')
    expect(textsOf(result)[0]).toContain('Ship 321')
  })
})

const covers = (id: string, index: number): boolean => {
  const [, first, last = first] = /\/(\d+)(?:-(\d+))?$/.exec(id) ?? []
  return first === undefined || (Number(first) <= index && index <= Number(last))
}

describe('texts with something between them', () => {
  test("each header's id reads back that part", async () => {
    const parts = [words(1, 20_000), words(2, 30_000), words(3, 40_000)]
    const [one = '', two = '', three = ''] = parts
    const { result } = await world.shorten({ content: [text(one), image, text(two), image, text(three)] })
    const shown = textsOf(result)
    expect(blocksOf(result).map(({ type }) => type)).toEqual(['text', 'image', 'text', 'image', 'text'])
    for (const [index, value] of shown.entries()) {
      expect(idIn(value)).toMatch(new RegExp(`^r_\\w+/${index}$`))
      expect(await world.readBack(idIn(value))).toBe(parts[index])
    }
  })

  test('neighbours are one there, too, under the ids of the first and the last', async () => {
    const content = [text(words(1, 20_000)), image, ...[2, 3, 4].map((seed) => text(words(seed, 9000)))]
    const { result } = await world.shorten({ content })
    const [, second = ''] = textsOf(result)
    expect(blocksOf(result).map(({ type }) => type)).toEqual(['text', 'image', 'text'])
    expect(idIn(second)).toMatch(/^r_\w+\/1-3$/)
    const [found = ''] = await world.explore('proxy_search', { id: idIn(second), pattern: 'Record \\d' })
    expect(found).toContain('Record 2')
    expect(found).not.toContain('Record 1')
    expect((await world.explore('proxy_read', { id: idIn(second) })).join('\n')).toContain('1 of 3 parts')
  })

  test('blocks that differ in more than their text are put together only where each would get nothing', async () => {
    const two = [text(words(1, 9000), { annotations: { audience: ['user'] } }), text(words(2, 9000))]
    const { result } = await world.shorten({ content: two })
    expect(blocksOf(result).map(({ annotations }) => annotations)).toEqual([
      { audience: ['user'] },
      undefined,
    ])
    const many = Array.from({ length: 500 }, (_, row) => text(words(row, 300), { _meta: { row } }))
    const shortened = await world.shorten({ content: many })
    expect(textsOf(shortened.result)).toHaveLength(1)
    expect(tokensOf(shortened.result)).toBeLessThanOrEqual(1000)
  })

  test('embedded resources keep their blocks, and a block before them says what is in them', async () => {
    const content = Array.from({ length: 50 }, (_, index) =>
      resource(`file:///${index}.txt`, words(index, 2000)),
    )
    const { result } = await world.shorten({ content })
    const [first, ...others] = blocksOf(result)
    expect(first).toMatchObject({
      type: 'text',
      text: expect.stringContaining('blocks: 50, id: r_') as string,
    })
    expect(others).toHaveLength(50)
    expect(others[7]).toEqual(resource('file:///7.txt', `… ${idIn(textsOf(result)[0] ?? '')}/7`))
    expect(tokensOf(result)).toBeLessThanOrEqual(1000)
  })

  test('the contents of a resource keep their places', async () => {
    const contents = Array.from({ length: 40 }, (_, index) => ({
      uri: `file:///${index}`,
      text: words(index, 3000),
    }))
    const result = await world.resource({ contents })
    const shown = result['contents'] as { uri: string; text: string }[]
    expect(shown.map(({ uri }) => uri)).toEqual(contents.map(({ uri }) => uri))
    expect(shown[0]?.text).toMatch(/^\[Compressed: .* id: r_/)
    expect(shown.every((content) => content.text !== '')).toBe(true)
  })
})

test('a budget without room for a header line still names the id', async () => {
  const { result } = await world.shorten(
    { content: [text(words(1, 50_000))] },
    { compression: { tokenThreshold: 100, maxOutputTokens: 100, strategy: 'preview' } },
  )
  expect(idIn(textsOf(result)[0] ?? '')).toMatch(/^r_/)
  expect(tokensOf(result)).toBeLessThanOrEqual(100)
})

describe('the original as a file', () => {
  const whole = words(1, 40_000)
  const fileIn = (result: JsonObject): string | undefined => /File: (\S+)/.exec(textsOf(result)[0] ?? '')?.[1]

  test('is named for apps that read files, holds every byte, is for the user only and goes with the original', async () => {
    const agent = compressWorld(temporaryFolder(), { clientName: 'claude-code' })
    onTestFinished(() => agent.close())
    const { result, compression } = await agent.shorten({ content: [text(whole)] })
    const file = fileIn(result) ?? ''
    expect(readFileSync(file, 'utf8')).toBe(whole)
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(tokensOf(result)).toBeLessThanOrEqual(1000)
    const id = compression?.resultId ?? ''
    expect(agent.results.getForUser(id).storedSize).toBeGreaterThan(whole.length)
    agent.results.delete(id)
    expect(existsSync(file)).toBe(false)
  })

  test('holds all blocks, and is counted in the limit of what is kept', async () => {
    const agent = compressWorld(temporaryFolder(), { clientName: 'Cursor', maxBytes: 100_000 })
    onTestFinished(() => agent.close())
    const first = await agent.shorten({ content: [text(words(1, 30_000)), text(words(2, 30_000))] })
    expect(readFileSync(fileIn(first.result) ?? '', 'utf8')).toBe(`${words(1, 30_000)}\n${words(2, 30_000)}`)
    await agent.shorten({ content: [text(words(3, 60_000))] })
    expect(existsSync(fileIn(first.result) ?? '')).toBe(false)
  })

  test.each([
    ['claude-ai', 'auto', false],
    ['some-bot', 'auto', false],
    ['some-bot', 'always', true],
    ['claude-code', 'never', false],
    ['Visual Studio Code', 'auto', true],
    ['gemini-cli-mcp-client-s', 'auto', true],
  ] as const)('%s with pathInHeader %s: %s', async (clientName, pathInHeader, isNamed) => {
    const agent = compressWorld(temporaryFolder(), { clientName, pathInHeader })
    onTestFinished(() => agent.close())
    const { result } = await agent.shorten({ content: [text(whole)] })
    expect(fileIn(result) !== undefined).toBe(isNamed)
  })

  test('does not exist for a result that is only scanned as it leaves', async () => {
    const agent = compressWorld(temporaryFolder(), { clientName: 'claude-code' })
    onTestFinished(() => agent.close())
    const { result } = await agent.shorten({ content: [text(whole)] }, { outcome: { tooLargeToScan: true } })
    expect(fileIn(result)).toBeUndefined()
    expect(readdirSync(agent.folder).filter((name) => name.endsWith('.txt'))).toEqual([])
  })
})

describe('structured content', () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `Ship ${id}`, port: 'Kiel' }))
  const answer = { total: 2000, rows }
  const both = (value: JsonObject, shown = JSON.stringify(value, null, 1)) => ({
    content: [text(shown)],
    structuredContent: value,
  })
  const tool = (outputSchema?: JsonObject) => ({
    definition: { name: 'get', inputSchema: { type: 'object' }, ...(outputSchema ? { outputSchema } : {}) },
  })
  const schemaOf = (more: JsonObject, rowsMore: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: {
      total: { type: 'integer' },
      rows: { type: 'array', items: { type: 'object' }, ...rowsMore },
    },
    required: ['total', 'rows'],
    ...more,
  })
  const savedBy = ({ compression }: ToolOutcome): number =>
    (compression?.tokensBefore ?? 0) - (compression?.tokensAfter ?? 0)
  const leaves = ({ result }: ToolOutcome): number =>
    tokensOf(result) +
    (result['structuredContent'] === undefined ? 0 : countTokens(stringifyExact(result['structuredContent'])))

  test('that may not be shortened passes whole, and nothing counts as saved', async () => {
    const done = await world.shorten(both(answer), tool(schemaOf({}, { minItems: 2000 })))
    expect(done.result['structuredContent']).toEqual(answer)
    expect(savedBy(done)).toBe(0)
    expect(done.compression?.tokensAfter).toBe(leaves(done))
  })

  test('that is shortened says so in itself where its schema allows that, and its figures stay true', async () => {
    const done = await world.shorten(both(answer), tool(schemaOf({})))
    const {
      total,
      rows: kept,
      _sluice: mark,
    } = done.result['structuredContent'] as typeof answer & { _sluice: string }
    expect(total).toBe(2000)
    expect(kept.length).toBeGreaterThan(5)
    expect(mark).toContain(`${kept.length} of 2,000 in rows`)
    expect(mark).toContain(done.compression?.resultId)
    expect(textsOf(done.result).join('\n')).toContain(`${kept.length} of 2,000 in rows`)
    expect(done.compression?.tokensAfter).toBe(leaves(done))
    expect(savedBy(done)).toBeGreaterThan(20_000)
    expect(savedBy(done)).toBeLessThanOrEqual(countTokens(JSON.stringify(answer)))
  })

  test('whose schema allows no mark is explained in the text', async () => {
    const done = await world.shorten(both(answer), tool(schemaOf({ additionalProperties: false })))
    const shown = done.result['structuredContent'] as typeof answer
    expect(Object.keys(shown)).toEqual(['total', 'rows'])
    expect(textsOf(done.result).join('\n')).toContain(`${shown.rows.length} of 2,000 in rows`)
  })

  test.each([
    ['numbers', { type: 'integer' }, (id: number) => id],
    ['texts', { type: 'string' }, (id: number) => `ship ${id} is in the harbour`],
    ['records', { type: 'object' }, (id: number) => ({ id, port: 'Kiel', crew: [1, 2] })],
  ])('a map of %s keeps entries as a list keeps elements', async (_, additionalProperties, entry) => {
    const value = Object.fromEntries(Array.from({ length: 1500 }, (__, id) => [`key-${id}`, entry(id)]))
    const done = await world.shorten(both(value), tool({ type: 'object', additionalProperties }))
    const shown = done.result['structuredContent'] as JsonObject
    const { _sluice: mark, ...kept } = shown
    expect(Object.keys(kept).length).toBeGreaterThan(10)
    for (const [key, item] of Object.entries(kept)) expect(value[key]).toEqual(item)
    expect(typeof mark).toBe(additionalProperties.type === 'string' ? 'string' : 'undefined')
    expect(textsOf(done.result).join('\n')).toContain(
      `${Object.keys(kept).length} of 1,500 in structuredContent`,
    )
    expect(countTokens(JSON.stringify(shown))).toBeLessThanOrEqual(1000)
  })

  test('beside a short text is shortened, too, and the text says how to get the rest', async () => {
    const done = await world.shorten(
      both(answer, '2000 rows'),
      tool(schemaOf({ additionalProperties: false })),
    )
    expect(textsOf(done.result)).toEqual([
      '2000 rows',
      expect.stringMatching(
        /^\[Compressed: \d+→\d+ tokens, strategy: structured, id: r_\w+\] .*of 2,000 in rows/,
      ),
    ])
    expect(done.compression?.tokensAfter).toBe(leaves(done))
    expect(countTokens(JSON.stringify(done.result['structuredContent']))).toBeLessThanOrEqual(1000)
  })

  test('that only repeats the text without a schema counts once', async () => {
    const done = await world.shorten(both(answer), tool())
    expect(savedBy(done)).toBeLessThanOrEqual(countTokens(JSON.stringify(answer)))
    expect(done.compression?.tokensAfter).toBe(leaves(done))
  })

  test.each(['8', '12', '4567'])(
    'key "%s", which JavaScript puts before all others, counts where it is sent',
    async (key) => {
      const rows = Array.from({ length: 40 }, (_, i) => ({ a: i * 12_345_678, b: `text of ${i}` }))
      const done = await world.shorten(both({ [key]: { Z9ild: 1 }, '#DSEW': rows }), {
        ...tool({ type: 'object' }),
        compression: { tokenThreshold: 300, maxOutputTokens: 300 },
      })
      expect(done.result['structuredContent']).toHaveProperty('_sluice')
      expect(done.compression?.tokensAfter).toBe(leaves(done))
    },
  )

  test('any data: what is cut is said, and nothing empties without a word', async () => {
    const data = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 6 }),
      fc.oneof(
        fc.array(fc.integer(), { maxLength: 400 }),
        fc.array(fc.record({ a: fc.integer(), b: fc.string({ maxLength: 40 }) }), { maxLength: 60 }),
        fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.integer(), { maxKeys: 80 }),
        fc.string({ maxLength: 3000 }),
      ),
      { minKeys: 1, maxKeys: 8 },
    )
    await fc.assert(
      fc.asyncProperty(data, fc.boolean(), async (made, isClosed) => {
        const value = JSON.parse(JSON.stringify(made)) as JsonObject
        const properties = Object.fromEntries(Object.keys(value).map((key) => [key, {}]))
        const outputSchema = { type: 'object', properties, additionalProperties: !isClosed }
        const done = await world.shorten(both(value), {
          ...tool(outputSchema),
          compression: { tokenThreshold: 300, maxOutputTokens: 300 },
        })
        const shown = done.result['structuredContent']
        if (JSON.stringify(shown) === JSON.stringify(value)) return
        expect(textsOf(done.result).join('\n')).toContain('structuredContent is shortened: ')
        expect('_sluice' in (shown as JsonObject)).toBe(!isClosed)
        expect(done.compression?.tokensAfter).toBe(leaves(done))
        expect(savedBy(done)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 20 },
    )
  })
})
