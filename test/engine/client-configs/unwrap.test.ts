import { describe, expect, test } from 'vitest'
import { jsonFormat } from '../../../electron/engine/client-configs/formats/json-format.ts'
import { CONFIG, clientWorld, fixture } from '../../helpers/client-world.ts'

const path = '/f/mcp.json'
const read = (text: string): unknown => jsonFormat.parse(text).value
const cursor = { client: 'cursor', path }
const CONTENT = `{
  // mine
  "mcpServers": {
    "a": {
      "command": "x", // runner
      "args": ["1"],
      "env": {
        // the key
        "K": "v"
      },
      "timeout": 5
    },
    "b": { "url": "https://b.example/mcp", "headers": { "H": "w" } } // remote
  }
}
`
async function wrapped(content = CONTENT) {
  const world = clientWorld()
  world.files.put(path, content)
  await world.wrap(cursor)
  const edit = (from: string | RegExp, to: string) => {
    const before = world.files.text(path)
    const after = before.replace(from, to)
    expect(after).not.toBe(before)
    world.files.put(path, after)
  }
  return { world, edit }
}

describe('a file that was edited after it was wrapped', () => {
  test('elsewhere: every other byte comes back, the edit stays', async () => {
    const { world, edit } = await wrapped()
    edit('// mine', '// mine, changed')
    edit(/\}\n$/, '}\n\n\n')
    const undo = world.unwrap(cursor)
    expect(undo).toMatchObject({ isExact: false, restored: ['a', 'b'], remarks: [] })
    expect(world.files.text(path)).toBe(`${CONTENT.replace('// mine', '// mine, changed')}\n\n`)
    expect(world.servers()).toEqual({})
  })

  test('right beside: a field in a wrapped entry, a new server behind the last', async () => {
    const { world, edit } = await wrapped()
    edit('"timeout": 5', '"timeout": 6, "autoApprove": ["read"]')
    edit('"sluice": {', '"new": { "command": "n" },\n    "sluice": {')
    world.unwrap(cursor)
    // Too close for the old lines to fit: only comments of the moved fields are lost.
    expect(read(world.files.text(path))).toEqual({
      mcpServers: {
        a: { command: 'x', args: ['1'], env: { K: 'v' }, timeout: 6, autoApprove: ['read'] },
        b: { url: 'https://b.example/mcp', headers: { H: 'w' } },
        new: { command: 'n' },
      },
    })
  })

  test('by the app itself, which writes the whole file anew: what it says is as before', async () => {
    const { world } = await wrapped('{"mcpServers":{"a":{"command":"x","env":{"K":"v"}}},"z":1}')
    const value = JSON.parse(world.files.text(path)) as { mcpServers: Record<string, object> }
    value.mcpServers['a'] = { ...value.mcpServers['a'], disabled: true, env: { ADDED: 'later' } }
    world.files.put(path, JSON.stringify({ ...value, z: 2 }, null, 4))
    world.unwrap(cursor)
    expect(JSON.parse(world.files.text(path))).toEqual({
      mcpServers: { a: { command: 'x', disabled: true, env: { K: 'v', ADDED: 'later' } } },
      z: 2,
    })
  })

  test('by an app that writes it with other blanks: fields come back in their order', async () => {
    const entries = {
      a: { type: 'stdio', command: 'x', env: { K: 'v' }, cwd: '/c', timeout: [1] },
      b: { name: 'b', url: 'https://b.example/mcp', headers: { H: 'w' }, timeout: 5 },
      c: { url: 'https://c.example/mcp', headers: { H: 'w' }, timeout: 5 },
    }
    const { world } = await wrapped(JSON.stringify({ mcpServers: entries }))
    const value = JSON.parse(world.files.text(path)) as { mcpServers: Record<string, object> }
    for (const name of ['a', 'b', 'c']) value.mcpServers[name] = { ...value.mcpServers[name], mine: 1 }
    world.files.put(path, JSON.stringify(value, null, 4))
    world.unwrap(cursor)
    const after = JSON.parse(world.files.text(path)) as { mcpServers: Record<string, object> }
    expect(Object.entries(after.mcpServers).map(([name, entry]) => [name, Object.keys(entry)])).toEqual(
      Object.entries(entries).map(([name, entry]) => [name, [...Object.keys(entry), 'mine']]),
    )
    expect(after.mcpServers).toMatchObject(entries)
  })

  test('an entry that somebody replaced, and one that is gone, are left alone and named', async () => {
    const { world } = await wrapped()
    world.files.put(
      path,
      '{"mcpServers":{"a":{"command":"mine","args":[]},"sluice":{"command":"also mine"}}}',
    )
    const undo = world.unwrap(cursor)
    expect(undo.remarks).toEqual([
      'a does not go through Sluice any more; it is left as it is.',
      'b is not in the file any more.',
    ])
    expect(world.files.text(path)).toBe(
      '{"mcpServers":{"a":{"command":"mine","args":[]},"sluice":{"command":"also mine"}}}',
    )
  })

  test.each([
    ['codex', '/f/config.toml', 'commented.toml', 'personality', 'temper'],
    ['continue', '/f/config.yaml', 'commented.yaml', 'version: 0.0.1', 'version: 0.0.2'],
    ['goose', '/f/config.yaml', 'commented.yaml', 'GOOSE_MODE: auto', 'GOOSE_MODE: chat'],
  ])('%s: likewise', async (client, file, name, from, to) => {
    const world = clientWorld()
    const before = fixture(client, name).toString()
    world.files.put(file, before)
    await world.wrap({ client, path: file })
    world.files.put(file, world.files.text(file).replace(from, to))
    world.unwrap({ client, path: file })
    expect(world.files.text(file)).toBe(before.replace(from, to))
  })

  test('between preview and undo: refused', async () => {
    const { world, edit } = await wrapped()
    const { applyUnwrap } = await import('../../../electron/engine/client-configs/unwrap.ts')
    const seen = world.previewUnwrap(cursor)
    edit('// mine', '// other')
    const now = world.files.text(path)
    expect(() => applyUnwrap(seen, world)).toThrow(/was changed after the preview/)
    expect(world.files.text(path)).toBe(now)
    expect(Object.keys(world.servers())).toEqual(['a', 'b'])
  })
})

