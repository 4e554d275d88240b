import { expect, it } from 'vitest'
import { identityOf, launchOf } from '../../../../electron/engine/approvals/launch.ts'
import { hideInArgs, hideInUrl } from '../../../../electron/engine/ground/secrets/hide-secrets.ts'

const KEY = 'k3yk3yk3yk3yk3yk3yk3yk3y'
const OTHER = 'k4yk4yk4yk4yk4yk4yk4yk4y'
const args = (...values: string[]) => launchOf({ command: 'x', args: values })['args']

it.each([
  [
    ['--api-key=abc', '--name=abc'],
    ['--api-key=…', '--name=abc'],
  ],
  [
    ['--token', KEY, 'abc'],
    ['--token', '…', 'abc'],
  ],
  [
    ['-e', 'GITHUB_TOKEN=abc', '-e', 'MODE=abc'],
    ['-e', 'GITHUB_TOKEN=…', '-e', 'MODE=abc'],
  ],
  [
    ['--db-pw', KEY, '--dbPass', KEY, '--creds=abc', '--bypass', 'abc', '--spw', 'abc'],
    ['--db-pw', '…', '--dbPass', '…', '--creds=…', '--bypass', 'abc', '--spw', 'abc'],
  ],
  [['--env=API_KEY=abc'], ['--env=API_KEY=…']],
  [
    ['--header', 'Authorization: Bearer abc', 'X-Api-Key: k', 'Accept: a'],
    ['--header', 'Authorization: …', 'X-Api-Key: …', 'Accept: a'],
  ],
  [
    ['postgres://ann:pw@db.example/shop', 'https://abc@h.example/'],
    ['postgres://ann:…@db.example/shop', 'https://…@h.example/'],
  ],
  [['https://h.example/mcp?token=abc&team=blue#x'], ['https://h.example/mcp?token=…&team=blue#x']],
])('of a launch with secrets in %j, %j is written down', (given, written) => {
  expect(args(...given)).toEqual(written)
})

it('leaves nothing out that could be another program: files, packages, placeholders, flags', () => {
  const kept = [
    '-y',
    'some-long-package-name-1@2.3.4',
    '--key',
    './evil.js',
    '--auth=/tmp/evil',
    '--key',
    '--x',
  ]
  expect(args(...kept, '--token', '${secret:A}', '--token=')).toEqual([
    ...kept,
    '--token',
    '${secret:A}',
    '--token=',
  ])
  // A package for npx: the short option is ambiguous, and another package needs approval.
  expect(args('-p', 'evil')).toEqual(['-p', 'evil'])
  expect(args('--key', 'C:\\evil.js', '--tokenizer', 'evil')).toEqual([
    '--key',
    'C:\\evil.js',
    '--tokenizer',
    'evil',
  ])
})

it('another secret is no other server, as with variables', () => {
  const with_ = (key: string) => identityOf({ command: 'x', args: ['--api-key', key], env: { A: key } })
  expect(with_(KEY)).toBe(with_(OTHER))
  expect(with_(KEY)).toBe(with_('ghp_x'))
  const at = (key: string) => identityOf({ url: `https://h.example/?api_key=${key}` })
  expect(at('one')).toBe(at('two'))
  expect(identityOf({ url: 'https://h.example/?team=a' })).not.toBe(
    identityOf({ url: 'https://h.example/?team=b' }),
  )
})

