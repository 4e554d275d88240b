import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { formatProblem } from '../../../electron/engine/settings/settings-problem.ts'
import { STARTER_CONFIG } from '../../../electron/engine/settings/starter-config.ts'

const problemsOf = (text: string): string[] =>
  parseSettings(text).problems.map((problem) => formatProblem(problem, 'c'))

const noticesOf = (text: string): string[] =>
  parseSettings(text).notices.map((notice) => formatProblem(notice, 'c'))

const serversOf = (text: string) => parseSettings(text).settings?.servers

test('a file in UTF-16 is a fault, with what to do', () => {
  const mark = Buffer.from([0xff, 0xfe])
  const bare = Buffer.from('{"servers":{}}', 'utf16le')
  for (const bytes of [mark, bare, Buffer.concat([mark, bare])])
    expect(problemsOf(bytes.toString())).toEqual(["c:1:1 The file isn't written in UTF-8. Save it as UTF-8."])
})

test('an empty file is a fault, with what to do', () => {
  for (const text of ['', '  \n\t', '\uFEFF']) {
    expect(problemsOf(text)).toHaveLength(1)
    expect(problemsOf(text)[0]).toContain('The file is empty. Put your settings back')
    expect(parseSettings(text)).toMatchObject({
      settings: undefined,
      usable: undefined,
      bare: { servers: {} },
    })
  }
})

describe('what is accepted', () => {
  test('an empty object and the starter: everything has a default', () => {
    for (const text of ['{}', STARTER_CONFIG]) {
      expect(problemsOf(text)).toEqual([])
      expect(parseSettings(text).settings).toMatchObject({
        servers: {},
        http: { port: 7424 },
        logLevel: 'info',
      })
    }
  })

  test('comments, trailing commas, a byte order mark and Windows line ends', () => {
    const text =
      '\uFEFF// mine\r\n{\r\n  "servers": {\r\n    /* one */ "a": { "command": "x", },\r\n  },\r\n}\r\n'
    expect(problemsOf(text)).toEqual([])
    expect(serversOf(text)).toEqual({ a: { command: 'x' } })
  })

  test('headers, cwd and time limits, which other proxies lack', () => {
    const text = `{"servers": {
      "a": {"command": "x", "args": ["--y", "a b"], "cwd": "/tmp", "env": {"K": "v"}, "timeoutSeconds": 90},
      "b": {"type": "sse", "url": "http://localhost:1/sse", "headers": {"A": "b"}}}}`
    expect(problemsOf(text)).toEqual([])
  })

  test("a pasted mcpServers block as it is, beside servers of one's own", () => {
    const text = `{
      "servers": { "mine": { "command": "m" } },
      "mcpServers": {
        "cline": { "command": "x", "disabled": false, "autoApprove": ["a"], "timeout": 60, "type": "stdio" },
        "windsurf": { "serverUrl": "https://example.com/mcp" },
        "gemini": { "httpUrl": "https://example.com/mcp", "trust": true, "includeTools": ["a"] },
        "roo": { "type": "streamable-http", "url": "https://example.com/mcp", "alwaysAllow": [] },
        "old": { "transport": "sse", "url": "https://example.com/sse" },
        "off": { "command": "x", "enabled": false },
        "copilot": { "type": "local", "command": "x", "tools": ["*"] },
      },
      "inputs": [],
    }`
    expect(problemsOf(text)).toEqual([])
    expect(serversOf(text)).toEqual({
      mine: { command: 'm' },
      cline: { command: 'x', disabled: false, type: 'stdio' },
      windsurf: { url: 'https://example.com/mcp' },
      gemini: { url: 'https://example.com/mcp' },
      roo: { type: 'streamable-http', url: 'https://example.com/mcp' },
      old: { type: 'sse', url: 'https://example.com/sse' },
      off: { command: 'x', disabled: true },
      copilot: { type: 'stdio', command: 'x' },
    })
    expect(noticesOf(text)).toContain(
      'c:4:55 mcpServers.cline.autoApprove: "autoApprove" is not used: which calls are allowed without asking stays with the client.',
    )
    expect(noticesOf(text)).toHaveLength(7)
  })

  test("other clients' placeholders are passed on, with a notice", () => {
    const text = '{"servers": {"a": {"url": "http://h", "headers": {"A": "Bearer ${input:key} ${env:OK}"}}}}'
    expect(noticesOf(text)).toEqual([
      'c:1:56 servers.a.headers.A: Only ${env:NAME} and ${secret:NAME} are replaced; ${input:key} is passed on unchanged.',
    ])
  })
})