test('a key that is given twice: the last one counts, as in the app, and the file comes back', async () => {
  const content = `{
  "mcpServers": { "old": { "command": "gone", "args": ["--api-key", "first-secret-1"] } },
  "mcpServers": {
    "a": { "command": "one", "env": { "K": "first-secret-2" }, "env": { "K": "v" } },
    "a": { "args": ["1"], "command": "two", "env": { "K": "first-secret-3" }, "args": ["2"], "env": { "K": "w" } }
  }
}
`
  const world = clientWorld()
  world.files.put(path, content)
  const preview = world.preview(cursor)
  expect(preview.diff).not.toContain('first-secret')
  expect(preview.warnings.filter((warning) => warning.includes('given again'))).toMatchObject([
    expect.stringContaining(`${path}:2: "mcpServers" is given again`),
    expect.stringContaining(`${path}:4: "a" is given again`),
    expect.stringContaining(`${path}:5: "args" is given again`),
    expect.stringContaining(`${path}:5: "env" is given again`),
  ])
  await world.wrap(cursor)
  expect(world.servers()).toEqual({ a: { command: 'two', args: ['2'], env: { K: 'w' } } })
  expect(JSON.parse(world.files.text(path))).toMatchObject({
    mcpServers: { a: { args: expect.arrayContaining(['connect']) }, sluice: {} },
  })
  world.files.put(path, world.files.text(path).replace('"old"', '"older"'))
  world.unwrap(cursor)
  expect(JSON.parse(world.files.text(path))).toEqual(JSON.parse(content))
})

