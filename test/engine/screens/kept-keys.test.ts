import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startFeaturesHttp } from '../../fixtures/servers/features-http.ts'
import { startScreensWorld } from '../../helpers/screens-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

// S12: every input of the screens that accepts a plain key.

const KEY = 'tr0ub4dor-of-the-header'
const headers = { Authorization: `Bearer ${KEY}` }

test('a pasted, a written and an imported key stays out of config.json, and its server gets it all the same', async () => {
  const remote = await startFeaturesHttp({ requiredHeaders: headers })
  onTestFinished(() => remote.close())
  const world = await startScreensWorld({})
  const config = (): string => readFileSync(join(world.dataDir, 'config.json'), 'utf8')
  const works = async (server: string): Promise<void> => {
    expect(config()).not.toContain(KEY)
    expect(config()).toContain(`Bearer \${secret:${server}-authorization}`)
    expect(await world.http.servers.tryStart({ server })).toMatchObject({ ok: true })
  }
  const settings = { url: `${remote.url}/mcp`, headers }
  const text = JSON.stringify({ mcpServers: { pasted: settings } })
  const { servers } = await world.http.servers.readPasted({ text })
  expect(servers).toMatchObject([{ name: 'pasted', keys: ['the header Authorization'] }])
  await world.http.servers.addPasted({ text, keepKeys: true })
  await works('pasted')
  await world.http.servers.add({ server: 'written', settings, keepKeys: true })
  await works('written')
  const path = join(temporaryFolder(), 'mcp.json')
  writeFileSync(path, JSON.stringify({ mcpServers: { imported: settings } }))
  const kept = await world.http.clients.import({ client: 'cursor', path, keepKeys: true })
  expect(kept).toMatchObject({ added: ['imported'], warnings: [] })
  await works('imported')
  expect(world.heard.join('\n')).not.toContain(KEY)
})

test('where a key stays plain, wrapping and importing say so', async () => {
  const world = await startScreensWorld({})
  const path = join(temporaryFolder(), 'mcp.json')
  const args = ['--api-key', 'abcdef-0123456789-abcdef']
  writeFileSync(path, JSON.stringify({ mcpServers: { a: { command: 'x', args, env: { API_KEY: KEY } } } }))
  const [preview] = await world.http.clients.previewWrap({ requests: [{ client: 'cursor', path }] })
  const { warnings } = await world.http.clients.import({ client: 'cursor', path })
  for (const said of [preview?.warnings ?? [], warnings]) {
    expect(said.join('\n')).toContain('the variable API_KEY is in config.json in plain text')
    expect(said.join('\n')).toContain('"sluice secrets keep a"')
    expect(said.join('\n')).toContain('its arguments may hold a key')
  }
  expect(world.heard.join('\n')).not.toContain(KEY)
})
