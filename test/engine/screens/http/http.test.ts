import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SECRET_MARK } from '../../../../shared/api/settings.ts'
import { challengeOf, createProgramBrowser, postProof, sessionOf } from '../../../helpers/program-browser.ts'
import { isRunning } from '../../../helpers/processes.ts'
import { startScreensWorld, type ScreensWorld } from '../../../helpers/screens-world.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { testServer } from '../../../helpers/upstream.ts'

const json = { 'Content-Type': 'application/json' }
const call = (input: unknown): RequestInit => ({
  method: 'POST',
  headers: json,
  body: JSON.stringify({ json: input }),
})

/** With exactly these headers, which fetch does not allow. */
function rawStatus(
  world: ScreensWorld,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(
      `${world.url}${path}`,
      { method, headers, setHost: headers['Host'] === undefined },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
      .on('error', reject)
      .end()
  })
}

test('MCPCP had no auth: no procedure answers without token or session, nor to a foreign Host or Origin', async () => {
  const world = await startScreensWorld({ one: testServer('big-result') })
  const paths = ['/api/status', '/api/config', '/api/logs/stream', '/api/openapi.json', '/rpc/settings/raw']
  for (const path of paths) {
    expect(await rawStatus(world, path, {}), path).toBe(401)
    expect(await rawStatus(world, path, { Authorization: 'Bearer wrong' }), path).toBe(401)
    const token = { Authorization: `Bearer ${world.token}` }
    expect(await rawStatus(world, path, { ...token, Host: 'evil.example:80' }), path).toBe(403)
    expect(await rawStatus(world, path, { ...token, Origin: 'https://evil.example' }), path).toBe(403)
  }
  expect((await world.fetch('/api/status')).status).toBe(200)
})

test('a session opens the contract to our own page only; a cookie opens nothing', async () => {
  const world = await startScreensWorld({ one: testServer('big-result') })
  const session = await sessionOf(await createProgramBrowser().open(world.listening.newBrowserLink()))
  const [value = ''] = Object.values(session)
  const reload = (headers: Record<string, string>): Promise<number> =>
    rawStatus(world, '/api/reload', headers, 'POST')
  expect(await reload(session)).toBe(200)
  expect(await reload({ ...session, Origin: world.url, 'Sec-Fetch-Site': 'same-origin' })).toBe(200)
  expect(await rawStatus(world, '/api/status', session)).toBe(200)
  expect(await reload({ ...session, Origin: 'http://127.0.0.1:1' })).toBe(403)
  for (const site of ['same-site', 'cross-site', 'none'])
    expect(await reload({ ...session, 'Sec-Fetch-Site': site }), site).toBe(401)
  for (const name of ['sluice_session', 'sluice-session'])
    expect(await reload({ Cookie: `${name}=${value}`, Origin: world.url })).toBe(401)
  expect(await reload({ Authorization: `Bearer ${value}` })).toBe(401)
  expect(await rawStatus(world, '/mcp/one', session, 'POST')).toBe(401)
  expect(await rawStatus(world, '/new-link', session)).toBe(401)
})

test('whoever has no access gets the page, which says how to get it, and errors in JSON from everything else', async () => {
  const screensFolder = temporaryFolder()
  writeFileSync(join(screensFolder, 'index.html'), '<title>Sluice</title>')
  const launcher = { command: process.execPath, args: ['/opt/slu ice/cli.js', '--data-dir', '/data'] }
  const world = await startScreensWorld({}, {}, { screensFolder, launcher })
  for (const path of ['/', '/open?code=guess']) {
    const page = await fetch(world.url + path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.getSetCookie()).toEqual([])
  }
  const { command } = (await (await fetch(`${world.url}/access`)).json()) as { command: string }
  expect(command).toMatch(/(?:node|'?\/.*) '\/opt\/slu ice\/cli\.js' --data-dir \/data open$/)
  for (const path of ['/api/status', '/rpc/settings/raw', '/api/nothing']) {
    const refused = await fetch(world.url + path)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/json'])
    const text = await refused.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'ACCESS_NEEDED', json: { code: 'ACCESS_NEEDED' } })
    // S16: the token's location is only for authorised readers.
    expect(text).not.toContain(world.dataDir)
  }
})

