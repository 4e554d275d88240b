import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import type { ToolSummary } from '../../../shared/api/tools.ts'
import { contract } from '../../../shared/api/contract.ts'
import { SECRET_MARK } from '../../../shared/api/settings.ts'
import type { Api } from '../../helpers/screens-client.ts'
import { callModels } from './call-models.ts'
import { callReplay } from './call-replay.ts'
import { SECRETS, startFull } from './full-world.ts'

const EVERYTHING = { from: 0, to: 9e15 }

/** Calls every procedure once; returns the names called. */
async function callEverything(
  api: Api,
  { world, clientFile, resultId }: Awaited<ReturnType<typeof startFull>>,
): Promise<Record<string, unknown>> {
  const did: Record<string, unknown> = {}
  const firstOf = async <T>(
    name: string,
    stream: Promise<AsyncIterable<T>>,
    meanwhile?: () => Promise<unknown>,
  ) => {
    const iterator = (await stream)[Symbol.asyncIterator]()
    const next = iterator.next()
    await meanwhile?.()
    did[name] = (await next).value
    await iterator.return?.()
  }
  const call = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    const value = await answer
    did[name] = value
    return value
  }
  await call('overview.get', api.overview.get({ days: 1 }))
  await call('overview.attention', api.overview.attention())
  await firstOf('overview.badges', api.overview.badges())
  await firstOf('overview.live', api.overview.live())
  await call('stats.report', api.stats.report(EVERYTHING))
  await call('stats.timeline', api.stats.timeline({ ...EVERYTHING, unit: 'hour', by: 'server' }))
  await call('stats.suggestions', api.stats.suggestions(EVERYTHING))
  const week = { from: 0, to: Date.now() }
  await call('stats.trial', api.stats.trial(week))
  await call('stats.reportFile', api.stats.reportFile({ ...week, form: 'html' }))
  await call('stats.budgets', api.stats.budgets())
  const { prices } = await call('stats.prices', api.stats.prices())
  expect(prices.length).toBeGreaterThan(5)
  await call('stats.setPrice', api.stats.setPrice({ model: 'my model', inputPerMillion: 3 }))
  await call('stats.chooseModel', api.stats.chooseModel({ model: 'my model' }))
  await call('stats.removePrice', api.stats.removePrice({ model: 'my model' }))

  const { calls } = await call(
    'activity.list',
    api.activity.list({ client: 'test-client', only: 'shortened' }),
  )
  expect(calls).toHaveLength(1)
  const detail = await call('activity.get', api.activity.get({ id: calls[0]?.id ?? '' }))
  expect(detail).toMatchObject({
    arguments: { bytes: 60_000 },
    resultId,
    serverMs: expect.any(Number) as number,
  })
  const layers = detail.layers.map(({ name }) => name)
  expect(layers[0]).toBe('record-call')
  expect(layers).toEqual(expect.arrayContaining(['require-approval', 'compress-result', 'guard-result']))
  expect(detail.layers.every(({ ms }) => ms >= 0)).toBe(true)
  await firstOf('activity.live', api.activity.live(), async () => {
    await api.tools.try({ server: 'big', tool: 'echo', arguments: { text: 'hello' } })
  })

  await call('cache.list', api.cache.list({}))
  expect((await call('cache.clear', api.cache.clear({ server: 'big' }))).cleared).toBeGreaterThan(0)
  await call('results.list', api.results.list({ server: 'big' }))
  await call('results.get', api.results.get({ id: resultId }))
  await call('results.tools', api.results.tools())
  const page = await call('results.original', api.results.original({ id: resultId, limit: 1000 }))
  expect(page.text).toHaveLength(1000)
  expect(page.total).toBeGreaterThan(50_000)
  await call('results.shorten', api.results.shorten({ id: resultId, budget: 300 }))
  const compared = await call('results.compare', api.results.compare({ id: resultId }))
  expect(compared.sentIs).toBe('kept')
  expect(compared.tokensAfter).toBeLessThan(compared.tokensBefore)
  expect(compared.omittedLines).toBeGreaterThan(10)
  expect(compared.tokensBefore).toBe(detail.tokensBefore)
  expect(compared.tokensAfter).toBe(detail.tokensAfter)
  const read = await call(
    'results.explore',
    api.results.explore({ id: resultId, tool: 'proxy_read', arguments: { offset: 0, limit: 2 } }),
  )
  expect(read).toMatchObject({ isError: false })

  const status = await call('servers.list', api.servers.list())
  expect(status.map(({ id, state }) => [id, state])).toEqual([
    ['big', 'ready'],
    ['changing', 'ready'],
    ['remote', 'idle'],
  ])
  const one = await call('servers.get', api.servers.get({ server: 'big' }))
  expect(one.memory).toBeGreaterThan(1_000_000)
  expect(one).toMatchObject({
    era: 'legacy',
    name: 'big-result',
    contextTokens: expect.any(Number) as number,
  })
  await call('servers.settings', api.servers.settings({ server: 'big' }))
  const trial = await firstTrial(api, firstOf, call)
  expect(trial).toMatchObject({ ok: true, tools: expect.arrayContaining(['echo', 'log']) as string[] })
  expect(await api.servers.tryStart({ server: 'remote' })).toMatchObject({ ok: false })
  await call('servers.log', api.servers.log({ server: 'big' }))
  await call(
    'servers.signIn',
    Array.fromAsync(await api.servers.signIn({ server: 'big' })).catch((error: unknown) => String(error)),
  )
  expect(did['servers.signIn']).toContain('nothing to sign in to')
  await call(
    'servers.signOut',
    api.servers.signOut({ server: 'remote' }).catch((error: unknown) => String(error)),
  )
  expect(did['servers.signOut']).toContain('Nothing is kept of a sign-in')
  const extra = { command: process.execPath, env: { PLAIN: SECRETS.env } }
  await firstOf('servers.review', api.servers.review({ server: 'extra', settings: extra }))
  await call('servers.add', api.servers.add({ server: 'extra', settings: extra }))
  await call(
    'servers.edit',
    api.servers.edit({ server: 'extra', settings: { ...extra, env: { PLAIN: SECRET_MARK }, cwd: '/' } }),
  )
  expect(world.engine.settings.current.servers['extra']).toEqual({ ...extra, cwd: '/' })
  await call('servers.enable', api.servers.enable({ server: 'extra', enabled: false }))
  await call('servers.share', api.servers.share({ server: 'extra' }))
  const { undo } = await call('servers.remove', api.servers.remove({ server: 'extra' }))
  await call('servers.undoRemove', api.servers.undoRemove({ undo }))
  await api.servers.remove({ server: 'extra' })
  const pasted = `{ "mcpServers": { "pasted": { "command": "x", "env": { "PLAIN": "${SECRETS.env}" } } } }`
  await call(
    'servers.searchRegistry',
    api.servers.searchRegistry({ text: 'notes' }).catch((error: unknown) => String(error)),
  )
  expect(did['servers.searchRegistry']).toContain('could not be searched')
  await call('servers.readPasted', api.servers.readPasted({ text: pasted }))
  await firstOf('servers.reviewPasted', api.servers.reviewPasted({ text: pasted }))
  const { added } = await call('servers.addPasted', api.servers.addPasted({ text: pasted }))
  expect(added).toEqual(['pasted'])
  await api.servers.remove({ server: 'pasted' })

  const tools = await call('tools.list', api.tools.list({}))
  expect(tools.find(({ tool }) => tool === 'greet')).toMatchObject({
    approval: 'waiting',
  } satisfies Partial<ToolSummary>)
  await call('tools.search', api.tools.search({ text: 'seed' }))
  const whole = await call('tools.show', api.tools.show({ server: 'big', tool: 'echo' }))
  expect(whole).toMatchObject({ original: { name: 'echo' }, shown: { name: 'echo' }, settings: {} })
  const lists = await call('tools.lists', api.tools.lists({ server: 'big' }))
  expect(lists).toMatchObject([{ server: 'big', form: 'whole', isLong: false }])
  await call('tools.setList', api.tools.setList({ server: 'big', form: 'whole' }))
  expect(world.engine.settings.current.servers['big']).not.toHaveProperty('toolList')
  await call('tools.count', api.tools.count({ text: 'two words' }))
  await call(
    'tools.preview',
    api.tools.preview({ server: 'big', tool: 'echo', settings: { description: 'Short.' } }),
  )
  const edited = await call(
    'tools.edit',
    api.tools.edit({ server: 'big', tool: 'echo', settings: { description: 'Short.' } }),
  )
  expect(edited.shown).toMatchObject({ description: 'Short.' })
  await api.tools.edit({ server: 'big', tool: 'echo', settings: { description: null } })
  const echo = { server: 'big', tool: 'echo' }
  await call('tools.hide', api.tools.hide({ tools: [echo], hidden: true }))
  await api.tools.hide({ tools: [echo], hidden: false })
  const tried = await call(
    'tools.try',
    api.tools.try({ server: 'big', tool: 'log', arguments: { bytes: 50_000 } }),
  )
  expect(tried.comparison.tokensAfter).toBeLessThan(tried.comparison.tokensBefore)
  const listed = await call('tools.tryFolder', api.tools.tryFolder({ folder: dirname(clientFile) }))
  expect(listed.comparison.sent).toContain(basename(clientFile))
  // The repeated call gets more of the result, and the figure is for what is shown.
  const more = await api.tools.try({ server: 'big', tool: 'log', arguments: { bytes: 50_000 } })
  expect(countTokens(more.comparison.sent)).toBe(more.comparison.tokensAfter)

  await call('clients.list', api.clients.list())
  expect(await call('clients.launcher', api.clients.launcher())).toEqual({})
  const [wrapPreview] = await call(
    'clients.previewWrap',
    api.clients.previewWrap({ requests: [{ client: 'cursor', path: clientFile }] }),
  )
  const wrapAsked = {
    client: 'cursor',
    path: clientFile,
    hash: wrapPreview?.hash ?? '',
    resultHash: wrapPreview?.resultHash ?? '',
  }
  const events = await Array.fromAsync(
    await api.clients.review({ requests: [{ client: 'cursor', path: clientFile }], purpose: 'wrap' }),
  )
  did['clients.review'] = events
  expect(events.map(({ kind }) => kind)).toEqual(['begun', 'starting', 'looked'])
  const reviews = events.flatMap((event) => (event.kind === 'begun' ? [event.review] : []))
  const before = readFileSync(clientFile, 'utf8')
  const wrapped = await call('clients.wrap', api.clients.wrap({ ...wrapAsked, reviews }))
  expect(wrapped).toMatchObject({ serverIds: ['notes'], approved: 5 })
  expect(readFileSync(clientFile, 'utf8')).toContain('/opt/sluice/cli.js')
  const [cost] = await call('clients.costs', api.clients.costs())
  expect(cost).toMatchObject({ client: 'cursor', servers: [{ server: 'notes' }] })
  expect(cost?.servers[0]?.tokens).toBe((await api.servers.get({ server: 'notes' })).contextTokens)
  // With Sluice's own tools, an entry of their own.
  expect(cost?.tokens).toBeGreaterThan(cost?.servers[0]?.tokens ?? Infinity)
  await api.settings.update({
    edits: [{ path: ['profiles'], value: { work: { servers: ['notes'] }, home: { servers: [] } } }],
  })
  const [, work, home] = await api.clients.costs()
  expect(work).toEqual({ ...cost, client: 'p/work', label: 'Profile work' })
  expect(home).toMatchObject({ client: 'p/home', servers: [] })
  expect(work?.tokens).toBe((home?.tokens ?? 0) + (cost?.servers[0]?.tokens ?? 0))
  const undoPreview = await call(
    'clients.previewUnwrap',
    api.clients.previewUnwrap({ client: 'cursor', path: clientFile }),
  )
  await call(
    'clients.unwrap',
    api.clients.unwrap({
      client: 'cursor',
      path: clientFile,
      hash: undoPreview.hash,
      resultHash: undoPreview.resultHash,
    }),
  )
  expect(readFileSync(clientFile, 'utf8')).toBe(before)
  const hooks = { client: 'copilot-cli', undo: false }
  const { hash, resultHash } = await call('builtIn.preview', api.builtIn.preview(hooks))
  const { path } = await call('builtIn.change', api.builtIn.change({ ...hooks, hash, resultHash }))
  expect(readFileSync(path, 'utf8')).toContain('hook copilot-cli postToolUse')
  const stale = await api.builtIn
    .change({ ...hooks, hash, resultHash })
    .catch((error: unknown) => String(error))
  expect(stale).toContain('was changed after the preview')
  await call('builtIn.switchOn', api.builtIn.switchOn({ client: 'copilot-cli', tool: 'bash' }))
  await call('clients.import', api.clients.import({ client: 'cursor', path: clientFile }))
  await api.servers.remove({ server: 'notes' })

  const [change] = await call('approvals.waiting', api.approvals.waiting({}))
  expect(change?.findings.length).toBeGreaterThan(0)
  await firstOf('approvals.live', api.approvals.live())
  const chosen = { identity: change?.identity ?? '', hashes: [change?.hash ?? ''] }
  expect(await call('approvals.deny', api.approvals.deny(chosen))).toEqual({ denied: 1 })
  expect(await call('approvals.askAgain', api.approvals.askAgain(chosen))).toEqual({ waiting: 1 })
  expect((await api.approvals.waiting({}))[0]?.denied).toBe(false)
  await api.approvals.deny(chosen)
  await call('approvals.history', api.approvals.history({}))
  did['approvals.approve'] = 'at the end'

  const [kept] = await call('quarantine.list', api.quarantine.list())
  const shown = await call('quarantine.show', api.quarantine.show({ id: kept?.id ?? '' }))
  expect(shown.texts[0]?.runs).toEqual([
    { text: 'Hello ' },
    { text: 'IGNORE', reason: 'It gives orders.', score: 0.9 },
    { text: ' world' },
  ])
  await call('quarantine.release', api.quarantine.release({ id: kept?.id ?? '' }))
  did['quarantine.delete'] = 'at the end'
  const refused = async (name: string, answer: Promise<unknown>): Promise<void> => {
    did[name] = await answer.then(
      () => expect.fail(`${name} was answered.`),
      (error: unknown) => String(error),
    )
    expect(did[name]).toContain('without its desktop app')
  }
  await refused('desktop.live', api.desktop.live())
  await refused('desktop.choose', api.desktop.choose({ startAtLogin: true }))
  await refused('desktop.repairLaunchers', api.desktop.repairLaunchers({ paths: ['/x'] }))
  await refused('desktop.installUpdate', api.desktop.installUpdate())
  await refused('desktop.done', api.desktop.done())
  await call('switch.set', api.switch.set({ what: 'compression', on: false, minutes: 60 }))
  expect(await call('switch.get', api.switch.get())).toMatchObject({ on: true, compressing: false })
  await api.switch.set({ what: 'compression', on: true })

  const current = await call('settings.get', api.settings.get())
  expect(current.servers['big']?.env).toEqual({ PLAIN: SECRET_MARK })
  await call('settings.schema', api.settings.schema())
  const { folder, parts } = await call('settings.storage', api.settings.storage())
  expect(folder).toBe(world.dataDir)
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['sluice.db', 'pins.db', 'results']))
  expect(parts.every(({ name, bytes }) => bytes > 0 && !name.endsWith('-wal'))).toBe(true)
  await firstOf('settings.live', api.settings.live(), () =>
    call('settings.update', api.settings.update({ edits: [{ path: ['results', 'ttlHours'], value: 12 }] })),
  )
  const raw = await call('settings.raw', api.settings.raw())
  const onDisk = readFileSync(raw.path, 'utf8')
  await call('settings.save', api.settings.save({ text: raw.text, version: raw.version }))
  expect(readFileSync(raw.path, 'utf8')).toBe(onDisk)
  await call(
    'settings.validate',
    api.settings.validate({ text: '{ "servers": { "a": { "comand": "x" } } }' }),
  )
  await call('settings.reload', api.settings.reload())
  await call('settings.export', api.settings.export())
  await call('settings.import', api.settings.import({ text: '{ "results": { "ttlHours": 24 } }' }))

  await callReplay(api, { firstOf, call, homeDir: world.homeDir })
  await callModels(api, { firstOf, call, dataDir: world.dataDir, key: SECRETS.model })

  await call('access.browsers', api.access.browsers())
  await call('access.revoke', api.access.revoke({ id: 'unknown' }))

  await call('logs.tail', api.logs.tail({ lines: 50 }))
  await firstOf('logs.stream', api.logs.stream({ last: 5 }))
  return did
}

