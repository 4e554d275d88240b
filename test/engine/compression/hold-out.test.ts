import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { describe, expect, test } from 'vitest'
import { holdOut } from '../../../electron/engine/compression/hold-out.ts'
import type { CompressionTrace, ToolCall, ToolOutcome } from '../../../electron/engine/message/call.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'
import { readingWorld } from '../../helpers/reading-world.ts'

const CALLS = 24
/** No draw fails to come in so many. */
const MANY_CALLS = 64

describe('a hold-out', () => {
  test('passes one of N results whole, the same call of a session always alike, cached or not', async () => {
    const { connect, rows } = await readingWorld({ compression: { holdOut: 3, escalationSeconds: 0 } })
    const makeAll = async ({ text }: Awaited<ReturnType<typeof connect>>): Promise<boolean[]> => {
      const held: boolean[] = []
      for (let n = 0; n < CALLS; n++) held.push(!(await text('same', { n })).startsWith('[Compressed:'))
      return held
    }
    const client = await connect()
    const first = await makeAll(client)
    const share = first.filter(Boolean).length
    expect(share).toBeGreaterThan(0)
    // One in three; so many as this come in one run of a hundred million.
    expect(share).toBeLessThan(CALLS - 2)
    const whole = await client.text('same', { n: first.indexOf(true) })
    const short = await client.text('same', { n: first.indexOf(false) })
    // Results and shortened forms of these calls are cached by now.
    expect(await makeAll(client)).toEqual(first)
    expect(await client.text('same', { n: first.indexOf(true) })).toBe(whole)
    expect(await client.text('same', { n: first.indexOf(false) })).toBe(short)
    const recorded = (await rows(2 * CALLS + 4)).slice(0, CALLS)
    expect(recorded.map(({ trial }) => trial)).toEqual(first.map((isHeld) => (isHeld ? 'held' : 'shortened')))
    const [one] = recorded.filter(({ trial }) => trial === 'held')
    expect(one).toMatchObject({ note: 'hold-out: passed whole', resultId: undefined })
    expect(one?.tokensBefore).toBe(one?.tokensAfter)
    // Another session draws again; what it gets from the cache follows its own draw.
    const other = await makeAll(await connect())
    expect(other).not.toEqual(first)
  })

  test('leaves small results and unwanted shortening out, and none is made without one', async () => {
    const { connect, rows, set } = await readingWorld({ compression: { holdOut: 2 } })
    const { text } = await connect()
    for (let n = 0; n < 4; n++) await text('read', { n })
    set('compression.strategy', 'off')
    for (let n = 0; n < 4; n++) await text('same', { n })
    set('compression.strategy', 'auto')
    set('compression.holdOut', 0)
    for (let n = 4; n < 8; n++) expect(await text('same', { n })).toMatch(/^\[Compressed:/)
    expect((await rows(12)).map(({ trial }) => trial)).toEqual(Array.from({ length: 12 }, () => undefined))
  })

  test('counts halves that say the same once, as the model reads either', async () => {
    const { connect, rows } = await readingWorld({ compression: { holdOut: 2, escalationSeconds: 0 } })
    const { text } = await connect()
    const texts: string[] = []
    const isWhole = (one: string): boolean => one.startsWith('{')
    // A session draws by its id: until both were drawn.
    while (texts.length < MANY_CALLS && !(texts.some(isWhole) && !texts.every(isWhole)))
      texts.push(await text('both', { n: texts.length }))
    const whole = texts.find(isWhole) ?? ''
    const recorded = await rows(texts.length)
    const held = recorded.filter(({ trial }) => trial === 'held')
    expect(held.length).toBe(texts.filter(isWhole).length)
    expect(held.length).toBeGreaterThan(0)
    for (const row of held)
      expect([row.tokensBefore, row.tokensAfter]).toEqual([countTokens(whole), countTokens(whole)])
  })

  test('a held result that is asked for again at once is noted as repeated', async () => {
    const { connect, rows, engine } = await readingWorld({ compression: { holdOut: 2 }, cache: {} })
    const { text } = await connect()
    for (let n = 0; n < CALLS; n++) for (let again = 0; again < 2; again++) await text('same', { n })
    await rows(2 * CALLS)
    const { held, shortened } = await engine.ledger.trial({ from: 0, to: Date.now() + 1000 })
    expect(held.results + shortened.results).toBe(2 * CALLS)
    expect(held.repeated.value).toBe(0.5)
    expect(shortened.repeated.value).toBe(0.5)
  })
})

test('arguments that are nested too deeply are in no experiment, and their call is made', async () => {
  let deep: JsonObject = {}
  for (let level = 0; level < 100_000; level++) deep = { deep }
  const seen: (boolean | undefined)[] = []
  const call = {
    sessionId: 's',
    serverId: 'files',
    tool: 'read',
    arguments: { deep },
    policy: { compression: { ...BUILT_IN_POLICY.compression, holdOut: 2 } },
  } as unknown as ToolCall
  const outcomeOf = (compression: Partial<CompressionTrace>): Promise<ToolOutcome> =>
    holdOut(async ({ isHeldOut }) => {
      seen.push(isHeldOut)
      return { result: {}, compression: compression as CompressionTrace }
    })(call)
  expect((await outcomeOf({ skipped: undefined })).trial).toBe('shortened')
  expect((await outcomeOf({ skipped: 'the short form saves too little' })).trial).toBeUndefined()
  expect(seen).toEqual([undefined, undefined])
})
