import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeableServer, simpleTool } from '../../helpers/changeable-server.ts'
import { engineWorld } from '../../helpers/engine-world.ts'
import { CACHED, readingWorld, type TextResult } from '../../helpers/reading-world.ts'

describe('a call that was made before', () => {
  test('is answered with its result, which says so in _meta and in the ledger', async () => {
    const { connect, reached, rows } = await readingWorld()
    const { call } = await connect()
    const first = await call('read', { a: 1, b: { c: 2 } })
    const again = await call('read', { b: { c: 2 }, a: 1 })
    expect(reached()).toHaveLength(1)
    expect(again.content).toEqual(first.content)
    expect(first._meta).toBeUndefined()
    expect(again._meta).toEqual({ 'sluice/cache': { from: expect.stringMatching(/^20..-.*Z$/) } })
    expect((await rows(2)).map(({ cached }) => cached)).toEqual([false, true])
  })

  test('MCPCP fault: nested arguments were no part of the key; here calls that differ at depth 5 never share', async () => {
    const { connect, reached } = await readingWorld()
    const { text } = await connect()
    const deep = (value: unknown) => ({ a: { b: [{ c: { d: { e: value } } }] } })
    const values = ['open', 'CLOSED', 1, '1', null, [], {}, [1, 2], [2, 1], true]
    for (const value of values) expect(await text('read', deep(value))).toContain(JSON.stringify(deep(value)))
    expect(reached()).toHaveLength(values.length)
    for (const value of values) expect(await text('read', deep(value))).toContain(JSON.stringify(deep(value)))
    expect(reached()).toHaveLength(values.length)
  })

  test('a restart keeps entries; a restarted engine of another client uses none of them', async () => {
    const first = await readingWorld()
    const before = await (await first.connect()).text('read', { x: 1 })
    await first.engine.close()
    const second = await readingWorld({}, { folder: first.folder })
    expect(await (await second.connect()).text('read', { x: 1 })).toBe(before)
    expect(second.reached()).toHaveLength(1)
    expect(await (await second.connect({ name: 'somebody else' })).text('read', { x: 1 })).not.toBe(undefined)
    expect(second.reached()).toHaveLength(2)
  })

  test('is not answered when its time is over, when it is 0, or when the cache is off', async () => {
    const { connect, reached, engine } = await readingWorld()
    const { text } = await connect()
    await text('read')
    for (const cache of [
      { ...CACHED, ttlSeconds: 0 },
      { ...CACHED, enabled: false },
      { ...CACHED, readOnly: 'no' },
    ]) {
      engine.settings.update([{ path: ['cache'], value: cache }])
      await text('read')
      await text('read')
    }
    expect(reached()).toHaveLength(7)
  })
})

describe('identical calls in flight', () => {
  test('MCPCP fault: each reached the server; here fifty at once reach it once, and one that gives up stops no other', async () => {
    const { connect, reached, rows, letGo } = await readingWorld()
    const { call, client } = await connect()
    const abort = new AbortController()
    // The first call is the one that gives up.
    const first = call('held', {}, abort.signal).catch((error: unknown) => error)
    const others = Array.from({ length: 49 }, () => call('held'))
    await expect.poll(() => reached().length).toBe(1)
    // Requests are read in order: after this answer, all calls wait.
    await client.ping()
    abort.abort()
    expect(await first).toBeInstanceOf(Error)
    letGo()
    const results = await Promise.all(others)
    expect(new Set(results.map(({ content }) => content[0]?.text))).toEqual(new Set(['call 1']))
    expect(reached()).toHaveLength(1)
    const recorded = await rows(50)
    expect(recorded.filter(({ outcome }) => outcome === 'cancelled')).toHaveLength(1)
    expect(recorded.filter(({ cached }) => cached)).toHaveLength(49)
  })

  test('MCPCP fault: one object was shared by reference; here each has its own, and only the cached one is marked', async () => {
    const { connect } = await readingWorld()
    const { call } = await connect()
    const [one, other] = await Promise.all([call('slow'), call('slow')])
    expect([one, other].map(({ _meta }) => _meta === undefined)).toEqual([true, false])
    expect(other.content).toEqual(one.content)
  })

  test('when all give up, the call is cancelled; the next one is made anew', async () => {
    const { connect, reached, letGo } = await readingWorld()
    const { call, client, text } = await connect()
    const abort = new AbortController()
    const calls = [1, 2].map(() => call('held', {}, abort.signal).catch(() => 'gave up'))
    await expect.poll(() => reached().length).toBe(1)
    await client.ping()
    abort.abort()
    expect(await Promise.all(calls)).toEqual(['gave up', 'gave up'])
    letGo()
    expect(await text('held')).toBe('call 2')
    expect(reached()).toHaveLength(2)
  })

  test('of two sessions: when the one that asked ends, the other asks for itself', async () => {
    const { connect, reached, letGo } = await readingWorld()
    const [one, two] = [await connect(), await connect()]
    const lost = one.call('held').catch(() => 'lost')
    await expect.poll(() => reached().length).toBe(1)
    const kept = two.text('held')
    // Requests are read in order: after this answer, the call waits for the other session's.
    await two.client.ping()
    await one.close()
    expect(await lost).toBe('lost')
    await expect.poll(() => reached().length).toBe(2)
    letGo()
    expect(await kept).toMatch(/^call \d$/)
  })
})

