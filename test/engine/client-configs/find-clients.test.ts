import { describe, expect, test } from 'vitest'
import type { Machine } from '../../../electron/engine/ground/surroundings.ts'
import { clientNamed } from '../../../electron/engine/client-configs/clients.ts'
import {
  chooseFiles,
  findClients,
  projectFilesOf,
} from '../../../electron/engine/client-configs/find-clients.ts'
import { LAUNCHER, memoryFiles } from '../../helpers/client-world.ts'

const mac: Machine = { platform: 'darwin', homeDir: '/Users/me', env: {} }
const linux: Machine = { platform: 'linux', homeDir: '/home/me', env: {} }
const windows: Machine = {
  platform: 'win32',
  homeDir: 'C:\\Users\\me',
  env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' },
}
const AS = '/Users/me/Library/Application Support'
const ROAMING = 'C:\\Users\\me\\AppData\\Roaming'
const own = { launcher: LAUNCHER, httpPort: 7424 }

function chosen(id: string, machine: Machine, ...paths: string[]): readonly string[] {
  const files = memoryFiles()
  for (const path of paths) files.put(path, '{}')
  const client = clientNamed(id)
  if (!client) throw new Error(id)
  return chooseFiles(client, { ...machine, files }).files
}

describe('where each app keeps its file', () => {
  test.each([
    [
      'claude-desktop',
      `${AS}/Claude/claude_desktop_config.json`,
      '/home/me/.config/Claude/claude_desktop_config.json',
      `${ROAMING}\\Claude\\claude_desktop_config.json`,
    ],
    ['claude-code', '/Users/me/.claude.json', '/home/me/.claude.json', 'C:\\Users\\me\\.claude.json'],
    ['cursor', '/Users/me/.cursor/mcp.json', '/home/me/.cursor/mcp.json', 'C:\\Users\\me\\.cursor\\mcp.json'],
    [
      'vscode',
      `${AS}/Code/User/mcp.json`,
      '/home/me/.config/Code/User/mcp.json',
      `${ROAMING}\\Code\\User\\mcp.json`,
    ],
    [
      'vscode-insiders',
      `${AS}/Code - Insiders/User/mcp.json`,
      '/home/me/.config/Code - Insiders/User/mcp.json',
      `${ROAMING}\\Code - Insiders\\User\\mcp.json`,
    ],
    [
      'windsurf',
      '/Users/me/.codeium/windsurf/mcp_config.json',
      '/home/me/.codeium/windsurf/mcp_config.json',
      'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json',
    ],
    [
      'devin',
      '/Users/me/.config/devin/mcp_config.json',
      '/home/me/.config/devin/mcp_config.json',
      `${ROAMING}\\devin\\mcp_config.json`,
    ],
    [
      'continue',
      '/Users/me/.continue/config.yaml',
      '/home/me/.continue/config.yaml',
      'C:\\Users\\me\\.continue\\config.yaml',
    ],
    [
      'zed',
      '/Users/me/.config/zed/settings.json',
      '/home/me/.config/zed/settings.json',
      `${ROAMING}\\Zed\\settings.json`,
    ],
    [
      'cline',
      `${AS}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
      '/home/me/.config/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      `${ROAMING}\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json`,
    ],
    [
      'roo-code',
      `${AS}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
      '/home/me/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
      `${ROAMING}\\Cursor\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json`,
    ],
    [
      'lm-studio',
      '/Users/me/.lmstudio/mcp.json',
      '/home/me/.lmstudio/mcp.json',
      'C:\\Users\\me\\.lmstudio\\mcp.json',
    ],
    [
      'gemini-cli',
      '/Users/me/.gemini/settings.json',
      '/home/me/.gemini/settings.json',
      'C:\\Users\\me\\.gemini\\settings.json',
    ],
    [
      'antigravity',
      '/Users/me/.gemini/antigravity/mcp_config.json',
      '/home/me/.gemini/antigravity/mcp_config.json',
      'C:\\Users\\me\\.gemini\\antigravity\\mcp_config.json',
    ],
    [
      'codex',
      '/Users/me/.codex/config.toml',
      '/home/me/.codex/config.toml',
      'C:\\Users\\me\\.codex\\config.toml',
    ],
    [
      'goose',
      '/Users/me/.config/goose/config.yaml',
      '/home/me/.config/goose/config.yaml',
      `${ROAMING}\\Block\\goose\\config\\config.yaml`,
    ],
    [
      'junie',
      '/Users/me/.junie/mcp/mcp.json',
      '/home/me/.junie/mcp/mcp.json',
      'C:\\Users\\me\\.junie\\mcp\\mcp.json',
    ],
    [
      'opencode',
      '/Users/me/.config/opencode/opencode.json',
      '/home/me/.config/opencode/opencode.jsonc',
      'C:\\Users\\me\\.config\\opencode\\opencode.json',
    ],
  ])('%s', (id, onMac, onLinux, onWindows) => {
    expect(chosen(id, mac, onMac)).toEqual([onMac])
    expect(chosen(id, linux, onLinux)).toEqual([onLinux])
    expect(chosen(id, windows, onWindows)).toEqual([onWindows])
    expect(chosen(id, mac)).toEqual([])
  })

  test('the second places that some apps have', () => {
    const { homeDir } = windows
    expect(chosen('zed', windows, `${homeDir}\\.config\\zed\\settings.json`)).toHaveLength(1)
    expect(chosen('opencode', windows, `${homeDir}\\AppData\\Local\\opencode\\opencode.jsonc`)).toHaveLength(
      1,
    )
    const profile = '/home/me/.config/Code/User/profiles/-2f0a/mcp.json'
    expect(chosen('vscode', linux, '/home/me/.config/Code/User/mcp.json', profile)).toContain(profile)
    const block = '/home/me/.continue/mcpServers/sqlite.yaml'
    expect(chosen('continue', linux, block)).toEqual([block])
  })

  test('variables that move a folder', () => {
    const env = { CLAUDE_CONFIG_DIR: '/else', CODEX_HOME: '/codex', XDG_CONFIG_HOME: '/xdg' }
    expect(chosen('claude-code', { ...linux, env }, '/else/.claude.json')).toEqual(['/else/.claude.json'])
    expect(chosen('codex', { ...linux, env }, '/codex/config.toml')).toEqual(['/codex/config.toml'])
    expect(
      chosen('zed', { ...linux, env }, '/xdg/zed/settings.json', '/home/me/.config/zed/settings.json'),
    ).toEqual(['/xdg/zed/settings.json'])
    const relative = { XDG_CONFIG_HOME: 'x' }
    expect(chosen('zed', { ...linux, env: relative }, '/home/me/.config/zed/settings.json')).toHaveLength(1)
    const moved = { APPDATA: 'D:\\R' }
    expect(chosen('cursor', { ...windows, env: {} }, 'C:\\Users\\me\\.cursor\\mcp.json')).toHaveLength(1)
    expect(chosen('vscode', { ...windows, env: moved }, 'D:\\R\\Code\\User\\mcp.json')).toHaveLength(1)
    expect(chosen('vscode', { ...windows, env: {} }, `${ROAMING}\\Code\\User\\mcp.json`)).toHaveLength(1)
  })

  test('files of projects', () => {
    const files = memoryFiles()
    for (const name of ['.mcp.json', '.vscode/mcp.json', '.continue/mcpServers/a.yaml'])
      files.put(`/projects/p/${name}`, '{}')
    const of = (id: string, folder: string) => projectFilesOf(clientNamed(id) ?? fail(), folder, files)
    expect(of('claude-code', '/projects/p/')).toEqual(['/projects/p/.mcp.json'])
    expect(of('vscode', '/projects/p')).toEqual(['/projects/p/.vscode/mcp.json'])
    expect(of('continue', '/projects/p')).toEqual(['/projects/p/.continue/mcpServers/a.yaml'])
    expect(of('cursor', '/projects/p')).toEqual([])
  })
})

