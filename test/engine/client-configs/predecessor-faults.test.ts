import { describe, expect, test } from 'vitest'
import { findClients } from '../../../electron/engine/client-configs/find-clients.ts'
import { LAUNCHER, clientWorld } from '../../helpers/client-world.ts'

// Faults of context-protector's mcp.json management, one test each. Variables reaching the server are tested with
// real processes in test/cli/wrap.test.ts.

const path = '/f/mcp.json'
const own = { launcher: LAUNCHER, httpPort: 7424 }
const parse = (text: string): unknown => JSON.parse(text)

describe('CP fault:', () => {
  test('one server with a "url" made the whole file fail', async () => {
    const world = clientWorld()
    world.files.put(
      path,
      '{"mcpServers":{"a":{"url":"https://x.example/mcp","headers":{"X":"y"}},"b":{"command":"z"}}}',
    )
    const { servers } = await world.wrap({ client: 'cursor', path })
    expect(servers.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(world.servers()).toEqual({
      a: { url: 'https://x.example/mcp', headers: { X: 'y' } },
      b: { command: 'z' },
    })
  })

  test('an entry that cannot be wrapped does not keep the others from it', async () => {
    const world = clientWorld()
    world.files.put(
      path,
      '{"mcpServers":{"a":{"tcp":"ws://x"},"b":{"command":"z"},"c":[],"d":{"command":["x",{}]}}}',
    )
    const { servers, skipped } = await world.wrap({ client: 'cursor', path })
    expect(servers.map(({ name }) => name)).toEqual(['b'])
    expect(skipped.map(({ name }) => name)).toEqual(['a', 'c', 'd'])
    expect(parse(world.files.text(path))).toMatchObject({
      mcpServers: { a: { tcp: 'ws://x' }, c: [], d: { command: ['x', {}] } },
    })
  })

  test('"servers" of VS Code was an unknown schema', async () => {
    const world = clientWorld()
    world.files.put(path, '{"servers":{"a":{"type":"stdio","command":"z"}},"inputs":[]}')
    expect((await world.wrap({ client: 'vscode', path })).servers).toHaveLength(1)
    expect(parse(world.files.text(path))).toMatchObject({
      servers: { a: { type: 'stdio', command: LAUNCHER.command } },
      inputs: [],
    })
  })

  test('cwd, disabled, type, timeouts and unknown fields were deleted from every server', async () => {
    const world = clientWorld()
    const rest = { disabled: true, type: 'stdio', timeout: 7, autoApprove: ['x'], 'x-own': { deep: [null] } }
    const other = { command: 'other', cwd: '/o', disabled: false, timeout: 9 }
    world.files.put(
      path,
      JSON.stringify({ mcpServers: { a: { command: 'z', cwd: '/srv', ...rest }, other } }),
    )
    await world.wrap({ client: 'cursor', path, servers: ['a'] })
    const { mcpServers } = parse(world.files.text(path)) as { mcpServers: Record<string, object> }
    expect(mcpServers['a']).toMatchObject(rest)
    expect(mcpServers['other']).toEqual(other)
    expect(world.servers()).toEqual({ a: { command: 'z', cwd: '/srv' } })
  })

  const projects = {
    mcpServers: { global: { command: 'g' } },
    projects: {
      '/a': { mcpServers: { one: { command: '1' } } },
      '/b': { allowedTools: [] },
      '/c': { mcpServers: {} },
    },
  }

  test('unless every project had servers, only the global ones were seen', async () => {
    const world = clientWorld()
    world.files.put(path, JSON.stringify(projects))
    const { servers } = await world.wrap({ client: 'claude-code', path })
    expect(servers.map(({ name, project }) => [name, project])).toEqual([
      ['global', undefined],
      ['one', '/a'],
    ])
    expect(world.unwrap({ client: 'claude-code', path }).isExact).toBe(true)
  })

  test('in project mode the global servers were not wrapped; a project alone only when it is asked for', async () => {
    const world = clientWorld()
    world.files.put(path, JSON.stringify(projects))
    const { servers } = await world.wrap({ client: 'claude-code', path, project: '/a/' })
    expect(servers.map(({ name }) => name)).toEqual(['one'])
    // Its tools are added where the wrapped servers are.
    expect(parse(world.files.text(path))).toMatchObject({
      mcpServers: { global: { command: 'g' } },
      projects: { '/a': { mcpServers: { one: {}, sluice: {} } }, '/c': { mcpServers: {} } },
    })
    await world.wrap({ client: 'claude-code', path })
    expect(world.unwrap({ client: 'claude-code', path }).isExact).toBe(true)
    expect(parse(world.files.text(path))).toEqual(projects)
  })

  test('comments made a file unreadable', async () => {
    const world = clientWorld()
    world.files.put(path, '// top\n{ "mcpServers": { /* a */ "a": { "command": "z", }, }, }')
    expect((await world.wrap({ client: 'cursor', path })).servers).toHaveLength(1)
  })

  test('commands were split at spaces, so paths and arguments with spaces broke', async () => {
    const world = clientWorld()
    const args = ['run', '-e', 'NAME=a b', '  ', '', '"quoted"', "it's", 'a\\b c', '$(x)', '--', '\n']
    const entry = { command: '/opt/My Tools/server', args, env: { A: ' b  c ' } }
    world.files.put(path, JSON.stringify({ mcpServers: { a: entry } }))
    await world.wrap({ client: 'cursor', path })
    expect(world.servers()).toEqual({ a: entry })
    world.files.put(path, `${world.files.text(path)} `)
    world.unwrap({ client: 'cursor', path })
    expect(parse(world.files.text(path))).toEqual({ mcpServers: { a: entry } })
  })

  test('a server was who its command line was, as one text; here the same launch is one server, whatever the order of names', async () => {
    const world = clientWorld()
    world.files.put(
      '/f/a.json',
      '{"mcpServers":{"github":{"command":"x","args":["1","2"],"env":{"A":"1","B":"2"}}}}',
    )
    world.files.put(
      '/f/b.json',
      '{"mcpServers":{"gh":{"env":{"B":"2","A":"1"},"args":["1","2"],"command":"x"},"mixed":{"command":"x","args":["2","1"],"env":{"A":"1","B":"2"}}}}',
    )
    await world.wrap({ client: 'cursor', path: '/f/a.json' })
    const { servers } = await world.wrap({ client: 'claude-desktop', path: '/f/b.json' })
    expect(servers.map(({ name, serverId, isNew }) => [name, serverId, isNew])).toEqual([
      ['gh', 'github', false],
      ['mixed', 'mixed', true],
    ])
  })

  test('YAML was parsed as JSON', async () => {
    const world = clientWorld()
    world.files.put('/f/config.yaml', 'mcpServers:\n  - name: a\n    command: z\n')
    expect((await world.wrap({ client: 'continue', path: '/f/config.yaml' })).servers).toHaveLength(1)
  })

  test('the one backup was overwritten each time', async () => {
    const world = clientWorld()
    const first = '{"mcpServers":{"a":{"command":"1"},"b":{"command":"2"}}}'
    world.files.put(path, first)
    await world.wrap({ client: 'cursor', path, servers: ['a'] })
    const second = world.files.text(path)
    await world.wrap({ client: 'cursor', path, servers: ['b'] })
    const backups = [...world.files.all.keys()].filter((name) => name.endsWith('/original'))
    expect(backups.map((name) => world.files.text(name))).toEqual([first, second])
    expect(world.unwrap({ client: 'cursor', path }).isExact).toBe(true)
    expect(world.files.text(path)).toBe(first)
  })

  test('the whole file was written anew', async () => {
    const world = clientWorld()
    const around = (inner: string) =>
      `{ "odd"  :1.0,\t"mcpServers":{"a":${inner},"b":{"command":  "2" }}  }\r\n`
    world.files.put(path, around('{"command":"1"}'))
    await world.wrap({ client: 'cursor', path, servers: ['a'] })
    const text = world.files.text(path)
    expect(text.startsWith('{ "odd"  :1.0,\t"mcpServers":{"a":{"command":')).toBe(true)
    expect(text).toContain(',"b":{"command":  "2" }')
    expect(text.endsWith('}  }\r\n')).toBe(true)
  })

  test('paths were listed that Claude Code does not use, and the first project was the default', () => {
    const world = clientWorld()
    world.files.put('/home/me/.config/Claude Code/claude_code_config.json', JSON.stringify(projects))
    world.files.put('/home/me/.claude.json', JSON.stringify(projects))
    const found = findClients({ platform: 'linux', homeDir: '/home/me', env: {}, files: world.files, own })
    expect(found.map(({ files }) => files.map((file) => file.path))).toEqual([['/home/me/.claude.json']])
    expect(found[0]?.files[0]?.servers.map(({ name }) => name)).toEqual(['global', 'one'])
  })

  test('failure 27: a wrapped entry, or Sluice itself, is never wrapped', async () => {
    const world = clientWorld()
    const entries = {
      global: { command: 'sluice', args: ['connect'] },
      windows: { command: 'C:\\x\\sluice.cmd', args: ['connect', '--server=gh'] },
      shell: { command: 'sh', args: ['-c', 'exec sluice connect --server gh'] },
      npx: { command: 'npx', args: ['-y', 'sluice', 'connect', '--server', 'gh'] },
      checkout: {
        command: 'node',
        args: ['/src/sluice/dist/electron/cli.js', '--data-dir', '/x', 'connect', '--server', 'gh'],
      },
      app: { command: '/apps/Sluice-1.2.3-x86_64.AppImage', args: ['connect'] },
      url: { url: 'http://127.0.0.1:7424/mcp/gh' },
      bridge: { command: 'npx', args: ['mcp-remote', 'http://localhost:7424/mcp'] },
    }
    world.files.put(
      path,
      JSON.stringify({ mcpServers: { ...entries, real: { command: 'sluice-gate', args: ['connect'] } } }),
    )
    const preview = await world.wrap({ client: 'cursor', path })
    expect(preview.servers.map(({ name }) => name)).toEqual(['real'])
    expect(preview.skipped.map(({ name }) => name)).toEqual(Object.keys(entries))
    expect(preview.skipped.every(({ why }) => /wrapped already|Sluice itself/.test(why))).toBe(true)
  })
})
