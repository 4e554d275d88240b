import { expect, onTestFinished, test } from 'vitest'
import { join } from 'node:path'
import { writeConfig } from '../helpers/data-folder.ts'
import { descendantsOf } from '../helpers/process-tree.ts'
import { isRunning } from '../helpers/processes.ts'
import { RawClient, type RawMessage } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** A script's maximum; one runs at a time. */
const LONG_MS = 30_000
const SCRIPTS = 8

test('/health and SIGTERM are answered while a huge result is read and scripts run that never end', async () => {
  const folder = temporaryFolder()
  const dataDir = writeConfig(join(folder, 'data'), { hog: testServer('hogging') }, {})
  const engine = await startEngine(dataDir, { ...process.env, HOME: folder })
  onTestFinished(async () => void (await engine.stop('SIGKILL')))
  const client = new RawClient({
    command: process.execPath,
    args: [CLI, 'connect', '--server', 'hog', '--data-dir', dataDir],
  })
  onTestFinished(() => client.kill('SIGKILL'))
  await client.initialize()
  const call = (name: string, args: RawMessage): Promise<RawMessage> =>
    client.request('tools/call', { name, arguments: args })
  const id = /r_[0-9a-f]+/.exec(JSON.stringify(await call('log', { bytes: 100_000 })))?.[0] ?? ''

  const answered: string[] = []
  const note = (name: string, asked: Promise<unknown>): Promise<unknown> =>
    asked.catch(String).finally(() => answered.push(name))
  const busy = [
    ...Array.from({ length: SCRIPTS }, () =>
      note('script', call('proxy_run', { id, code: 'for (;;);', timeout_ms: LONG_MS })),
    ),
    note('html', call('html', { bytes: 20_000_000 })),
  ]
  // Answered after the page: the engine has the page, and a worker scans or shortens it.
  expect(await call('count', { text: 'abc' })).toMatchObject({ result: { content: [{ text: '3' }] } })
  const health = await fetch(`${engine.url}/health`)
  expect(health.status).toBe(200)
  expect(answered).not.toContain('html')
  expect(answered.length).toBeLessThan(SCRIPTS)

  const started = descendantsOf(engine.pid)
  const ended = engine.stop('SIGTERM')
  expect(await ended).toBe(0)
  await waitFor(() => expect(started.filter(isRunning)).toEqual([]))
  client.kill('SIGKILL')
  await Promise.all(busy)
})
