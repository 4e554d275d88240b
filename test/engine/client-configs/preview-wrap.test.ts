import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientSnippet } from '../../../electron/engine/client-configs/client-snippet.ts'
import { CLIENTS } from '../../../electron/engine/client-configs/clients.ts'
import { hideInArgs } from '../../../electron/engine/ground/secrets/hide-secrets.ts'
import { formatOf } from '../../../electron/engine/client-configs/load-client-file.ts'
import { listServers } from '../../../electron/engine/client-configs/list-servers.ts'
import { LAUNCHER, clientWorld, fixture } from '../../helpers/client-world.ts'

const folder = resolve(import.meta.dirname, '../../fixtures/clients')
const path = '/f/mcp.json'
const own = { launcher: LAUNCHER, httpPort: 7424 }

describe('a preview', () => {
  test('never shows the value of a variable or a header, whatever the app', async () => {
    for (const { id, readOnly } of CLIENTS) {
      for (const name of readdirSync(resolve(folder, id)).filter((file) => !file.startsWith('.'))) {
        if (readOnly !== undefined) continue
        const world = clientWorld()
        const file = `/f/${name}`
        world.files.put(file, fixture(id, name))
        const preview = await world.wrap({ client: id, path: file })
        const shown = JSON.stringify([preview, world.previewUnwrap({ client: id, path: file })])
        expect(shown, `${id} ${name}`).not.toMatch(
          /ghp_|secret-of|sk-a{5}|"k-1|\bk-1\b|my_env_var_value|\babc\b/,
        )
        expect(preview.diff, `${id} ${name}`).toMatch(/^--- .*\n\+\+\+ .*\twrapped\n@@/)
      }
    }
  })

  test('hides what stands around: keys of the app itself, old settings in comments, credentials in arguments and addresses', () => {
    const world = clientWorld()
    world.files.put(
      path,
      `{
  "apiKey": "S1", "auth": { "token": "S2" },
  // "env": { "API_TOKEN": "S3", "PASSWORD": "S4" }, Bearer S5S5S5S5
  "mcpServers": {
    "a": {
      "command": "x",
      "args": ["--password", "S6", "--header", "X-Any: S7", "--key=S8", "-e", "ANY=S9", "https://u:S10@h/p?q=S11", "plain", "sk-S12"],
      "env": { "PLAIN": "S13" },
      "x-secret": "S15"
    },
    "b": { "url": "https://h/S?k=S16", "headers": { "X": "S17" } }
  }
}`,
    )
    const { diff, servers } = world.preview({ client: 'cursor', path })
    expect(diff).not.toMatch(/S\d/)
    expect(diff).toContain('"plain"')
    expect(diff).toContain('"X": "…"')
    expect(servers[1]?.launch).toEqual({ url: 'https://h/S?k=…', env: [], headers: ['X'] })
  })

  test('shows switches, also under names of secrets', () => {
    const world = clientWorld()
    const text = `{
  "password": true, "token": false,
  // "apiKey": true,
  "mcpServers": { "a": { "command": "x", "env": { "TOKEN": true } } }
}`
    world.files.put(path, text)
    const { diff } = world.preview({ client: 'cursor', path })
    expect(diff).toContain('"password": true, "token": false,')
    expect(diff).toContain('"apiKey": true,')
    expect(diff).toContain('"TOKEN": "…"')
  })

  test('an address that is still to be filled in stays, and hinders no other server', async () => {
    const world = clientWorld()
    const text = `{ "mcpServers": {
  "a": { "url": "https://<your-host>/mcp" },
  "b": { "url": "https://h.example/mcp" } } }`
    world.files.put(path, text)
    const preview = await world.wrap({ client: 'cursor', path })
    expect(preview.servers.map(({ name }) => name)).toEqual(['b'])
    expect(preview.skipped).toEqual([
      { name: 'a', why: 'its url must be an address that starts with http:// or https://.' },
    ])
    expect(world.files.text(path)).toContain('"a": { "url": "https://<your-host>/mcp" }')
  })

  test('says of a server that its app disables what happens when it is enabled there', async () => {
    const world = clientWorld()
    world.files.put(path, '{ "mcpServers": { "a": { "command": "x", "disabled": true } } }')
    expect((await world.wrap({ client: 'cursor', path })).warnings).toEqual([
      'a is disabled in Cursor, so it is wrapped without being started. Enable it there when you want it; Sluice then asks you to approve what it offers.',
    ])
  })

  test('a server of a project that its user refused in Claude Code is disabled', async () => {
    const world = clientWorld()
    world.files.put('/p/.mcp.json', '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "y" } } }')
    world.files.put('/p/.claude/settings.local.json', '{ "disabledMcpjsonServers": ["a"] }')
    const { warnings } = await world.wrap({ client: 'claude-code', path: '/p/.mcp.json' })
    expect(warnings.filter((warning) => warning.includes('disabled'))).toEqual([
      expect.stringContaining('a is disabled in Claude Code'),
    ])
  })

  test('a server that the record of an earlier Claude Code refuses is disabled, too', async () => {
    const machine = { platform: 'linux', homeDir: '/h', env: {} } as const
    const world = clientWorld(undefined, { machine })
    world.files.put('/p/.mcp.json', '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "y" } } }')
    world.files.put('/h/.claude.json', '{ "projects": { "/p": { "disabledMcpjsonServers": ["b"] } } }')
    const { warnings } = await world.wrap({ client: 'claude-code', path: '/p/.mcp.json' })
    expect(warnings.filter((warning) => warning.includes('disabled'))).toEqual([
      expect.stringContaining('b is disabled in Claude Code'),
    ])
  })

  test('the servers of any file are found below "mcp" and "servers", too', async () => {
    const world = clientWorld()
    const text = '{ "mcp": { "inputs": [], "servers": { "a": { "command": "x" } } } }'
    world.files.put(path, text)
    const preview = await world.wrap({ client: 'other', path })
    expect(preview.servers.map(({ name }) => name)).toEqual(['a'])
    world.unwrap({ client: 'other', path })
    expect(world.files.text(path)).toBe(text)
  })

  test('what has to be done before the file changes is said with it', () => {
    const world = clientWorld()
    world.files.put('/f/.claude.json', '{ "mcpServers": { "a": { "command": "x" } } }')
    const { warnings } = world.preview({ client: 'claude-code', path: '/f/.claude.json' })
    expect(warnings).toContainEqual(expect.stringContaining('end its sessions first'))
  })

  test('arguments that are no secrets stay readable', () => {
    const args = [
      '-y',
      '@modelcontextprotocol/server-filesystem',
      '/home/me/My Docs',
      '--port',
      '8080',
      'ghcr.io/github/github-mcp-server',
      'https://x.example/mcp',
      '--read-only',
      'C:\\x',
      'a=b',
    ]
    expect(hideInArgs(args)).toEqual(args)
  })

  test('says what stays with the app, what belongs to a project, what may need a sign-in', () => {
    const world = clientWorld()
    world.files.put(
      path,
      '{"servers":{"a":{"type":"http","url":"https://x.example"},"b":{"command":"c d","env":{"T":"${input:t}"}}}}',
    )
    const { warnings } = world.preview({ client: 'vscode', path, inProject: true })
    expect(warnings).toEqual([
      expect.stringContaining('This file belongs to a project.'),
      expect.stringMatching(/^a: if this address asks for a sign-in/),
      expect.stringMatching(/^b: T stays in this file, because VS Code puts the values in itself/),
      expect.stringMatching(/^b: its command has spaces/),
    ])
  })

  test('can cross a process boundary', () => {
    const world = clientWorld()
    world.files.put(path, fixture('cursor', 'plain.json'))
    const preview = world.preview({ client: 'cursor', path })
    expect(JSON.parse(JSON.stringify(preview))).toEqual(preview)
  })

  test('an entry named "sluice" that is something else keeps its name', async () => {
    const world = clientWorld()
    world.files.put(path, '{"mcpServers":{"sluice":{"command":"gate"}}}')
    const { servers } = await world.wrap({ client: 'cursor', path })
    expect(servers[0]).toMatchObject({ name: 'sluice', serverId: 'sluice-2' })
    expect(Object.keys((JSON.parse(world.files.text(path)) as { mcpServers: object }).mcpServers)).toEqual([
      'sluice',
      'sluice-2',
    ])
  })

  test('environment that the launcher itself needs is in every entry', async () => {
    const launcher = { command: '/Apps/Sluice', args: ['/Apps/cli.js'], env: { ELECTRON_RUN_AS_NODE: '1' } }
    const world = clientWorld(undefined, { launcher })
    const content = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","env":{"K":"v"}}}}'
    world.files.put(path, content)
    await world.wrap({ client: 'cursor', path })
    const { mcpServers } = JSON.parse(world.files.text(path)) as {
      mcpServers: Record<string, { env: unknown }>
    }
    for (const entry of Object.values(mcpServers)) expect(entry.env).toEqual({ ELECTRON_RUN_AS_NODE: '1' })
    expect(world.servers()).toEqual({ a: { command: 'x' }, b: { command: 'y', env: { K: 'v' } } })
    expect(world.unwrap({ client: 'cursor', path }).isExact).toBe(true)
    expect(world.files.text(path)).toBe(content)
  })
})

test.each(CLIENTS.map((client) => ({ client, id: client.id })))(
  'a snippet to paste for $id',
  ({ client }) => {
    const [file = ''] = client.files({ platform: 'linux', homeDir: '/h', env: {} })[0] ?? []
    const { value } = formatOf(file).parse(clientSnippet(client, LAUNCHER, file))
    expect(listServers(value, client, own)).toMatchObject([{ name: 'sluice', role: { role: 'self' } }])
  },
)
