import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CACHED, readingWorld } from '../../helpers/reading-world.ts'

// One engine for all tests, since loading grammars is slow; tests use different arguments.

const SMALL = { tokenThreshold: 500, maxOutputTokens: 400 }

const ends: (() => Promise<void> | void)[] = []
let world: Awaited<ReturnType<typeof readingWorld>>
beforeAll(async () => {
  // Generated prose is sometimes flagged as an attack.
  const settings = { compression: SMALL, guard: { results: 'off' } }
  world = await readingWorld(settings, { whenDone: (end) => ends.push(end) })
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

async function open(name = 'test') {
  const { text } = await world.connect({ name })
  /** Tokens and escalation from the header. */
  const header = async (args: Record<string, unknown>) => {
    const [, tokens, escalation] =
      /→(\d+) tokens, strategy: \w+(?:, (escalation: [\d.]+x))?, id:/.exec(await text('large', args)) ?? []
    return [Number(tokens), escalation] as const
  }
  return { text, header }
}

describe('a call that is repeated', () => {
  test('MCPCP fault: an identical retry hit the cache and never got more; here it does, from the stored original', async () => {
    const { header, text } = await open()
    const args = { test: 'retry' }
    const [first, second, third] = [await header(args), await header(args), await header(args)]
    expect([first[1], second[1], third[1]]).toEqual([undefined, 'escalation: 2x', 'escalation: 3x'])
    expect(first[0]).toBeLessThanOrEqual(400)
    expect(second[0]).toBeGreaterThan(400)
    expect(second[0]).toBeLessThanOrEqual(800)
    expect(third[0]).toBeGreaterThan(800)
    expect(third[0]).toBeLessThanOrEqual(1200)
    expect(world.reached()).toHaveLength(1)
    expect((await world.rows(3)).map(({ note, cached }) => [note, cached])).toEqual([
      [undefined, false],
      ['escalation: 2x', true],
      ['escalation: 3x', true],
    ])
    // A full read is not a repetition, and does not reach the server.
    expect(await text('large', { ...args, _sluice_bypass: true })).toMatch(/^call 1\n/)
    expect(world.reached()).toHaveLength(1)
  })

  test('MCPCP fault: its factor had no end; here it ends with the whole original', async () => {
    world.set('compression.escalationFactor', 100)
    const { text } = await open()
    await text('large', { test: 'whole' })
    expect(await text('large', { test: 'whole' })).toMatch(/^call \d+\n/)
    expect((await world.rows(1)).at(-1)).toMatchObject({ note: 'escalation: 100x, the whole original' })
    world.set('compression.escalationFactor', undefined)
  })

  test('MCPCP fault: arguments were ignored, so that three different calls got more and more', async () => {
    const { header } = await open()
    for (const page of [1, 2, 3]) expect((await header({ page }))[1]).toBeUndefined()
    for (const by of ['up', 'down']) expect((await header({ sort: { deep: { by } } }))[1]).toBeUndefined()
  })

  test('MCPCP fault: calls of other clients and sessions counted; here only those of the same conversation', async () => {
    for (const name of ['one', 'two', 'one'])
      expect((await (await open(name)).header({ test: 'clients' }))[1]).toBeUndefined()
  })

  test('many at the same time are no repetition; after them comes the second round', async () => {
    const { header } = await open()
    const all = await Promise.all(Array.from({ length: 10 }, () => header({ test: 'many' })))
    expect(all.map(([, escalation]) => escalation)).toEqual(Array.from({ length: 10 }))
    expect((await header({ test: 'many' }))[1]).toBe('escalation: 2x')
  })

  test('MCPCP fault: without its settings it was off, and counts outlived a reload; here it is on, and settings count at once', async () => {
    world.set('cache', { enabled: false })
    const { header } = await open()
    const args = { test: 'settings' }
    const before = world.reached().length
    await header(args)
    expect((await header(args))[1]).toBe('escalation: 2x')
    expect(world.reached()).toHaveLength(before + 2)
    world.set('compression.escalationSeconds', 0)
    expect((await header(args))[1]).toBeUndefined()
    world.set('compression.escalationSeconds', undefined)
    expect((await header(args))[1]).toBeUndefined()
    expect((await header(args))[1]).toBe('escalation: 2x')
    world.set('cache', CACHED)
  })
})

describe('shortened forms', () => {
  // A form is kept after its answer.
  beforeEach(() => setImmediate())
  const forms = (): number =>
    world.engine.cache.store
      .list()
      .reduce((sum, { level, entries }) => sum + (level === 'form' ? entries : 0), 0)

  test('MCPCP fault: "Find It!" and "find it" were two calls; here goals that mean the same share result and form', async () => {
    world.set('compression.escalationSeconds', 0)
    const { text } = await open()
    const [reached, kept] = [world.reached().length, forms()]
    const ask = (goal: string) => text('large', { test: 'goals', _sluice_goal: goal })
    const first = await ask('the hours of his men')
    for (const goal of ['Men HOURS!', 'hour of “men”', 'What are the men’s hours?'])
      expect(await ask(goal)).toBe(first)
    expect(world.reached()).toHaveLength(reached + 1)
    await expect.poll(forms).toBe(kept + 1)
    expect(await ask('who went into the house')).not.toBe(first)
    await expect.poll(forms).toBe(kept + 2)
    expect(world.reached()).toHaveLength(reached + 1)
  })

  test('the same content from another call is shortened once, another policy makes another form', async () => {
    world.set('cache', {})
    const { text } = await open()
    const kept = forms()
    const first = await text('same', { test: 'one' })
    expect(first).toMatch(/^\[Compressed/)
    expect(await text('same', { test: 'two' })).toBe(first)
    await expect.poll(forms).toBe(kept + 1)
    world.set('compression.maxOutputTokens', 300)
    expect(await text('same')).not.toBe(first)
    await expect.poll(forms).toBe(kept + 2)
    world.set('cache', CACHED)
    world.set('compression.maxOutputTokens', 400)
  })

  test('a form whose original is gone is not used: its header would promise what is not there', async () => {
    const { text } = await open()
    const { results } = world.engine
    const first = await text('same')
    for (const { id } of await results.list()) results.delete(id)
    const reached = world.reached().length
    expect(await text('same')).toBe(first)
    expect(await results.list()).toHaveLength(1)
    expect(world.reached()).toHaveLength(reached)
  })
})