/** Each pair runs something different, so it has its own identity and shows every word that is run. */
it.each([
  [
    'sh',
    ['-c', 'API_TOKEN=abc exec node srv'],
    ['-c', 'API_TOKEN=abc; touch PWNED; exec node srv'],
    'touch PWNED',
  ],
  ['bash', ['-lc', 'API_TOKEN=abc'], ['-lc', 'API_TOKEN=evil'], 'API_TOKEN=evil'],
  ['bash', ['-lc', 'GITHUB_TOKEN=x exec a'], ['-lc', 'GITHUB_TOKEN=x exec b'], 'exec b'],
  ['node', ['-e', 'token=good'], ['-e', 'token=evil'], 'evil'],
  ['node', ['-p', 'good'], ['-p', 'evil'], 'evil'],
  ['node', ['--eval=my_token=good'], ['--eval=my_token=evil'], 'evil'],
  ['python3', ['-c', 'api_key=good()'], ['-c', 'api_key=evil()'], 'evil()'],
  ['pwsh', ['-Command', '$env:A_TOKEN=1; good'], ['-Command', '$env:A_TOKEN=1; evil'], 'evil'],
  ['pwsh', ['-Command', 'A_TOKEN=good'], ['-Command', 'A_TOKEN=evil'], 'evil'],
  ['cmd', ['/c', 'SET_TOKEN=1&good'], ['/c', 'SET_TOKEN=1&evil'], 'evil'],
  ['cmd.exe', ['/C', 'npx', '-y', 'p', '--token=1&good'], ['/C', 'npx', '-y', 'p', '--token=1&evil'], 'evil'],
  ['bash', ['-auth', 'good'], ['-auth', 'evil'], 'evil'],
  ['bash', ['A_TOKEN=good'], ['A_TOKEN=evil'], 'evil'],
  ['sudo', ['bash', '-auth', 'good'], ['sudo', 'bash', '-auth', 'evil'], 'evil'],
  ['x', ['--no-auth', 'good'], ['--no-auth', 'evil'], 'evil'],
  ['npx', ['--use-token', 'good'], ['--use-token', 'evil'], 'evil'],
  ['npx', ['--token', 'good'], ['--token', 'evil'], 'evil'],
  ['env', ['-S', 'A_TOKEN=1 good'], ['-S', 'A_TOKEN=1 evil'], 'evil'],
  ['ssh', ['host', 'A_TOKEN=1 good'], ['host', 'A_TOKEN=1 evil'], 'evil'],
  ['ssh', ['host', 'A_TOKEN=$(good)'], ['host', 'A_TOKEN=$(evil)'], 'evil'],
  ['ssh', ['host', 'A_TOKEN=`good`'], ['host', 'A_TOKEN=`evil`'], 'evil'],
  ['docker', ['run', 'i', 'sh', '-c', 'KEY=1'], ['run', 'i', 'sh', '-c', 'KEY=2'], 'KEY=2'],
  ['x', ['api-key: 1;good'], ['api-key: 1;evil'], 'evil'],
  ['x', ['--header', 'Cookie: 1\ngood'], ['--header', 'Cookie: 1\nevil'], 'evil'],
  ['x', ['x://h/?token=1;good'], ['x://h/?token=1;evil'], 'evil'],
  ['x', ['x://a:$(good)@h/'], ['x://a:$(evil)@h/'], 'evil'],
  ['x', ['-c', 'A_TOKEN=good'], ['-c', 'A_TOKEN=evil'], 'evil'],
  ['docker', ['run', '-e', 'NODE_OPTIONS=good'], ['run', '-e', 'NODE_OPTIONS=evil'], 'NODE_OPTIONS=evil'],
])('%s %j is not %j, and shows what it runs', (command, first, second, run) => {
  expect(identityOf({ command, args: first })).not.toBe(identityOf({ command, args: second }))
  expect(hideInArgs(second, command).join(' ')).toContain(run)
})

it('a word behind a secret flag counts by its hash and is shown nowhere: a flag without a value would run it', () => {
  const [launch, other] = ['hunter2', 'hunter3'].map((word) => ({ command: 'x', args: ['--password', word] }))
  if (!launch || !other) throw new Error('unreachable')
  expect(identityOf(launch)).not.toBe(identityOf(other))
  expect(identityOf(launch)).toBe(identityOf({ ...launch, args: [...launch.args] }))
  expect(JSON.stringify([launchOf(launch), hideInArgs(launch.args, 'x')])).not.toContain('hunter2')
})

