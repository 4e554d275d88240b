import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { createProgramBrowser } from '../helpers/program-browser.ts'
import { runCli } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const visit = (link: string): Promise<Response> => createProgramBrowser().open(link)

test('a new link to the screens while the engine runs, once each; npm start gives one, too', async () => {
  const dataDir = writeConfig(join(temporaryFolder(), 'data'), {})
  const engine = await startEngine(dataDir)
  try {
    const { stdout, code } = await runCli(['open', '--data-dir', dataDir])
    expect(code).toBe(0)
    const link = stdout.trim()
    expect((await visit(link)).status).toBe(200)
    expect((await visit(link)).status).toBe(401)

    const started = await runCli(['start', '--data-dir', dataDir])
    expect(started.code).toBe(0)
    const another = /http\S+/.exec(started.stdout.split('runs already')[1] ?? '')?.[0] ?? ''
    expect((await visit(another)).status).toBe(200)
    expect((await fetch(`${engine.url}/new-link`)).status).toBe(401)
  } finally {
    await engine.stop()
  }
  expect(existsSync(join(dataDir, 'engine.url'))).toBe(false)
})

test('what answers with an error is no engine, and its text no link', async () => {
  const dataDir = temporaryFolder()
  const other = createServer((_, response) => response.writeHead(500).end('http://elsewhere/')).listen(0)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  writeFileSync(join(dataDir, 'engine.url'), `http://127.0.0.1:${(other.address() as AddressInfo).port}`)
  writeFileSync(join(dataDir, 'token'), 'x')
  const { code, stdout, stderr } = await runHere(['open', '--data-dir', dataDir])
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(/"sluice serve" starts one/)
})

test('without an engine: what to do', async () => {
  const { stderr, code } = await runCli(['open', '--data-dir', temporaryFolder()])
  expect(stderr).toMatch(/"sluice serve" starts one/)
  expect(code).toBe(3)
})
