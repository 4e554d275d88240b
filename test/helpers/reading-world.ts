import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { engineWorld, type ConnectOptions } from './engine-world.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testServer } from './upstream.ts'

/** Read-only tools are cached where their server marks them. */
export const CACHED = { enabled: true, readOnly: 'marked', ttlSeconds: 300 } as const

/** Longer than rows of the ledger are gathered. */
const WRITTEN_AFTER_MS = 300

export type TextResult = {
  content: { text?: string }[]
  _meta?: Record<string, unknown>
  isError?: boolean
}

/** An engine in front of servers that note every call that reaches them. */
export async function readingWorld(
  settings: Readonly<Record<string, unknown>> = {},
  {
    whenDone = onTestFinished,
    folder = temporaryFolder(whenDone),
    now = Date.now,
  }: Parameters<typeof engineWorld>[2] = {},
) {
  const path = join(folder, 'reached.txt')
  const own = await engineWorld(
    { s: testServer('reading', path), other: testServer('reading', path) },
    { approvals: { firstSight: 'trust' }, cache: CACHED, ...settings },
    { folder, whenDone, now },
  )
  /** The calls that reached a server, one line each. */
  const reached = (): string[] => (existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [])
  const connect = async (options: ConnectOptions = {}) => {
    const { client, close } = await own.connect(options)
    const call = async (name: string, args: Record<string, unknown> = {}, signal?: AbortSignal) =>
      (await client.callTool({ name, arguments: args }, signal ? { signal } : undefined)) as TextResult
    const text = async (name: string, args: Record<string, unknown> = {}) =>
      (await call(name, args)).content[0]?.text ?? ''
    return { client, call, text, close }
  }
  /** The ledger's last `count` rows, the oldest first; they are written a moment after the calls. */
  const rows = async (count: number) => {
    await wait(WRITTEN_AFTER_MS)
    return (await own.engine.ledger.recentCalls(count)).toReversed()
  }
  const set = (key: string, value: unknown): void =>
    own.engine.settings.update([{ path: key.split('.'), value }])
  return { ...own, reached, connect, rows, set }
}