it.each([
  ['npx', '-y', 'pkg', '--api-key', KEY],
  ['uvx', 'pkg', '--token', KEY],
  ['node', '/srv/server.js', '--token', KEY],
  ['cmd', '/d', '/c', 'npx', '-y', 'pkg', '--token', KEY],
  ['cmd', '/c', 'npx', '-y', 'pkg', '--api-key', KEY],
  ['docker', 'run', '-i', '--rm', '-e', `A_TOKEN=${KEY}`, 'image'],
  ['env', `A_TOKEN=${KEY}`, 'node', 'x.js'],
  ['npx', '-y', 'mcp-remote', 'https://h.example/mcp', '--header', `Authorization: Bearer ${KEY}`],
])('%s %s %s %s: another key is no other server, and is not shown', (command, ...given) => {
  const other = given.map((arg) => arg.replace(KEY, OTHER))
  expect(identityOf({ command, args: given })).toBe(identityOf({ command, args: other }))
  expect(hideInArgs(given, command).join(' ')).not.toContain(KEY)
})

it.each([
  'https://evil1234.example\\@h/db.tgz',
  'git+https://evil1234.example\\@h/db.tgz',
  'postgres://evil1234.example\\@h/db',
  'https://evil1234.example\\a:b@h/db.tgz',
  'https://user:evil@h:bad/db',
])('an address whose host is not surely the one behind the @ is pinned and shown whole: %s', (address) => {
  expect(args(address)).toEqual([address])
  expect(hideInArgs([address], 'x')).toEqual([address])
  expect(hideInUrl(address)).toBe(address)
  expect(launchOf({ url: address })['url']).toBe(address)
})

it('a host in another spelling, and schemes that are no web addresses, keep their passwords blanked', () => {
  for (const address of [
    'https://u:abc@H.Example:443/x',
    'https://u:abc@bücher.example/',
    'mongodb://u:abc@a:1,b:2/db',
  ])
    expect(args(address)).toEqual([address.replace('abc', '…')])
})

it.each([
  ['npx', '-y', 'https://x.example/a.tgz?QUERY'],
  ['npx', '--package=https://x.example/a.tgz?QUERY', 'a'],
  ['deno', 'run', 'https://x.example/a.ts?QUERY'],
  ['uv', 'run', 'https://x.example/a.py?QUERY'],
  ['uv', 'tool', 'run', 'https://x.example/a.whl?QUERY'],
  ['uvx', '--from', 'git+https://x.example/a?QUERY', 'a'],
  ['pnpm', 'dlx', 'https://x.example/a.tgz?QUERY'],
  ['yarn', 'dlx', 'https://x.example/a.tgz?QUERY'],
  ['npm', 'exec', '--', 'https://x.example/a.tgz?QUERY'],
  ['bunx', 'git+https://x.example/a?QUERY'],
  ['bun', 'x', 'https://x.example/a.tgz?QUERY'],
  ['pipx', 'run', 'https://x.example/a.whl?QUERY'],
])(
  'the query in the address of a program is part of it, and its secrets count by their hash: %s %s %s',
  (command, ...given) => {
    const args = (query: string) => given.map((arg) => arg.replace('QUERY', query))
    const identities = ['a=1', 'a=2', 'token=one', 'token=two', `token=${KEY}`, `token=${OTHER}`].map(
      (query) => identityOf({ command, args: args(query) }),
    )
    expect(new Set(identities).size).toBe(6)
    expect(hideInArgs(args('branch=evil'), command)).toEqual(args('branch=evil'))
    const secret = args(`token=${KEY}&branch=evil`)
    const shown = JSON.stringify([launchOf({ command, args: secret }), hideInArgs(secret, command)])
    expect(shown).not.toContain(KEY)
    expect(shown).toContain('branch=evil')
  },
)

it.each([
  ['uv', 'run', 'srv.py', '--token', KEY],
  ['uv', 'run', '-m', 'pkg', '--token', KEY],
  ['docker', 'exec', '-i', 'box', 'srv', '--token', KEY],
  ['npx', '-y', 'mcp-remote', `https://h.example/mcp?token=${KEY}`],
])('another key behind a program that was named is no other server: %s %s %s', (command, ...given) => {
  const other = given.map((arg) => arg.replace(KEY, OTHER))
  expect(identityOf({ command, args: given })).toBe(identityOf({ command, args: other }))
  expect(hideInArgs(given, command).join(' ')).not.toContain(KEY)
})