const fail = (): never => {
  throw new Error('No such client.')
}

describe('Claude Desktop on Windows', () => {
  const classic = `${ROAMING}\\Claude\\claude_desktop_config.json`
  const packaged = (name: string) =>
    `C:\\Users\\me\\AppData\\Local\\Packages\\${name}\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json`
  function choice(...paths: string[]) {
    const files = memoryFiles()
    for (const path of paths) files.put(path, '{"mcpServers":{"a":{"command":"x"}}}')
    return findClients({ ...windows, files, own }).find(({ id }) => id === 'claude-desktop')
  }
  const pathsOf = (found: ReturnType<typeof choice>) => found?.files.map(({ path }) => path)

  test("failure 26, a file that the app never reads: the package's own file counts, and the other is named", () => {
    const found = choice(packaged('Claude_abc'), classic)
    expect(pathsOf(found)).toEqual([packaged('Claude_abc')])
    expect(found?.remark).toContain(classic)
    expect(found?.question).toBeUndefined()
  })
  test('no package: the classic one', () => {
    expect(pathsOf(choice(classic))).toEqual([classic])
  })
  test('neither file, but one package: where its file will be', () => {
    const found = choice('C:\\Users\\me\\AppData\\Local\\Packages\\Claude_abc\\x.dat')
    expect(found?.files).toEqual([{ path: packaged('Claude_abc'), isMissing: true, servers: [] }])
  })
  test('a package without a file, and the classic file: the classic one', () => {
    expect(pathsOf(choice('C:\\Users\\me\\AppData\\Local\\Packages\\Claude_abc\\x.dat', classic))).toEqual([
      classic,
    ])
  })
  test('several packages with files: a question', () => {
    const found = choice(packaged('Claude_abc'), packaged('Claude_nightly'), classic)
    expect(pathsOf(found)).toEqual([packaged('Claude_abc'), packaged('Claude_nightly')])
    expect(found?.question).toMatch(/installed 2 times.*--file/)
  })
  test('nothing at all: not listed', () => {
    expect(choice()).toBeUndefined()
  })
})