test('a browser that was let in comes back with its key, which nobody can stand in for', async () => {
  const world = await startScreensWorld({})
  const [browser, other] = [
    createProgramBrowser('Mozilla/5.0 (X11; Linux) Firefox/145.0'),
    createProgramBrowser(),
  ]
  const link = world.listening.newBrowserLink()
  expect((await browser.open(link)).status).toBe(200)
  // A link works once.
  expect((await other.open(link)).status).toBe(401)
  expect((await browser.open(link)).status).toBe(401)
  expect((await browser.enter(world.url)).status).toBe(200)
  expect((await other.enter(world.url)).status).toBe(401)

  const challenge = await challengeOf(world.url)
  const good = browser.proof(world.url, challenge)
  const attempts: Record<string, object> = {
    'of another origin': browser.proof('http://127.0.0.1:1', challenge),
    'of another name': browser.proof(world.url.replace('127.0.0.1', 'localhost'), challenge),
    'another key': { ...good, publicKey: other.proof(world.url, challenge).publicKey },
    'another signature': { ...good, signature: other.proof(world.url, challenge).signature },
    'no signature': { ...good, signature: '' },
    'a challenge of its own': browser.proof(
      world.url,
      `${Date.now() * 2}.${'A'.repeat(24)}.${'A'.repeat(43)}`,
    ),
    'no challenge': browser.proof(world.url, ''),
  }
  for (const [what, proof] of Object.entries(attempts))
    expect((await postProof(world.url, proof)).status, what).toBe(401)
  for (const proof of [{}, { ...good, publicKey: 7 }, { ...good, challenge: 'x'.repeat(5000) }])
    expect((await postProof(world.url, proof)).status).toBe(400)
  expect((await postProof(world.url, good)).status).toBe(200)
  expect((await postProof(world.url, good)).status).toBe(401)

  const path = join(world.dataDir, 'browsers.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const kept = readFileSync(path, 'utf8')
  expect(JSON.parse(kept)).toMatchObject({ browsers: [{ id: browser.id, name: 'Firefox 145 on Linux' }] })
  expect(kept).not.toContain(good.publicKey)
})

test('ended access ends everything of a browser within seconds, its streams, too', async () => {
  const world = await startScreensWorld({})
  const [gone, stays] = [createProgramBrowser(), createProgramBrowser()]
  const sessions = [
    await sessionOf(await gone.open(world.listening.newBrowserLink())),
    await sessionOf(await stays.open(world.listening.newBrowserLink())),
  ]
  const streams = await Promise.all(
    sessions.map((headers) => fetch(`${world.url}/api/logs/stream`, { headers })),
  )
  expect(streams.map(({ status }) => status)).toEqual([200, 200])
  expect((await world.http.access.browsers()).map(({ id }) => id).sort()).toEqual([gone.id, stays.id].sort())
  const ended = streams[0]?.text().then(
    () => 'ended',
    () => 'ended',
  )
  expect(await world.port.access.revoke({ id: gone.id })).toEqual({ revoked: true })
  const status = async (headers?: Record<string, string>): Promise<number> =>
    (await fetch(`${world.url}/api/status`, headers && { headers })).status
  expect(await status(sessions[0])).toBe(401)
  expect((await gone.enter(world.url)).status).toBe(401)
  expect(await ended).toBe('ended')
  expect(await status(sessions[1])).toBe(200)
  expect((await stays.enter(world.url)).status).toBe(200)
  expect(await world.http.access.revoke({ id: gone.id })).toEqual({ revoked: false })
  await streams[1]?.body?.cancel()
})

test('MCPCP /health was always ok: here it says which server failed, died or came back', async () => {
  const world = await startScreensWorld({
    good: testServer('big-result'),
    bad: testServer('misbehaving', '--fail-start'),
    dies: testServer('misbehaving'),
  })
  const health = async (): Promise<Record<string, unknown>> => (await world.fetch('/health')).json()
  expect(await health()).toMatchObject({ ok: true, status: 'ok' })
  await (
    await world.connect('good')
  )('tools/list')
  await expect(world.connect('bad')).rejects.toThrow()
  expect(await health()).toMatchObject({
    ok: false,
    status: 'degraded',
    servers: [
      { id: 'good', state: 'ready', open: 1 },
      { id: 'bad', state: 'failed', failure: expect.stringContaining('cannot find the database') as string },
      { id: 'dies', state: 'idle' },
    ],
  })
  const ask = await world.connect('dies')
  expect(await health()).toMatchObject({ servers: [{}, {}, { state: 'ready' }] })
  await ask('tools/call', { name: 'crash', arguments: {} })
  expect(await health()).toMatchObject({ servers: [{}, {}, { state: 'failed', open: 0 }] })
  await ask('tools/call', { name: 'echo', arguments: { text: 'again' } })
  expect(await health()).toMatchObject({ servers: [{}, {}, { state: 'ready' }] })
  // S16: anyone may ask whether something answers, but not what it is or its state.
  const open = await (await fetch(`${world.url}/health`)).json()
  expect(open).toEqual({ status: 'up' })
})

test('MCPCP config leaked secrets: here the text has marks, and saving it changes nothing', async () => {
  const one = { ...testServer('big-result'), env: { PLAIN: 'planted-secret-1', OTHER: '${env:HOME}' } }
  const world = await startScreensWorld({ one })
  const path = join(world.dataDir, 'config.json')
  const before = readFileSync(path, 'utf8')
  const raw = (await (await world.fetch('/api/config')).json()) as { text: string; version: string }
  expect(raw.text).not.toContain('planted-secret-1')
  expect(raw.text).toContain(SECRET_MARK)
  expect(raw.text).toContain('${env:HOME}')
  const put = (body: object): Promise<Response> =>
    world.fetch('/api/config', { method: 'PUT', headers: json, body: JSON.stringify(body) })
  expect((await put(raw)).status).toBe(200)
  expect(readFileSync(path, 'utf8')).toBe(before)
  const renamed = { text: raw.text.replace('"PLAIN"', '"RENAMED"'), version: raw.version }
  const refused = await put(renamed)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('there is no secret at this place')
  writeFileSync(path, before.replace('planted-secret-1', 'planted-secret-2'))
  expect((await put(raw)).status).toBe(409)
})

test('MCPCP PUT took 100 KB: here a config.json of 2 MB is saved', async () => {
  const world = await startScreensWorld({})
  const text = `// ${'x'.repeat(2_000_000)}\n{ "servers": {} }\n`
  const put = await world.fetch('/api/config', {
    method: 'PUT',
    headers: json,
    body: JSON.stringify({ text }),
  })
  expect(put.status).toBe(200)
  expect(readFileSync(join(world.dataDir, 'config.json'), 'utf8')).toBe(text)
})

test('MCPCP reload restarted everything and told nobody: here only what changed starts anew, and streams hear of it', async () => {
  const world = await startScreensWorld({ one: testServer('misbehaving'), two: testServer('misbehaving') })
  const pidOf = async (ask: Awaited<ReturnType<ScreensWorld['connect']>>): Promise<number> => {
    const { content } = await ask('tools/call', { name: 'pids', arguments: {} })
    return (JSON.parse((content as { text: string }[])[0]?.text ?? '{}') as { server: number }).server
  }
  const [one, two] = [await world.connect('one'), await world.connect('two')]
  const before = [await pidOf(one), await pidOf(two)]
  const changes = (await world.http.settings.live())[Symbol.asyncIterator]()
  const heard = changes.next()
  const path = join(world.dataDir, 'config.json')
  const config = JSON.parse(readFileSync(path, 'utf8')) as { servers: { two: object } }
  config.servers.two = { ...config.servers.two, env: { NEW: '1' } }
  // The effect is the same whether the watch or the request is first.
  writeFileSync(path, JSON.stringify(config))
  expect((await world.fetch('/api/reload', { method: 'POST' })).status).toBe(200)
  expect((await heard).value).toMatchObject({ effect: { restarted: ['two'] } })
  await changes.return?.()
  const after = [await pidOf(one), await pidOf(two)]
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])

  // A requested restart does not affect the others.
  await world.http.servers.restart({ server: 'one' })
  const last = [await pidOf(one), await pidOf(two)]
  expect(last[0]).not.toBe(after[0])
  expect(last[1]).toBe(after[1])
  await expect.poll(() => isRunning(after[0] ?? -1)).toBe(false)

  const wrong = await world.fetch('/api/config', {
    method: 'PUT',
    headers: json,
    body: JSON.stringify({ text: '{ "servers": 3 }' }),
  })
  expect(wrong.status).toBe(400)
  expect(await pidOf(two)).toBe(last[1])
})