describe('every fault has its place and a way out', () => {
  test.each([
    [
      'a missing comma',
      '{\n  "http": {}\n  "logLevel": "info"\n}',
      'c:3:3 Not valid JSON: a comma is missing before this (found "logLevel").',
    ],
    ['an unclosed brace', '{ "servers": {', 'c:1:15 Not valid JSON: a closing } is missing.'],
    ['no object at all', '[1]', 'c:1:1 Must be an object in { }, but is a list.'],
    [
      'an unknown key, with the nearest right one',
      '{"servers": {"a": {"comand": "x", "command": "x"}}}',
      'c:1:20 servers.a.comand: Unknown key "comand". Did you mean "command"?',
    ],
    [
      'an unknown key that other programs use',
      '{"servers": {"a": {"command": "x", "tools": {"t": {"overwriteDescription": "d"}}}}}',
      'c:1:52 servers.a.tools.t.overwriteDescription: Unknown key "overwriteDescription". Did you mean "description"?',
    ],
    [
      'a key in the wrong object',
      '{"tokenThreshold": 5}',
      'c:1:2 tokenThreshold: Unknown key "tokenThreshold". It belongs into "compression".',
    ],
    [
      'a key like nothing known',
      '{"limits": {"zzz": 1}}',
      'c:1:13 limits.zzz: Unknown key "zzz". Known here: maxMessageBytes.',
    ],
    [
      'a wrong type',
      '{"servers": {"a": {"command": "x", "args": "y"}}}',
      'c:1:44 servers.a.args: Must be a list in [ ], but is "y".',
    ],
    [
      'a number where text belongs',
      '{"servers": {"a": {"command": "x", "env": {"PORT": 80}}}}',
      'c:1:52 servers.a.env.PORT: Must be text in quotes, but is 80. Write it in quotes: "80".',
    ],
    ['a value out of range', '{"http": {"port": 70000}}', 'c:1:19 http.port: Must be at most 65535.'],
    [
      'a wrong word',
      '{"logLevel": "wran"}',
      'c:1:14 logLevel: "wran" is not one of "error", "warn", "info", "debug". Did you mean "warn"?',
    ],
    [
      'an address that is none',
      '{"servers": {"a": {"url": "example.com/mcp"}}}',
      'c:1:27 servers.a.url: Must be an address that starts with http:// or https://.',
    ],
    [
      'both command and url',
      '{"servers": {"a": {"command": "x", "url": "http://h"}}}',
      'c:1:43 servers.a.url: A server has either a command or a url, not both. Take one out.',
    ],
    [
      'neither command nor url',
      '{"servers": {"a": {"args": []}}}',
      'c:1:19 servers.a: A server needs a command (a program to start) or a url (a remote server).',
    ],
    [
      'a type that does not fit',
      '{"servers": {"a": {"type": "http", "command": "x"}}}',
      'c:1:28 servers.a.type: Type "http" needs a url, but this server has a command. Use "stdio".',
    ],
    [
      "a fault under another client's name",
      '{"mcpServers": {"a": {"httpUrl": 5}}}',
      'c:1:34 mcpServers.a.httpUrl: Must be text in quotes, but is 5. Write it in quotes: "5".',
    ],
    [
      'mcpServers that is no object',
      '{"mcpServers": []}',
      'c:1:2 mcpServers: "mcpServers" must be an object in { } with one entry per server.',
    ],
    [
      'a key that would set a prototype',
      '{"servers": {"__proto__": {"command": "x"}}}',
      'c:1:14 servers.__proto__: "__proto__" cannot be used as a key.',
    ],
  ])('%s', (_, text, expected) => {
    expect(problemsOf(text)).toEqual([expected])
    expect(parseSettings(text).settings).toBeUndefined()
  })

  test('all faults are told at once, in the order of the file', () => {
    const text = '{\n"htp": {},\n"servers": {"a": {"comand": "x"}},\n"logLevel": 1 }'
    expect(parseSettings(text).problems.map(({ line }) => line)).toEqual([2, 3, 4])
  })
})

