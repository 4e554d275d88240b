import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { cacheMigrations } from '../../electron/engine/cache/cache-migrations.ts'
import { CacheStore } from '../../electron/engine/cache/cache-store.ts'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import type { Engine } from '../../electron/engine/engine.ts'
import { serveChannel } from '../../electron/engine/clients/transports/serve-channel.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { linkedChannels } from '../helpers/linked-channels.ts'
import { startTestEngine } from '../helpers/test-engine.ts'
import { quantile } from './quantile.ts'

export interface CacheFigures {
  /** Milliseconds per call inside the engine, from the client's request, including the server's time. */
  readonly calls: readonly { name: string; uncached: Quantiles; hit: Quantiles }[]
  /** After twelve thousand entries, with a limit of ten thousand entries and 500 MB. */
  readonly full: {
    readonly put: Quantiles
    readonly find: Quantiles
    readonly mostEntries: number
    readonly mostBytes: number
    /** Of cache.db and its companion files. */
    readonly fileBytes: number
  }
}

interface Quantiles {
  readonly p50: number
  readonly p99: number
}

const CALLS = 500
const LARGE_CALLS = 60
const LIMITS = { maxEntries: 10_000, maxBytes: 500_000_000 }
const PUT_IN = 12_000
const BODY_BYTES = 60_000
const LOOKED_UP = 2_000

/** Compares cached and uncached calls in one engine, and measures a full cache. */
export async function measureCache(folder: string, server: ServerSettings): Promise<CacheFigures> {
  const calls = [
    await measureCalls(
      join(folder, 'small'),
      server,
      'small result',
      { name: 'echo', arguments: { text: 'x' } },
      CALLS,
    ),
    await measureCalls(
      join(folder, 'large'),
      server,
      'log of 1 MB, shortened',
      { name: 'log', arguments: { bytes: 1_000_000 } },
      LARGE_CALLS,
    ),
  ]
  return { calls, full: measureFull(join(folder, 'cache.db')) }
}

async function measureCalls(
  folder: string,
  server: ServerSettings,
  name: string,
  params: { name: string; arguments: Record<string, unknown> },
  count: number,
): Promise<CacheFigures['calls'][number]> {
  const cache = { enabled: true, readOnly: 'yes', ttlSeconds: 3600 }
  const dataDir = writeConfig(folder, { one: server }, { cache, compression: { escalationSeconds: 0 } })
  const { engine, logger, close } = await startTestEngine(dataDir, { homeDir: folder, tempDir: folder })
  try {
    const [near, far] = linkedChannels()
    const scope = { kind: 'server', serverId: 'one' } as const
    await serveChannel(far, { scope, client: {}, openSession: engine.openSession, logger })
    const client = new Client({ name: 'bench', version: '1' })
    await client.connect(near as Transport)
    const run = async (): Promise<void> => {
      for (let n = 0; n < count; n++) await client.callTool(params)
    }
    await run()
    const hit = await engineTimes(engine, count, run)
    engine.settings.update([{ path: ['cache'], value: { enabled: false, shortened: false } }])
    const uncached = await engineTimes(engine, count, run)
    return { name, uncached, hit }
  } finally {
    await close()
  }
}

/** From the ledger. */
async function engineTimes(engine: Engine, count: number, run: () => Promise<void>): Promise<Quantiles> {
  const times: number[] = []
  const stop = engine.events.on('call-recorded', ({ ms }) => times.push(ms))
  await run()
  while (times.length < count) await new Promise((resolve) => setTimeout(resolve, 20))
  stop()
  return quantiles(times)
}

function measureFull(path: string): CacheFigures['full'] {
  const store = new CacheStore({
    path,
    open: () =>
      openDatabase({
        path,
        logger: silentLogger,
        now: Date.now,
        migrations: cacheMigrations,
        isChecked: false,
      }),
    limits: () => LIMITS,
    now: Date.now,
    logger: silentLogger,
  })
  const bytes = Buffer.alloc(BODY_BYTES, 'a body ')
  const [puts, finds]: [number[], number[]] = [[], []]
  let [mostEntries, mostBytes] = [0, 0]
  const keyOf = (n: number): string => n.toString(16).padStart(64, '0')
  for (let n = 0; n < PUT_IN; n++) {
    const created = Date.now()
    const entry = { key: keyOf(n), level: 'result', server: `s${n % 10}`, tool: 't', client: 'c' } as const
    // The last third is small, so that the number of entries is the limit.
    const body = { packing: 'json', bytes: n < (PUT_IN * 3) / 4 ? bytes : bytes.subarray(0, 500) } as const
    const from = performance.now()
    store.put({ ...entry, created, expires: created + 1e9, facts: { sha256: keyOf(n) }, body })
    puts.push(performance.now() - from)
    const totals = store.totals()
    mostEntries = Math.max(mostEntries, totals.entries)
    mostBytes = Math.max(mostBytes, totals.bytes)
  }
  for (let n = 0; n < LOOKED_UP; n++) {
    const key = keyOf(PUT_IN - 1 - ((n * 7919) % 4000))
    const from = performance.now()
    store.find(key)?.body()
    store.use(key)
    finds.push(performance.now() - from)
  }
  store.close()
  const fileBytes = ['', '-wal']
    .map((suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
  rmSync(path)
  return { put: quantiles(puts), find: quantiles(finds), mostEntries, mostBytes, fileBytes }
}

const quantiles = (times: readonly number[]): Quantiles => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
})
