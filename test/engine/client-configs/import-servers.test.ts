import { describe, expect, test } from 'vitest'
import { clientNamed } from '../../../electron/engine/client-configs/clients.ts'
import { importServers, readImportable } from '../../../electron/engine/client-configs/import-servers.ts'
import { loadClientFile } from '../../../electron/engine/client-configs/load-client-file.ts'
import { parsePastedServers } from '../../../electron/engine/client-configs/parse-pasted.ts'
import { freeServerId } from '../../../electron/engine/client-configs/server-id.ts'
import { ServerId } from '../../../shared/settings.ts'
import { LAUNCHER, clientWorld, fixture } from '../../helpers/client-world.ts'

const own = { launcher: LAUNCHER, httpPort: 7424 }
const paste = (text: string, servers = {}) => parsePastedServers(text, { own, servers })
const settingsOf = (text: string) =>
  Object.fromEntries(paste(text).servers.map(({ serverId, settings }) => [serverId, settings]))

describe('import', () => {
  test('takes servers over and leaves the file of the app alone', () => {
    const world = clientWorld('{"servers":{"had":{"command":"docker","args":["x"]}}}')
    const bytes = fixture('roo-code', 'plain.json')
    world.files.put('/r.json', bytes)
    const { parsed } = loadClientFile('/r.json', world.files)
    const client = clientNamed('roo-code')
    if (!client) throw new Error('roo-code')
    const found = readImportable(parsed.value, { client, own, servers: world.servers() })
    expect(importServers(found.servers, world.settings)).toEqual(['filesystem', 'github', 'search'])
    expect(world.servers()).toMatchObject({
      filesystem: { args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/me/My Documents'] },
      github: { env: { GITHUB_PERSONAL_ACCESS_TOKEN: expect.stringMatching(/^ghp_/) } },
      search: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer secret-of-search' } },
    })
    expect(Buffer.from(world.files.read('/r.json')).equals(bytes)).toBe(true)
    // The preview has no secrets.
    expect(JSON.stringify(found.servers.map(({ launch }) => launch))).not.toMatch(/ghp_|secret-of/)
    const again = readImportable(parsed.value, { client, own, servers: world.servers() })
    expect(again.servers.every(({ isNew }) => !isNew)).toBe(true)
    expect(importServers(again.servers, world.settings)).toEqual([])
  })

  test('what only the app can put in is named', () => {
    const client = clientNamed('vscode')
    if (!client) throw new Error('vscode')
    const value = {
      servers: {
        a: { command: 'x', args: ['${workspaceFolder}'], env: { T: '${input:t}', U: '${env:U}' } },
        me: { command: 'sluice', args: ['connect'] },
      },
    }
    const found = readImportable(value, { client, own, servers: {} })
    expect(found.servers[0]?.settings).toEqual({
      command: 'x',
      args: ['${workspaceFolder}'],
      env: { T: '${input:t}', U: '${env:U}' },
    })
    expect(found.servers[0]?.warnings[0]).toMatch(/only VS Code knows the values of env T, arg 0/)
    expect(found.skipped).toEqual([{ name: 'me', why: 'it is Sluice itself.' }])
  })

  test('an entry that config.json would refuse is skipped with its reason, the others come', () => {
    const found = paste('{"a":{"url":"https://<your-host>/mcp"},"b":{"url":"https://h.example/mcp"}}')
    expect(found.servers.map(({ serverId }) => serverId)).toEqual(['b'])
    expect(found.skipped).toEqual([
      { name: 'a', why: 'its url must be an address that starts with http:// or https://.' },
    ])
  })
})

describe('pasted texts', () => {
  test.each([
    ['Claude Desktop', '{ "mcpServers": { "a": { "command": "x", "args": ["1"] } } }'],
    ['VS Code', '{ "servers": { "a": { "type": "stdio", "command": "x", "args": ["1"] } } }'],
    ['settings.json of VS Code', '{ "mcp": { "servers": { "a": { "command": "x", "args": ["1"] } } } }'],
    [
      'Zed',
      '{ "context_servers": { "a": { "source": "custom", "command": "x", "args": ["1"], "env": {} } } }',
    ],
    ['Zed, the older way', '{ "context_servers": { "a": { "command": { "path": "x", "args": ["1"] } } } }'],
    ['OpenCode', '{ "mcp": { "a": { "type": "local", "command": ["x", "1"], "enabled": true } } }'],
    ['a part of a file', '"a": {\n  "command": "x",\n  "args": ["1"]\n},'],
    ['a part with its key', '"mcpServers": { "a": { "command": "x", "args": ["1"] } }'],
    ['servers alone', '{ "a": { "command": "x", "args": ["1"] } }'],
    ['one entry', '{ "name": "a", "command": "x", "args": ["1"] }'],
    [
      'with comments, in a fence',
      '```json\n// mine\n{ "mcpServers": { "a": { "command": "x", "args": ["1",] }, } }\n```\n',
    ],
    ['Codex', '[mcp_servers.a]\ncommand = "x"\nargs = ["1"]\n'],
    ['Continue', 'mcpServers:\n  - name: a\n    command: x\n    args:\n      - "1"\n'],
    ['a list', '- name: a\n  command: x\n  args: ["1"]\n'],
    ['Goose', 'extensions:\n  a:\n    type: stdio\n    cmd: x\n    args: ["1"]\n    envs: {}\n'],
  ])('%s', (_, text) => {
    expect(settingsOf(text)).toEqual({ a: { command: 'x', args: ['1'] } })
  })

  test.each([
    ['Claude Code', '{"mcpServers":{"a":{"type":"http","url":"https://x.example","headers":{"A":"b"}}}}'],
    ['Windsurf', '{"mcpServers":{"a":{"serverUrl":"https://x.example","headers":{"A":"b"}}}}'],
    ['Gemini', '{"mcpServers":{"a":{"httpUrl":"https://x.example","headers":{"A":"b"}}}}'],
    ['Codex', '[mcp_servers.a]\nurl = "https://x.example"\nhttp_headers = { A = "b" }'],
    ['Goose', 'a:\n  type: streamable_http\n  uri: https://x.example\n  headers:\n    A: b\n'],
    [
      'Continue',
      '- name: a\n  type: streamable-http\n  url: https://x.example\n  requestOptions:\n    headers:\n      A: b\n',
    ],
  ])('remote, %s', (_, text) => {
    expect(settingsOf(text)).toEqual({ a: { url: 'https://x.example', headers: { A: 'b' } } })
  })

  test('what is no text of servers is told so', () => {
    expect(() => paste('hello')).toThrow('are understood, too')
    expect(() => paste('a: [')).toThrow(/^This text can't be read. TOML: .*; YAML: /)
    expect(() => paste('{ "a": ')).toThrow(/JSON: .*line 1, column/)
    expect(() => paste('{}')).toThrow(/No server was found/)
    expect(paste('{"mcpServers":{"a":{"url":"ws://x"}}}').skipped[0]?.why).toContain('http://')
  })

  test('ids are valid and free; a server that is there already is recognised', () => {
    const { servers } = paste(
      '{"mcpServers":{"Git Hub!":{"command":"x"},"sluice":{"command":"y"},"a__b":{"command":"z"}}}',
      { 'Git-Hub': { command: 'other' }, mine: { command: 'z', args: [] } },
    )
    expect(servers.map(({ serverId, isNew }) => [serverId, isNew])).toEqual([
      ['Git-Hub-2', true],
      ['sluice-2', true],
      ['mine', false],
    ])
  })

  test('a name in other letters gives way to that of what is started', () => {
    const { servers } = paste(
      JSON.stringify({
        mcpServers: {
          天気: { command: 'npx', args: ['-y', '@acme/weather-mcp@1'] },
          Погода: { command: 'docker', args: ['run', '-i', '-e', 'KEY', 'acme/forecast:2'] },
          مهام: { url: 'https://mcp.linear.app/sse' },
          '予定 board': { command: 'npx', args: ['other'] },
          地図: { command: '/opt/地図' },
        },
      }),
    )
    expect(servers.map(({ serverId }) => serverId)).toEqual([
      'weather',
      'forecast',
      'linear',
      'board',
      'server',
    ])
  })

  test.each([
    '',
    '!!!',
    'ünï',
    '_x_',
    'a.b..c',
    'a'.repeat(99),
    '日本',
    'a_.b',
    '-',
    'SLUICE',
    'x_',
    'a b\nc',
  ])('an id for %j', (name) => {
    const first = freeServerId(name, [])
    const second = freeServerId(name, [first.toUpperCase()])
    expect(ServerId.safeParse(first).success).toBe(true)
    expect(ServerId.safeParse(second).success).toBe(true)
    expect(second.toLowerCase()).not.toBe(first.toLowerCase())
  })
})