describe('ids of servers', () => {
  test('MCPCP fault: an id with "__" would break the lookup of its policies', () => {
    expect(problemsOf('{"servers": {"a__b": {"command": "x"}}}')).toEqual([
      'c:1:14 servers.a__b: "a__b" can\'t be the id of a server. Use letters, digits, "-" and single "." or "_" between them, starting with a letter or digit. For example "a_b".',
    ])
  })

  test.each([
    ['My Server', 'My-Server'],
    ['github.com/acme/mcp', 'github.com-acme-mcp'],
    ['a_', 'a'],
    ['-a', 'a'],
    ['a._b', 'a.b'],
  ])('"%s" is refused and "%s" offered', (id, better) => {
    expect(problemsOf(JSON.stringify({ servers: { [id]: { command: 'x' } } }))[0]).toContain(
      `For example "${better}".`,
    )
  })

  test('"sluice" is reserved in any case', () => {
    for (const id of ['sluice', 'Sluice']) {
      expect(problemsOf(`{"servers": {"${id}": {"command": "x"}}}`)).toHaveLength(1)
    }
  })

  test('MCPCP fault: duplicate ids overwrote each other', () => {
    expect(problemsOf('{"servers": {\n"a": {"command": "x"},\n"a": {"command": "y"}}}')).toEqual([
      'c:3:1 servers.a: "a" is here twice (first in line 2). Keep one.',
    ])
    expect(problemsOf('{"servers": {"a": {"command": "x"}}, "mcpServers": {"a": {"command": "y"}}}')).toEqual(
      ['c:1:53 mcpServers.a: "a" is in "servers" and in "mcpServers". Keep one.'],
    )
  })

  test('ids whose tools would get the same names are refused', () => {
    expect(problemsOf('{"servers": {"a.b": {"command": "x"}, "a_b": {"command": "x"}}}')).toEqual([
      'c:1:39 servers.a_b: "a_b" and "a.b" would give their tools the same names. Rename one.',
    ])
  })
})

describe('what is usable of a faulty file at the first start', () => {
  test('one faulty server does not take the others down', () => {
    const { usable } = parseSettings(
      '{"servers": {"good": {"command": "x"}, "bad": {"comand": "x"}}, "logLevel": "warn"}',
    )
    expect(usable).toMatchObject({ servers: { good: { command: 'x' } }, logLevel: 'warn' })
    expect(Object.keys(usable?.servers ?? {})).toEqual(['good'])
  })

  test('nothing is, when the fault may concern all servers', () => {
    expect(
      parseSettings('{"servers": {"good": {"command": "x"}}, "masking": {"direction": "of"}}').usable,
    ).toBeUndefined()
    expect(parseSettings('{"servers": {"good": {"command": "x"}}').usable).toBeUndefined()
  })
})

describe("faults of MCPCP's configuration", () => {
  test('unknown keys were silently stripped, so a misspelt guard was off', () => {
    expect(
      problemsOf('{"servers": {"a": {"command": "x", "maskng": {"direction": "from-server"}}}}'),
    ).toEqual(['c:1:36 servers.a.maskng: Unknown key "maskng". Did you mean "masking"?'])
  })

  test('the README\'s "cacheTtl: 0" was stripped without a word', () => {
    expect(problemsOf('{"cache": {"cacheTtl": 0}}')[0]).toContain('Unknown key "cacheTtl".')
    expect(problemsOf('{"cache": {"ttlSeconds": 0}}')).toEqual([])
  })

  test('settings of a feature were required although it was off', () => {
    expect(problemsOf('{"compression": {"strategy": "off"}}')).toEqual([])
  })

  test('at least one server was required', () => {
    expect(problemsOf('{"servers": {}}')).toEqual([])
  })
})
