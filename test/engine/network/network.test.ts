import { copyFileSync, writeFileSync } from 'node:fs'
import * as https from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../../electron/cli/doctor/finding.ts'
import { useNetwork } from '../../../electron/engine/network/create-network.ts'
import { proxiesOf, proxyWords } from '../../../electron/engine/network/proxies.ts'
import { Settings } from '../../../shared/settings.ts'
import { startFeaturesHttp } from '../../fixtures/servers/features-http.ts'
import { engineWorld } from '../../helpers/engine-world.ts'
import { jsonServer } from '../../helpers/json-server.ts'
import { runCli } from '../../helpers/run-cli.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { CA_FILE, connectProxy, TLS_HOST, tlsInFrontOf } from '../../helpers/tls-world.ts'

const settingsWith = (caFile?: string): Settings => Settings.parse({ network: caFile ? { caFile } : {} })
const noWarning = (message: string): never => {
  throw new Error(message)
}

/** A remote TLS server reachable only through the proxy, and the proxy. */
async function world() {
  const features = await startFeaturesHttp()
  onTestFinished(() => features.close())
  const port = await tlsInFrontOf(Number(new URL(features.url).port))
  const proxy = await connectProxy()
  const host = `${TLS_HOST}:${port}`
  return { host, url: `https://${host}/mcp`, proxy, env: { HTTPS_PROXY: proxy.url } }
}

test('doctor reaches a remote server through the proxy and the private authority, and says so', async () => {
  const { host, url, proxy, env } = await world()
  const dataDir = temporaryFolder()
  const doctor = async (network: object, more: Record<string, string> = {}) => {
    const config = { http: { port: 0 }, network, servers: { far: { url } } }
    writeFileSync(join(dataDir, 'config.json'), JSON.stringify(config), { mode: 0o600 })
    const { stdout } = await runCli(['doctor', '--json', '--data-dir', dataDir], { env: { ...env, ...more } })
    const findings = JSON.parse(stdout) as Finding[]
    return (subject: string) => findings.find((finding) => finding.subject === subject)
  }
  const trusting = await doctor({ caFile: CA_FILE })
  expect(trusting('server far')).toMatchObject({ status: 'ok' })
  expect(proxy.asked).toContain(host)
  const said = trusting('network')
  expect(said?.status).toBe('ok')
  expect(said?.message).toContain(`through ${proxy.url.replace('user:word@', '')} (HTTPS_PROXY)`)
  expect(said?.message).toContain(CA_FILE)
  expect(said?.message).not.toContain('word')

  const byEnvironment = await doctor({}, { NODE_EXTRA_CA_CERTS: CA_FILE })
  expect(byEnvironment('server far')).toMatchObject({ status: 'ok' })
  const untrusted = await doctor({})
  expect(untrusted('server far')).toMatchObject({ status: 'problem' })
  expect(untrusted('server far')?.message).toMatch(/certificate.*network\.caFile/s)
  const noFile = await doctor({ caFile: join(dataDir, 'none.pem') })
  expect(noFile('network')).toMatchObject({ status: 'problem' })
  expect(noFile('network')?.message).toMatch(/none\.pem are not trusted.*PEM/s)

  const before = proxy.asked.length
  const excepted = await doctor({ caFile: CA_FILE }, { NO_PROXY: TLS_HOST })
  expect(excepted('server far')).toMatchObject({ status: 'problem' })
  expect(proxy.asked).toHaveLength(before)
})

