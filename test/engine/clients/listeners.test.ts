import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../../electron/engine/ground/logger.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { startTestEngine } from '../../helpers/test-engine.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('another http.port and an emptied file while the engine runs: the log and /health say it, nothing moves', async () => {
  const dataDir = temporaryFolder()
  const config = join(dataDir, 'config.json')
  const port = await freePort()
  const write = (next: number, logLevel: string): void =>
    writeFileSync(
      config,
      JSON.stringify({ logLevel, http: { port: next }, servers: { a: { command: 'x' } } }),
    )
  write(port, 'info')
  const path = join(dataDir, 'sluice.log')
  const logger = createLogger({ level: 'info', file: { path, maxBytes: 1_000_000, keep: 1 }, now: Date.now })
  const { engine, close } = await startTestEngine(dataDir, { logger })
  onTestFinished(close)
  const { url } = await engine.listen()
  const told = (): string[] => readFileSync(path, 'utf8').match(/"http\.port is [^"]*/g) ?? []

  write(port, 'debug')
  engine.settings.reload()
  expect(told()).toEqual([])
  write(7, 'debug')
  engine.settings.reload()
  write(7, 'info')
  engine.settings.reload()
  expect(told()).toEqual([
    `"http.port is 7 in the settings now. It takes effect at the next start of Sluice; until then ${url} stays.`,
  ])

  writeFileSync(config, '')
  engine.settings.reload()
  expect(Object.keys(engine.settings.current.servers)).toEqual(['a'])
  expect(readFileSync(path, 'utf8')).toContain('The file is empty')
  const token = readFileSync(join(dataDir, 'token'), 'utf8').trim()
  const response = await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } })
  expect(await response.json()).toMatchObject({
    ok: false,
    problems: [expect.stringContaining('The file is empty')],
  })
})
