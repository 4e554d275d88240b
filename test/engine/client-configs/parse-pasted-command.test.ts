import { describe, expect, test } from 'vitest'
import { parsePastedCommand } from '../../../electron/engine/client-configs/parse-pasted-command.ts'
import { parsePastedServers } from '../../../electron/engine/client-configs/parse-pasted.ts'
import { LAUNCHER } from '../../helpers/client-world.ts'

describe('commands as READMEs print them', () => {
  test.each<[string, object]>([
    [
      'npx -y @modelcontextprotocol/server-filesystem ~/notes "/my files"',
      {
        filesystem: {
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '~/notes', '/my files'],
        },
      },
    ],
    [
      '$ uvx mcp-server-git --repository /r',
      { git: { command: 'uvx', args: ['mcp-server-git', '--repository', '/r'] } },
    ],
    [
      'API_KEY=abc MODE="a b" npx some-mcp@1.2.3',
      {
        some: { command: 'npx', args: ['some-mcp@1.2.3'], env: { API_KEY: 'abc', MODE: 'a b' } },
      },
    ],
    [
      'docker run -i --rm -e TOKEN -v /a:/b ghcr.io/github/github-mcp-server:latest',
      {
        github: {
          command: 'docker',
          args: [
            'run',
            '-i',
            '--rm',
            '-e',
            'TOKEN',
            '-v',
            '/a:/b',
            'ghcr.io/github/github-mcp-server:latest',
          ],
        },
      },
    ],
    [
      'docker run \\\n  -i --rm \\\n  mcp/fetch',
      { fetch: { command: 'docker', args: ['run', '-i', '--rm', 'mcp/fetch'] } },
    ],
    [
      'python -m weather_mcp --port 1',
      { weather: { command: 'python', args: ['-m', 'weather_mcp', '--port', '1'] } },
    ],
    ['node C:\\\\srv\\\\notes.js', { notes: { command: 'node', args: ['C:\\srv\\notes.js'] } }],
    [
      'claude mcp add air -e KEY=1 -- npx -y airtable-mcp-server',
      {
        air: { command: 'npx', args: ['-y', 'airtable-mcp-server'], env: { KEY: '1' } },
      },
    ],
    ['claude mcp add a -e A=1 B=2 -- x', { a: { command: 'x', args: [], env: { A: '1', B: '2' } } }],
    [
      'claude mcp add --scope user -t http linear https://mcp.linear.app/mcp --header "Authorization: Bearer x"',
      {
        linear: { url: 'https://mcp.linear.app/mcp', headers: { Authorization: 'Bearer x' } },
      },
    ],
    [
      'claude mcp add --transport sse -H "X-Key: a b" old https://x.example/sse',
      {
        old: { url: 'https://x.example/sse', type: 'sse', headers: { 'X-Key': 'a b' } },
      },
    ],
    [`claude mcp add-json a '{"command":"x","args":["1"]}'`, { a: { command: 'x', args: ['1'] } }],
    [
      'codex mcp add ctx --env A=b -- npx -y ctx',
      { ctx: { command: 'npx', args: ['-y', 'ctx'], env: { A: 'b' } } },
    ],
    ['gemini mcp add files ./server.py --flag', { files: { command: './server.py', args: ['--flag'] } }],
    [
      `code --add-mcp '{"name":"p","command":"npx","args":["p"]}'`,
      { p: { name: 'p', command: 'npx', args: ['p'] } },
    ],
    ['https://mcp.linear.app/mcp', { linear: { url: 'https://mcp.linear.app/mcp' } }],
    ['https://api.githubcopilot.com/mcp/', { githubcopilot: { url: 'https://api.githubcopilot.com/mcp/' } }],
    ['http://localhost:3000/mcp', { server: { url: 'http://localhost:3000/mcp' } }],
  ])('%s', (line, wanted) => {
    expect(parsePastedCommand(line)).toEqual(wanted)
  })
})

test('a configuration is none, and neither is prose', () => {
  for (const text of [
    'command = "npx"\nargs = ["x"]',
    'npx: \n  command: x',
    '{ "a": 1 }',
    'hello there',
    '',
  ])
    expect(parsePastedCommand(text), text).toBeUndefined()
})