describe('parts, chains and remainders', () => {
  test('one server of two: the other stays wrapped, then all goes back exactly', async () => {
    const { world } = await wrapped()
    const undo = world.unwrap({ ...cursor, servers: ['a'] })
    expect(undo).toMatchObject({ restored: ['a'], removedIds: ['a'], isExact: false })
    expect(world.files.text(path)).toContain('"K": "v"')
    expect(world.files.text(path)).toContain('"sluice"')
    expect(Object.keys(world.servers())).toEqual(['b'])
    expect(world.unwrap(cursor).isExact).toBe(true)
    expect(world.files.text(path)).toBe(CONTENT)
    expect(world.servers()).toEqual({})
  })

  test('wrapped in two steps, undone in two, the first one first', async () => {
    const world = clientWorld()
    world.files.put(path, CONTENT)
    await world.wrap({ ...cursor, servers: ['a'] })
    await world.wrap({ ...cursor, servers: ['b'] })
    world.unwrap({ ...cursor, servers: ['a'] })
    expect(world.files.text(path)).toContain('"sluice"')
    world.unwrap({ ...cursor, servers: ['b'] })
    expect(world.files.text(path)).toBe(CONTENT)
  })

  test('a name that is not wrapped is refused with a hint', async () => {
    const { world } = await wrapped('{"mcpServers":{"github":{"command":"x"}}}')
    expect(() => world.previewUnwrap({ ...cursor, servers: ['gihub'] })).toThrow(
      /no wrapped server "gihub".*Did you mean "github"/,
    )
  })

  test('a server that two apps use goes out of config.json with the second', async () => {
    const world = clientWorld()
    const content = '{"mcpServers":{"a":{"command":"x"}}}'
    world.files.put(path, content)
    world.files.put('/f/claude.json', content)
    await world.wrap(cursor)
    await world.wrap({ client: 'claude-desktop', path: '/f/claude.json' })
    expect(Object.keys(world.servers())).toEqual(['a'])
    expect(world.unwrap(cursor).removedIds).toEqual([])
    expect(world.unwrap({ client: 'claude-desktop', path: '/f/claude.json' }).removedIds).toEqual(['a'])
  })

  test('a server that was changed in Sluice, or was there before, stays in config.json', async () => {
    const world = clientWorld('{"servers":{"old":{"command":"o"}}}')
    world.files.put(path, '{"mcpServers":{"a":{"command":"x"},"b":{"command":"o"}}}')
    await world.wrap(cursor)
    world.settings.update([{ path: ['servers', 'a', 'tools'], value: { t: { hidden: true } } }])
    expect(world.unwrap(cursor).removedIds).toEqual([])
    expect(Object.keys(world.servers()).sort()).toEqual(['a', 'old'])
  })

  test('without backups config.json tells what the servers were', async () => {
    const { world } = await wrapped()
    world.files.remove('/data/backups')
    const undo = world.unwrap(cursor)
    expect(undo.restored).toEqual(['a', 'b'])
    expect(undo.remarks[0]).toContain('no backup is left')
    expect(read(world.files.text(path))).toEqual({
      mcpServers: {
        a: { command: 'x', args: ['1'], env: { K: 'v' }, timeout: 5 },
        b: { url: 'https://b.example/mcp', headers: { H: 'w' } },
      },
    })
    expect(read(world.files.text(CONFIG))).toMatchObject({
      servers: { a: {} },
    })
  })

  test.each([
    ['opencode', '/f/opencode.json', 'windows.json'],
    ['goose', '/f/config.yaml', 'plain.yaml'],
    ['codex', '/f/config.toml', 'commented.toml'],
    ['vscode', '/f/mcp.json', 'plain.json'],
    ['continue', '/f/config.yaml', 'windows.yaml'],
  ])('without backups, %s: nothing goes through Sluice any more', async (client, file, name) => {
    const world = clientWorld()
    world.files.put(file, fixture(client, name))
    const before = await world.wrap({ client, path: file })
    world.files.remove('/data/backups')
    world.unwrap({ client, path: file })
    const again = world.preview({ client, path: file })
    expect(again.servers.map((server) => [server.name, server.serverId, server.isNew])).toEqual(
      before.servers.map((server) => [server.name, server.serverId, false]),
    )
    expect(world.files.text(file)).not.toContain('sluice')
  })

  test('a server that neither backup nor config.json knows is named and left', () => {
    const world = clientWorld()
    const text = '{"mcpServers":{"a":{"command":"sluice","args":["connect","--server","gone"]}}}'
    world.files.put(path, text)
    expect(world.unwrap(cursor).remarks[0]).toMatch(/a goes through Sluice as "gone", but neither/)
    expect(world.files.text(path)).toBe(text)
  })

  test('the old file was put back by hand, and wrapped anew: nothing is said of the first time', async () => {
    const { world } = await wrapped()
    world.files.put(path, CONTENT)
    await world.wrap(cursor)
    const undo = world.unwrap(cursor)
    expect(undo).toMatchObject({ isExact: true, restored: ['a', 'b'], remarks: [], removedIds: ['a', 'b'] })
    expect(world.files.text(path)).toBe(CONTENT)
  })

  test('a damaged journal is no obstacle', async () => {
    const { world } = await wrapped('{"mcpServers":{"a":{"command":"x"}}}')
    const journal = [...world.files.all.keys()].find((name) => name.endsWith('journal.json')) ?? ''
    world.files.put(journal, '{ half')
    world.unwrap(cursor)
    expect(JSON.parse(world.files.text(path))).toEqual({ mcpServers: { a: { command: 'x', args: [] } } })
  })

  test('of undone backups ten are kept for each file', async () => {
    const world = clientWorld()
    world.files.put(path, CONTENT)
    for (let round = 0; round < 13; round++) {
      await world.wrap(cursor)
      world.unwrap(cursor)
    }
    expect(world.files.list('/data/backups')).toHaveLength(10)
  })
})

describe('without a backup', () => {
  const plain = '{\n  "mcpServers": {\n    "a": {\n      "command": "x",\n      "args": ["1"]\n    }\n  }\n}'
  test.each([
    ['no line break', ''],
    ['one', '\n'],
    ['several, of Windows', '\r\n\r\n'],
  ])('the file ends with %s as before, and every other byte comes back', async (_what, end) => {
    const { world } = await wrapped(plain + end)
    for (const name of world.files.all.keys())
      if (name.startsWith('/data/') && name !== CONFIG) world.files.remove(name)
    const undo = world.unwrap(cursor)
    expect(undo).toMatchObject({ restored: ['a'], isExact: false })
    expect(world.files.text(path)).toBe(plain + end)
  })
})
