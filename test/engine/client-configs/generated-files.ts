import * as fc from '../../helpers/properties.ts'
import { expect } from 'vitest'
import { formatOf } from '../../../electron/engine/client-configs/load-client-file.ts'
import { clientWorld } from '../../helpers/client-world.ts'

// Generated files are wrapped and unwrapped, and must be byte-identical. A second copy is rewritten by the app while
// wrapped; its meaning must be preserved.

export const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    'a b',
    '-y',
    'C:\\x y',
    '#',
    '// no',
    '"q"',
    "it's",
    '${env:A}',
    ': ',
    '{}',
    '\u00fc\u{1F600}',
  ),
)
export const key = fc.oneof(
  fc.stringMatching(/^[a-zA-Z][\w-]{0,8}$/),
  fc.constantFrom('with space', 'a.b', 'ü', '"q"', '1'),
)
const anything = fc.jsonValue({ maxDepth: 2 })
const entry = fc
  .record(
    {
      command: text.filter((value) => value !== ''),
      args: fc.array(text, { maxLength: 4 }),
      env: fc.dictionary(fc.stringMatching(/^[A-Z_]{1,6}$/), text, { maxKeys: 3 }),
      cwd: fc.constantFrom('/srv', 'rel/dir'),
      disabled: fc.boolean(),
      timeout: fc.integer(),
      unknown: anything,
    },
    { requiredKeys: ['command'] },
  )
  .chain((local) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Record<string, unknown>>(local) },
      { weight: 1, arbitrary: remoteEntry },
      { weight: 1, arbitrary: fc.dictionary(key, anything, { maxKeys: 2 }) },
    ),
  )
const remoteEntry = fc.record(
  {
    url: fc.constantFrom('https://a.example/mcp', 'http://127.0.0.1:1/x?y=z'),
    type: fc.constantFrom('http', 'sse'),
    headers: fc.dictionary(fc.stringMatching(/^X-[A-Z]{1,4}$/), fc.stringMatching(/^[\w ]{0,8}$/), {
      maxKeys: 2,
    }),
    x: anything,
  },
  { requiredKeys: ['url'] },
)
/** Keys in random order. */
const shuffled = (value: Record<string, unknown>) =>
  fc
    .shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length })
    .map((pairs): Record<string, unknown> => Object.fromEntries(pairs))
export const servers = fc.dictionary(key, entry.chain(shuffled), { minKeys: 1, maxKeys: 4 })
export const rest = fc.dictionary(key, anything, { maxKeys: 3 })
export const file = fc.tuple(servers, rest).chain(([map, others]) => shuffled({ ...others, mcpServers: map }))

export interface Look {
  readonly random: () => number
  readonly crlf: boolean
  readonly mark: boolean
}
export const look = fc.record({
  random: fc
    .infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))
    .map((stream) => () => stream.next().value as number),
  crlf: fc.boolean(),
  mark: fc.boolean(),
})
export const asFile = (content: string, { crlf, mark }: Look): string =>
  (mark ? '\uFEFF' : '') + (crlf ? content.replaceAll('\n', '\r\n') : content)

/** Wraps, unwraps and compares; then again with the file rewritten in between. */
export async function roundTrip(
  path: string,
  client: string,
  content: string,
  writeAnew: (value: unknown) => string,
) {
  const world = clientWorld()
  world.files.put(path, content)
  const preview = await world.wrap({ client, path }).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('There is nothing to wrap')) return undefined
    throw error
  })
  if (!preview) return false
  const format = formatOf(path)
  const bare = (): unknown => format.parse(world.files.text(path).replace(/^\uFEFF/, '')).value
  const wrapped = bare()
  expect(world.unwrap({ client, path }).isExact).toBe(true)
  expect(world.files.text(path)).toBe(content)
  expect(world.servers()).toEqual({})

  // Slow, so only every third file.
  if (content.length % 3 !== 0) return true
  const original = bare()
  await world.wrap({ client, path })
  world.files.put(path, writeAnew(wrapped))
  world.unwrap({ client, path })
  expect(bare()).toEqual(original)
  return true
}