test('validate names place and way out, and writes nothing', async () => {
  const world = await startScreensWorld({})
  const before = readFileSync(join(world.dataDir, 'config.json'), 'utf8')
  const text = '{\n  "servers": { "a": { "comand": "x" } }\n}'
  const answer = await world.fetch('/api/config/validate', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ text }),
  })
  expect(await answer.json()).toMatchObject({
    valid: false,
    problems: [
      { line: 2, server: 'a', message: expect.stringContaining('Did you mean "command"?') as string },
    ],
  })
  expect(readFileSync(join(world.dataDir, 'config.json'), 'utf8')).toBe(before)
})

test('logs come as server-sent events, filtered by level', async () => {
  const world = await startScreensWorld({ bad: testServer('misbehaving', '--fail-start') })
  const stop = new AbortController()
  const stream = await world.fetch('/api/logs/stream?level=warn&last=0', { signal: stop.signal })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  await expect(world.connect('bad')).rejects.toThrow()
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('server not available')) break
  }
  expect(text).toMatch(/data: .*"level":"warn"/)
  expect(text).not.toContain('"level":"info"')
  stop.abort()
})

test('streams end in the engine when their reader leaves, over both doors', async () => {
  const world = await startScreensWorld({ one: testServer('big-result') })
  const { events } = world.engine
  let listening = 0
  const on = events.on.bind(events)
  events.on = (name, listener) => {
    const stop = on(name, listener)
    listening++
    return () => {
      listening--
      stop()
    }
  }
  events.onAny = (names, listener) => {
    const stops = names.map((name) => events.on(name, listener))
    return () => stops.forEach((stop) => stop())
  }
  for (const api of [world.http, world.port]) {
    const abort = new AbortController()
    const streams = [
      await api.activity.live(undefined, { signal: abort.signal }),
      await api.servers.live(undefined, { signal: abort.signal }),
      await api.overview.badges(undefined, { signal: abort.signal }),
      await api.approvals.live(undefined, { signal: abort.signal }),
    ]
    const reading = streams.map((stream) => stream.next().catch(() => undefined))
    await expect.poll(() => listening).toBeGreaterThan(4)
    abort.abort()
    await Promise.all(reading)
    await Promise.allSettled(streams.map((stream) => stream.return?.()))
    await expect.poll(() => listening).toBe(0)
  }
})

test('the OpenAPI document names every path, and what it says can be asked', async () => {
  const world = await startScreensWorld({ one: testServer('big-result') })
  const document = (await (await world.fetch('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { summary: string }>>
  }
  for (const path of [
    '/status',
    '/status/{server}',
    '/config',
    '/config/validate',
    '/reload',
    '/logs/stream',
  ])
    expect(Object.keys(document.paths)).toContain(path)
  for (const path of [
    '/status',
    '/status/one',
    '/config',
    '/activity?limit=5&only=kept',
    '/stats?from=0&to=1',
    '/tools',
  ]) {
    expect((await world.fetch(`/api${path}`)).status, path).toBe(200)
  }
  expect((await world.fetch('/api/status/none')).status).toBe(404)
  expect((await world.fetch('/api/nothing')).status).toBe(404)
  expect((await world.fetch('/rpc/activity/list', call({ limit: 'many' }))).status).toBe(400)
})