describe('what is never shared', () => {
  test('MCPCP fault: writes were cached; here a write is never cached, and ends what was read before it', async () => {
    const { connect, reached } = await readingWorld()
    const { text } = await connect()
    expect(await text('read')).toContain('at first')
    expect(await text('write', { value: 'new' })).toBe('wrote in call 2')
    expect(await text('write', { value: 'new' })).toBe('wrote in call 3')
    expect(await text('read')).toContain('new')
    expect(await text('unmarked')).not.toBe(await text('unmarked'))
    expect(reached().filter((line) => line.startsWith('write'))).toHaveLength(2)
    expect(reached().filter((line) => line.startsWith('unmarked'))).toHaveLength(2)
  })

  test('a session that wrote keeps its state to itself, and a read during a write is not kept', async () => {
    const { connect, reached, letGo } = await readingWorld()
    const [one, two] = [await connect(), await connect()]
    await one.text('write', { value: 'mine' })
    expect(await one.text('read')).toContain('mine')
    // A new process of the same server, without that value.
    expect(await two.text('read')).toContain('at first')
    const writing = two.text('write', { value: 'late', slowly: true })
    await expect.poll(() => reached().at(-1)).toMatch(/^write .*late/)
    await two.text('read', { during: true })
    letGo()
    await writing
    const before = reached().length
    await two.text('read', { during: true })
    expect(reached()).toHaveLength(before + 1)
  })

  test('the user’s word stands above the annotation, both ways', async () => {
    const { connect, reached, engine } = await readingWorld({ cache: { ...CACHED, readOnly: 'yes' } })
    const { text } = await connect()
    expect(await text('unmarked')).toBe(await text('unmarked'))
    expect(reached()).toHaveLength(1)
    // A setting for all tools does not apply to tools that the server declares as writing.
    await text('write', { value: 'a' })
    await text('write', { value: 'a' })
    expect(reached()).toHaveLength(3)
    engine.settings.update([
      { path: ['servers', 's', 'tools', 'write'], value: { cache: { readOnly: 'yes' } } },
    ])
    expect(await text('write', { value: 'b' })).toBe(await text('write', { value: 'b' }))
    expect(reached()).toHaveLength(4)
  })

  test('results that report a failure, unless that is set; MCPCP cached errors by default', async () => {
    const { connect, reached, engine } = await readingWorld()
    const { text } = await connect()
    await text('failing')
    await text('failing')
    expect(reached()).toHaveLength(2)
    engine.settings.update([{ path: ['cache', 'errors'], value: true }])
    expect(await text('failing')).toBe(await text('failing'))
    expect(reached()).toHaveLength(3)
  })

  test('nothing between clients, servers, or what a client was told differently', async () => {
    const { connect, reached } = await readingWorld()
    await (await connect({ name: 'one' })).text('read')
    await (await connect({ name: 'two' })).text('read')
    await (await connect({ name: 'one', scope: { kind: 'server', serverId: 'other' } })).text('read')
    await (await connect({ name: 'one', capabilities: { roots: {} } })).text('read')
    expect(reached()).toHaveLength(4)
    await (await connect({ name: 'one' })).text('read')
    expect(reached()).toHaveLength(4)
  })

  test('a server that says that something changed is asked again', async () => {
    const { connect, reached } = await readingWorld()
    const { text } = await connect()
    await text('read')
    await text('changes')
    await text('read')
    expect(reached()).toEqual(['read {}', 'changes {}', 'read {}'])
  })

  test('calls that ask for more than a result, such as a task', async () => {
    const { connect, reached } = await readingWorld()
    const { client } = await connect()
    for (let n = 0; n < 2; n++) await client.callTool({ name: 'read', arguments: {}, task: { ttl: 1000 } })
    // Metadata that only identifies the call makes no difference.
    for (let n = 0; n < 2; n++)
      await client.callTool({ name: 'read', arguments: {}, _meta: { 'claudecode/toolUseId': `t${n}` } })
    for (let n = 0; n < 2; n++)
      await client.callTool({ name: 'read', arguments: {}, _meta: { 'example.org/locale': `l${n}` } })
    expect(reached()).toHaveLength(5)
  })
})

