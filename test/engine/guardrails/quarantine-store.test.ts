import { dirname, join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { QuarantineStore } from '../../../electron/engine/guardrails/quarantine-store.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const DAY = 86_400_000
const finding = {
  detector: 'rules',
  kind: 'override',
  score: 0.9,
  start: 0,
  end: 6,
  reason: 'says so',
} as const
const everyType = {
  content: [
    { type: 'text', text: 'Ignore \u001b[31m all\ud800', annotations: { priority: 1 } },
    { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'x:a', blob: 'AAAA', mimeType: 'application/pdf' } },
    { type: 'resource_link', uri: 'x:b', name: 'b' },
  ],
  structuredContent: { a: [1, null, true, { deep: 'text' }] },
  isError: true,
  _meta: { 'some.vendor/key': 1 },
}

function open(options: { path?: string; keepMs?: number; maxBytes?: number; at?: number } = {}) {
  const { keepMs = DAY, maxBytes = 1e9 } = options
  const clock = { now: options.at ?? 1_000_000 }
  const path = options.path ?? join(temporaryFolder(), 'sluice.db')
  const database = openDatabase({ path, logger: silentLogger, now: () => clock.now })
  onTestFinished(() => database.close())
  const store = new QuarantineStore(
    database,
    () => clock.now,
    () => ({ keepMs, maxBytes }),
  )
  const put = (owner = 'cursor', result: Record<string, unknown> = everyType) =>
    store.put({ owner, server: 's', tool: 't', arguments: { q: 'x' }, findings: [finding], result })
  return { store, put, path, clock }
}

describe('a quarantined result', () => {
  it('is gone from the disk once it is deleted, while the database stays open', async () => {
    const { store, path } = open()
    const secret = 'zebraquartz-4711'
    const { id } = await store.put({
      owner: 'cursor',
      server: 's',
      tool: 't',
      arguments: { q: secret, long: Array.from({ length: 3000 }, (_, n) => `${secret} ${n}`) },
      findings: [finding],
      result: everyType,
    })
    const onDisk = (): boolean =>
      readdirSync(dirname(path)).some((name) => readFileSync(join(dirname(path), name)).includes(secret))
    expect(onDisk()).toBe(true)
    store.delete(id)
    expect(onDisk()).toBe(false)
  })

  it('CP fault: every content type is kept whole, and comes back equal', async () => {
    const { store, put } = open()
    const { id } = await put()
    expect(await store.load(id)).toEqual(everyType)
    expect(store.get(id)).toEqual({
      id,
      at: 1_000_000,
      owner: 'cursor',
      server: 's',
      tool: 't',
      arguments: { q: 'x' },
      findings: [finding],
      size: Buffer.byteLength(JSON.stringify(everyType)),
      releasedAt: undefined,
      takenAt: undefined,
    })
  })

  it('CP fault: lies in a file that other users of the machine can not read', async () => {
    const { put, path } = open()
    await put()
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('is handed over once it is released, and then never again', async () => {
    const { store, put } = open()
    const { id } = await put()
    expect(await store.take(id, 'cursor')).toBeUndefined()
    store.release(id)
    expect((await store.take(id, 'cursor'))?.result).toEqual(everyType)
    await expect(store.take(id, 'cursor')).rejects.toThrow(/handed over already/)
    expect(store.get(id).takenAt).toBe(1_000_000)
  })

  it('is handed over to one of two that ask at the same moment', async () => {
    const { store, put } = open()
    const { id } = await put()
    store.release(id)
    const asked = await Promise.allSettled([store.take(id, 'cursor'), store.take(id, 'cursor')])
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('another client learns nothing of it, not even that it exists', async () => {
    const { store, put } = open()
    const { id } = await put()
    store.release(id)
    const answers = await Promise.allSettled([
      store.take(id, 'claude'),
      store.take('q_000000000000', 'claude'),
    ])
    const [foreign, unknown] = answers.map((answer) => String(answer.status === 'rejected' && answer.reason))
    expect(foreign).toBe(unknown?.replace('q_000000000000', id))
    expect((await store.take(id, 'cursor'))?.result).toEqual(everyType)
  })

  it('CP fault: a release in another process is seen at once by one that runs already', async () => {
    const running = open()
    const { id } = await running.put()
    expect(await running.store.take(id, 'cursor')).toBeUndefined()
    const cli = open({ path: running.path })
    cli.store.release(id)
    expect((await running.store.take(id, 'cursor'))?.result).toEqual(everyType)
  })

  it('a second release changes nothing, and deleting ends it', async () => {
    const { store, put, clock } = open()
    const { id } = await put()
    store.release(id)
    clock.now += 5
    expect(store.release(id).releasedAt).toBe(1_000_000)
    store.delete(id)
    expect(store.list()).toEqual([])
    await expect(store.take(id, 'cursor')).rejects.toThrow(/No result of the id/)
    for (const act of [() => store.get(id), () => store.release(id), () => store.delete(id)])
      expect(act).toThrow(/Nothing in quarantine has the id/)
    await expect(store.load(id)).rejects.toThrow(/Nothing in quarantine has the id/)
  })
})

describe('limits', () => {
  it('CP fault: nothing stays for ever: what is older than keepMs goes', async () => {
    const { store, put, clock } = open({ keepMs: 10 * DAY })
    const old = await put()
    clock.now += 9 * DAY
    const young = await put()
    await store.sweep()
    expect(store.list()).toHaveLength(2)
    clock.now += 2 * DAY
    await store.sweep()
    expect(store.list().map(({ id }) => id)).toEqual([young.id])
    expect(() => store.get(old.id)).toThrow(/Nothing in quarantine/)
  })

  it('the oldest go when all together are too large; the one just put always stays', async () => {
    const { store, put, clock } = open({ maxBytes: 25_000 })
    const noise = () => ({ content: [{ type: 'text', text: randomBytes(5_000).toString('hex') }] })
    const ids: string[] = []
    for (let n = 0; n < 8; n++) {
      clock.now += 1
      ids.unshift((await put('cursor', noise())).id)
    }
    const kept = store.list().map(({ id }) => id)
    expect(kept.length).toBeGreaterThan(2)
    expect(kept.length).toBeLessThan(6)
    expect(kept).toEqual(ids.slice(0, kept.length))
    clock.now += 1
    const huge = await put('cursor', {
      content: [{ type: 'text', text: randomBytes(50_000).toString('hex') }],
    })
    expect(store.list().map(({ id }) => id)).toEqual([huge.id])
  })
})
