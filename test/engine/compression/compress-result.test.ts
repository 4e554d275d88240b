import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countTokens } from '../../../electron/engine/compression/tokens/count-tokens.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { compressWorld } from '../../helpers/compress-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

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
      shape: fc.constantFrom('text', 'text', 'text', 'note', 'image', 'resource'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { maxLength: 60 }),
        fc.constantFrom(100, 300, 1000),
        async (shapes, budget) => {
          const content = shapes.map(({ size, shape }, index) => {
            if (shape === 'image') return image
            if (shape === 'resource') return resource(`file:///${index}`, words(index, size))
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
          const stubs = shown.filter((value) => value === '…').length
          expect(tokensOf(result)).toBeLessThanOrEqual(budget + stubs)
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
      { numRuns: 60 },
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
    expect(others[7]).toEqual(resource('file:///7.txt', '…'))
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