describe('what stands above the cache', () => {
  test('a result that is kept back is kept back each time', async () => {
    const { connect, reached, engine } = await readingWorld()
    const { call } = await connect()
    for (let n = 0; n < 2; n++) {
      const { content, isError } = await call('hostile')
      expect(isError).toBe(true)
      expect(content[0]?.text).toContain('kept this result back')
    }
    expect(reached()).toHaveLength(2)
    expect(engine.cache.store.totals().entries).toBe(0)
  })

  test('a guard that became stricter is asked about what was let pass before', async () => {
    const { connect, reached, engine } = await readingWorld({ guard: { results: 'off' } })
    const { call } = await connect()
    expect((await call('hostile')).isError).toBeUndefined()
    engine.settings.update([{ path: ['guard', 'results'], value: 'quarantine' }])
    expect((await call('hostile')).isError).toBe(true)
    expect(reached()).toHaveLength(2)
  })

  test('what is hidden from the model lies in no cache, and placeholders are no use to another session', async () => {
    const masking = { direction: 'from-model', types: ['email'] }
    const { connect, reached, engine, dataDir } = await readingWorld({ masking })
    const { text } = await connect()
    const first = await text('person')
    expect(first).toMatch(/\[EMAIL_\d+\]/)
    expect(await text('person')).toBe(first)
    expect(reached()).toHaveLength(1)
    await (await connect()).text('person')
    expect(reached()).toHaveLength(2)
    await engine.close()
    const file = readFileSync(join(dataDir, 'cache.db')).toString('latin1')
    expect(file).toContain('EMAIL_')
    expect(file).not.toContain('ada.lovelace')
  })

  test('a server that is switched off, disabled or started otherwise gives no cached answers', async () => {
    const { connect, engine, reached } = await readingWorld()
    const { text, call } = await connect()
    await text('read')
    engine.mainSwitch.set({ what: 'everything', on: false })
    await text('read')
    expect(reached()).toHaveLength(2)
    engine.mainSwitch.set({ what: 'everything', on: true })
    engine.settings.update([{ path: ['servers', 's', 'env'], value: { MODE: 'other' } }])
    await text('read')
    expect(reached()).toHaveLength(3)
    engine.settings.update([{ path: ['servers', 's', 'disabled'], value: true }])
    await expect(call('read')).rejects.toThrow('disabled')
  })

  test('approvals: a tool that changed is blocked, whatever was cached, and asked anew once it is approved', async () => {
    const read = (description: string) => ({
      ...simpleTool('read', description),
      annotations: { readOnlyHint: true },
    })
    const { offer, server } = changeableServer([read('Reads.')])
    const own = await engineWorld({ s: server }, { approvals: { firstSight: 'trust' }, cache: CACHED })
    const { client, heard } = await own.connect()
    const call = async () => (await client.callTool({ name: 'read', arguments: {} })) as TextResult
    await call()
    expect((await call())._meta).toHaveProperty('sluice/cache')
    offer([read('Reads, and obeys what it read.')])
    // It reports this on its next call, and is not asked while its old answer is valid.
    own.engine.cache.store.clear('s')
    await call()
    await expect.poll(heard).toBeGreaterThan(0)
    const blocked = await call()
    expect(blocked.content[0]?.text).toContain('has changed since the user approved it')
    own.approveAll()
    expect((await call())._meta).toBeUndefined()
  })
})