test('an engine calls through them, this machine directly, and its traces take the same way', async () => {
  const { host, url, proxy, env } = await world()
  const near = await jsonServer({ near: true })
  const collector = await jsonServer({})
  const collectorPort = await tlsInFrontOf(Number(new URL(collector.url).port))
  // Imported here, so that the test need not wait for the engine to do it.
  await import('../../../electron/engine/telemetry/otlp-tracer.ts')
  const ends: (() => Promise<void> | void)[] = []
  const before = { ...process.env }
  Object.assign(process.env, env)
  onTestFinished(() => {
    delete process.env['HTTPS_PROXY']
    Object.assign(process.env, before)
  })
  const { connect, engine } = await engineWorld(
    { s: { url } },
    {
      approvals: { firstSight: 'trust' },
      network: { caFile: CA_FILE },
      telemetry: { endpoint: `https://${TLS_HOST}:${collectorPort}` },
    },
    { whenDone: (end) => void ends.push(end) },
  )
  const { call } = await connect()
  expect(await call('echo', { text: 'far away' })).toBe('far away')
  expect(proxy.asked).toContain(host)
  const asked = proxy.asked.length
  expect(await (await fetch(near.url)).json()).toEqual({ near: true })
  expect(proxy.asked).toHaveLength(asked)
  // Downloads and sign-ins use `fetch`, other packages Node's agent.
  const response = new Promise<{ statusCode?: number | undefined }>((resolve, reject) =>
    https.get(`https://${host}/nothing`, resolve).once('error', reject),
  )
  expect((await response).statusCode).toBe(404)
  // What was recorded is sent when telemetry is switched off, and at the engine's end, which waits for it only two seconds.
  expect(await call('echo', { text: 'traced' })).toBe('traced')
  engine.settings.update([{ path: ['telemetry', 'endpoint'], value: undefined }])
  await expect.poll(() => collector.received.map(({ path }) => path)).toContain('/v1/metrics')
  expect(proxy.asked).toContain(`${TLS_HOST}:${collectorPort}`)
  for (const end of ends.reverse()) await end()
  await expect(fetch(`https://${host}/`)).rejects.toThrow()
})

test('authorities can be added and taken back while running', async () => {
  const features = await jsonServer({ is: 'here' })
  const port = await tlsInFrontOf(Number(new URL(features.url).port))
  const proxy = await connectProxy()
  const env = { HTTPS_PROXY: proxy.url }
  const url = `https://${TLS_HOST}:${port}/`
  const folder = temporaryFolder()
  const caFile = join(folder, 'own.pem')
  copyFileSync(CA_FILE, caFile)
  onTestFinished(await useNetwork(settingsWith(caFile), { env, warn: noWarning }))
  expect(await (await fetch(url)).json()).toEqual({ is: 'here' })
  const restore = await useNetwork(settingsWith(), { env, warn: noWarning })
  onTestFinished(restore)
  await expect(fetch(url)).rejects.toThrow()
  const warnings: string[] = []
  writeFileSync(caFile, 'no certificate')
  onTestFinished(
    await useNetwork(settingsWith(caFile), { env, warn: (message) => void warnings.push(message) }),
  )
  expect(warnings).toEqual([expect.stringMatching(/own\.pem are not trusted: there is none in it/)])
})

test.each([
  [{}, undefined],
  [{ HTTPS_PROXY: ' ' }, undefined],
  [
    { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://u:p@b:2', NO_PROXY: 'x.example' },
    'https:// through http://b:2 (https_proxy); directly: x.example,localhost,127.0.0.1,::1',
  ],
  [
    { HTTP_PROXY: 'nonsense' },
    "http:// through HTTP_PROXY, which isn't a valid address; directly: localhost,127.0.0.1,::1",
  ],
])('%j', (env, words) => {
  const proxies = proxiesOf(env)
  expect(proxies && proxyWords(proxies)).toBe(words)
})

test('a proxy that can not be used is said, and costs nothing else', async () => {
  const warnings: string[] = []
  const restore = await useNetwork(settingsWith(), {
    env: { HTTPS_PROXY: 'socks5://127.0.0.1:1' },
    warn: (message) => void warnings.push(message),
  })
  restore()
  expect(warnings).toEqual([expect.stringMatching(/can't be used.*HTTPS_PROXY must start/s)])
})