test('what can not be a server is refused with its reason', () => {
  expect(() => parsePastedCommand('npx a | tee log')).toThrow(/without a shell.*"\|"/)
  expect(() => parsePastedCommand('npx "a')).toThrow(/isn't closed/)
  expect(() => parsePastedCommand('claude mcp add')).toThrow(/names no server/)
  expect(() => parsePastedCommand('claude mcp add a')).toThrow(/no program and no address for the server "a"/)
  expect(() => parsePastedCommand('claude mcp list')).toThrow(/adds no server/)
  expect(() => parsePastedCommand('claude mcp add-json a {oops')).toThrow(/can't be read/)
  expect(() => parsePastedCommand('claude mcp add a -e nothing -- npx a')).toThrow(/NAME=value/)
})

test('a pasted command becomes a server of config.json, its keys as in any other entry', () => {
  const { servers } = parsePastedServers('```sh\nGITHUB_TOKEN=ghp_1 npx -y @acme/server-github\n```', {
    own: { launcher: LAUNCHER, httpPort: 7424 },
    servers: {},
  })
  expect(servers).toMatchObject([
    { serverId: 'github', isNew: true, settings: { command: 'npx', env: { GITHUB_TOKEN: 'ghp_1' } } },
  ])
})

describe('what pages offer to paste', () => {
  const read = (text: string) =>
    parsePastedServers(text, { own: { launcher: LAUNCHER, httpPort: 7424 }, servers: {} }).servers.map(
      ({ serverId, settings: { command, args, url, env } }) => [serverId, { command, args, url, env }],
    )
  const npx = (...args: string[]) => ({ command: 'npx', args })
  const config = Buffer.from(JSON.stringify({ command: 'npx @acme/mcp@latest --fast' })).toString('base64')
  const entry = encodeURIComponent(JSON.stringify({ name: 'docs', url: 'https://mcp.example.com/mcp' }))

  test.each<[string, string, object]>([
    ['npx -y @playwright/mcp@latest', 'playwright', npx('-y', '@playwright/mcp@latest')],
    [
      'uv --directory /srv/weather run main.py',
      'main',
      { command: 'uv', args: ['--directory', '/srv/weather', 'run', 'main.py'] },
    ],
    [
      'Add this to the settings:\n\n```json\n{ "mcpServers": { "b": { "command": "npx", "args": ["b"] } } }\n```\nRestart.',
      'b',
      npx('b'),
    ],
    [
      `cursor://anysphere.cursor-deeplink/mcp/install?name=acme&config=${config}`,
      'acme',
      npx('@acme/mcp@latest', '--fast'),
    ],
    [`vscode:mcp/install?${entry}`, 'docs', { url: 'https://mcp.example.com/mcp' }],
    [
      JSON.stringify({
        server: {
          name: 'io.github.acme/weather-mcp',
          packages: [
            {
              registryType: 'npm',
              identifier: '@acme/weather',
              version: '1.2.0',
              packageArguments: [{ type: 'positional', valueHint: 'city' }],
              environmentVariables: [{ name: 'WEATHER_KEY', isSecret: true }],
            },
          ],
        },
      }),
      'weather',
      { ...npx('-y', '@acme/weather@1.2.0', '<city>'), env: { WEATHER_KEY: '${env:WEATHER_KEY}' } },
    ],
    [
      JSON.stringify({
        name: 'com.acme/search',
        packages: [
          {
            registryType: 'oci',
            identifier: 'docker.io/acme/search',
            version: '2',
            environmentVariables: [{ name: 'KEY' }],
          },
        ],
      }),
      'search',
      {
        command: 'docker',
        args: ['run', '-i', '--rm', '-e', 'KEY', 'docker.io/acme/search:2'],
        env: { KEY: '${env:KEY}' },
      },
    ],
  ])('%s', (text, name, launch) => {
    expect(read(text)).toEqual([
      [name, { command: undefined, args: undefined, url: undefined, env: undefined, ...launch }],
    ])
  })

  test('an installation and a broken link say what is wrong', () => {
    expect(() => read('npm install -g @acme/mcp')).toThrow(/installs a package and starts no server/)
    expect(() => read('vscode:mcp/install?%7Boops')).toThrow(/No server can be read/)
  })
})

test.each([
  'npx',
  'npx -y',
  'docker',
  'docker run',
  'docker run -i --rm -e KEY',
  'uvx',
  'claude mcp add a -- npx',
])('%s starts no server, and says what is missing', (line) => {
  expect(() => parsePastedCommand(line)).toThrow(
    /names no server: its (?:image|package or script) is missing/,
  )
})

test.each(['cargo run', 'npm start', 'pnpm run start'])('%s starts what the folder holds', (line) => {
  expect(parsePastedCommand(line)).toBeDefined()
})

const world = { own: { launcher: LAUNCHER, httpPort: 7424 }, servers: {} }

test.each([
  'docker run -i --rm -e API_TOKEN=t0p -e MODE=fast acme/notes -e LATER_TOKEN=x',
  JSON.stringify({
    notes: {
      command: 'docker',
      args: 'run -i --rm -e API_TOKEN=t0p -e MODE=fast acme/notes -e LATER_TOKEN=x'.split(' '),
    },
  }),
])('a key of a container is a variable, which the keyring can hold: %s', (text) => {
  const [server] = parsePastedServers(text, world).servers
  expect(server?.settings).toEqual({
    command: 'docker',
    args: 'run -i --rm -e API_TOKEN -e MODE=fast acme/notes -e LATER_TOKEN=x'.split(' '),
    env: { API_TOKEN: 't0p' },
  })
})

test('a name that is changed says whether another has it or none could', () => {
  const servers = { notes: { command: 'x' } }
  const entries = { notes: { command: 'a' }, 'my notes': { command: 'b' }, other: { command: 'c' } }
  expect(
    parsePastedServers(JSON.stringify(entries), { ...world, servers }).servers.map(
      ({ serverId, renamed }) => [serverId, renamed],
    ),
  ).toEqual([
    ['notes-2', 'taken'],
    ['my-notes', 'unusable'],
    ['other', undefined],
  ])
})