const firstTrial = async (
  api: Api,
  firstOf: <T>(
    name: string,
    stream: Promise<AsyncIterable<T>>,
    meanwhile?: () => Promise<unknown>,
  ) => Promise<void>,
  call: <T>(name: string, answer: Promise<T>) => Promise<T>,
) => {
  let trial: Awaited<ReturnType<Api['servers']['tryStart']>> | undefined
  await firstOf('servers.live', api.servers.live(), async () => {
    trial = await call('servers.tryStart', api.servers.tryStart({ server: 'big' }))
  })
  await call('servers.restart', api.servers.restart({ server: 'big' }))
  return trial
}

const names = Object.entries(contract).flatMap(([domain, procedures]) =>
  Object.keys(procedures).map((name) => `${domain}.${name}`),
)

test.each(['http', 'port'] as const)(
  'every procedure answers over %s, and no answer holds a secret',
  async (door) => {
    const full = await startFull()
    const api = full.world[door]
    const did = await callEverything(api, full)
    // Procedures that remove things come last.
    const [kept] = await api.quarantine.list()
    did['quarantine.delete'] = await api.quarantine.delete({ id: kept?.id ?? '' })
    expect(await api.quarantine.list()).toEqual([])
    const [change] = await api.approvals.waiting({})
    did['approvals.approve'] = await api.approvals.approve({
      identity: change?.identity ?? '',
      hashes: [change?.hash ?? ''],
    })
    expect(await api.approvals.waiting({})).toEqual([])
    did['results.delete'] = await api.results.delete({ id: full.resultId })
    expect(Object.keys(did).sort()).toEqual([...names].sort())

    const everything = [JSON.stringify(did), ...full.world.heard].join('\n')
    for (const [what, secret] of Object.entries(SECRETS)) {
      expect(everything.includes(secret), `the secret in ${what}`).toBe(false)
    }
    expect(everything).not.toContain(full.world.token)
  },
)