describe('what is told of the servers', () => {
  test('state, disabled, project; of secrets only the names', () => {
    const files = memoryFiles()
    const connect = (server: string) => ({
      ...LAUNCHER,
      args: [...LAUNCHER.args, 'connect', '--client', 'x', '--server', server],
    })
    files.put(
      '/home/me/.claude.json',
      JSON.stringify({
        mcpServers: {
          plain: {
            command: 'npx',
            args: ['srv', '--api-key', 'SECRET1', '-e', 'TOKEN=SECRET2', 'https://u:SECRET3@h/?k=SECRET4'],
            env: { KEY: 'SECRET5' },
            disabled: true,
          },
          remote: {
            type: 'http',
            url: 'https://x.example/mcp?token=SECRET6',
            headers: { Authorization: 'Bearer SECRET7' },
          },
          through: connect('plain'),
          sluice: connect('sluice'),
          port: { type: 'http', url: 'http://localhost:7424/mcp' },
          other: { type: 'http', url: 'http://localhost:8080/mcp' },
          oauth: { type: 'http', url: 'https://x.example', oauth: { clientId: 'a' } },
          odd: 5,
        },
        projects: { '/p': { mcpServers: { inProject: { command: 'y' } } }, '/q': {} },
      }),
    )
    const [client] = findClients({ ...linux, files, own })
    const servers = client?.files[0]?.servers ?? []
    expect(servers.map(({ name, state }) => `${name}: ${state}`)).toEqual([
      'plain: not wrapped',
      'remote: not wrapped',
      'through: wrapped',
      'sluice: sluice itself',
      'port: sluice itself',
      'other: not wrapped',
      'oauth: unsupported',
      'odd: unsupported',
      'inProject: not wrapped',
    ])
    expect(servers[0]).toMatchObject({ disabled: true, launch: { command: 'npx', env: ['KEY'] } })
    expect(servers[1]).toMatchObject({ launch: { headers: ['Authorization'] } })
    expect(servers[2]).toMatchObject({ serverId: 'plain' })
    expect(servers[6]?.why).toContain('signs in')
    expect(servers[8]).toMatchObject({ project: '/p' })
    expect(JSON.stringify(client)).not.toContain('SECRET')
  })

  test('servers that an app switches off in lists of its own are disabled', () => {
    const files = memoryFiles()
    const servers = { a: { command: 'x' }, B: { command: 'y' }, c: { command: 'z' }, d: { command: 'd' } }
    const project = (disabledMcpServers: string[]) => ({ mcpServers: servers, disabledMcpServers })
    files.put(
      '/home/me/.claude.json',
      JSON.stringify({ mcpServers: servers, projects: { '/p': project(['a']), '/q': project([]) } }),
    )
    files.put('/home/me/.gemini/mcp-server-enablement.json', '{ "b": { "enabled": false }, "c": {} }')
    const off = (mcp: unknown): string[] => {
      files.put('/home/me/.gemini/settings.json', JSON.stringify({ mcp, mcpServers: servers }))
      return findClients({ ...linux, files, own }).flatMap(({ id, files: [file] }) =>
        (file?.servers ?? []).flatMap(({ name, project: of = '', disabled }) =>
          disabled ? [`${id} ${name} ${of}`.trim()] : [],
        ),
      )
    }
    const claude = 'claude-code a /p'
    expect(off(undefined)).toEqual([claude, 'gemini-cli B'])
    expect(off({ excluded: ['A'] })).toEqual([claude, 'gemini-cli a', 'gemini-cli B'])
    expect(off({ allowed: ['a', 'b'] })).toEqual([claude, 'gemini-cli B', 'gemini-cli c', 'gemini-cli d'])
    files.put('/home/me/.gemini/mcp-server-enablement.json', 'not JSON')
    expect(off({ excluded: 'a' })).toEqual([claude])
  })

  test('a file with a fault is told with its place; the other apps are listed all the same', () => {
    const files = memoryFiles()
    files.put('/home/me/.cursor/mcp.json', '{\n  "mcpServers": {\n    "a": { "command": SECRET }\n')
    files.put('/home/me/.lmstudio/mcp.json', '{}')
    files.put('/home/me/.codex/config.toml', Buffer.from([0xff, 0xfe, 0x61, 0]))
    const found = findClients({ ...linux, files, own })
    expect(found.map(({ id }) => id)).toEqual(['cursor', 'lm-studio', 'codex'])
    expect(found[0]?.files[0]?.problem).toMatch(/mcp\.json:3:23 is not valid JSON: invalid symbol/)
    expect(found[0]?.files[0]?.problem).not.toContain('SECRET')
    expect(found[2]?.files[0]?.problem).toContain('not written in UTF-8')
  })
})
