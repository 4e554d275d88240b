import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { engineWorld, type ConnectOptions } from './engine-world.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testServer } from './upstream.ts'

/** Read-only tools are cached if marked by their server. */
export const CACHED = { enabled: true, readOnly: 'marked', ttlSeconds: 300 } as const

const EVERY = 100_000

export type TextResult = {
  content: { text?: string }[]
  _meta?: Record<string, unknown>
  isError?: boolean
}

/** Servers record every call that reaches them. */
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
  let [made, recorded] = [0, 0]
  own.engine.events.on('call-recorded', () => void recorded++)
  /** One line per call. */
  const reached = (): string[] => (existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [])
  const connect = async (options: ConnectOptions = {}) => {
    const { client, close } = await own.connect(options)
    const call = async (name: string, args: Record<string, unknown> = {}, signal?: AbortSignal) => {
      made++
      return (await client.callTool({ name, arguments: args }, signal ? { signal } : undefined)) as TextResult
    }
    const text = async (name: string, args: Record<string, unknown> = {}) =>
      (await call(name, args)).content[0]?.text ?? ''
    return { client, call, text, close }
  }
  /** Last `count` rows, oldest first; written a moment after the calls. */
  const rows = async (count: number) => {
    await expect
      .poll(async () => {
        const written = (await own.engine.ledger.recentCalls(EVERY)).length
        return recorded >= made && written === recorded
      })
      .toBe(true)
    return (await own.engine.ledger.recentCalls(count)).toReversed()
  }
  const set = (key: string, value: unknown): void =>
    own.engine.settings.update([{ path: key.split('.'), value }])
  /** Answers calls of `held` and slow writes from now on. */
  const letGo = (): void => writeFileSync(`${path}.go`, '')
  return { ...own, reached, connect, rows, set, letGo }
}
