import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CliContext } from '../../electron/cli/cli-context.ts'
import type { FoundClient } from '../../electron/engine/client-configs/find-clients.ts'
import { clientHome, entriesOf, startEntry, type ClientEntry } from '../helpers/client-home.ts'
import { serverPath } from '../helpers/server-bundles.ts'

/** The server's report when an app starts this entry. */
async function tell(entry: ClientEntry, cwd: string) {
  const client = await startEntry(entry, cwd)
  const result = (await client.callTool({ name: 'tell', arguments: {} })) as { content: { text: string }[] }
  return JSON.parse(result.content[0]?.text ?? '') as {
    args: string[]
    cwd: string
    env: Record<string, string>
  }
}

describe('sluice wrap, with real processes', () => {
  test('CP fault: "env" reached the wrapper but not the server; here env, cwd and arguments reach it, and all goes back', async () => {
    const { homeDir, put, run, dataDir } = clientHome()
    const where = join(homeDir, 'where it runs')
    mkdirSync(where)
    const args = [serverPath('surroundings'), 'with space', '', '--x="y z"', '${input:asked}']
    const entry = {
      command: process.execPath,
      args,
      env: { API_KEY: 'the key', FROM_APP: '${input:token}' },
      cwd: where,
      disabled: false,
      timeout: 9,
    }
    const content = JSON.stringify({ mcpServers: { 'my server': entry } }, null, 3)
    const file = put('.cursor/mcp.json', content)

    const wrapped = await run('wrap', 'cursor', '--yes')
    expect(wrapped).toMatchObject({ code: 0, stderr: '' })
    expect(wrapped.stdout).not.toContain('the key')
    expect(wrapped.stdout).toContain(
      'my server: Cursor reaches it through Sluice. config.json gets it as "my-server". What moves along: API_KEY.',
    )
    const now = entriesOf(file)
    expect(Object.keys(now)).toEqual(['my server', 'sluice'])
    expect(now['my server']).toMatchObject({
      disabled: false,
      timeout: 9,
      env: { FROM_APP: '${input:token}', SLUICE_ARG_4: '${input:asked}' },
    })

    // The app fills in its own variables, and starts the entry in another folder.
    const filled = {
      ...(now['my server'] as ClientEntry),
      env: { FROM_APP: 'from the app', SLUICE_ARG_4: 'asked for', PATH: process.env['PATH'] ?? '' },
    }
    const told = await tell(filled, homeDir)
    expect(told.args).toEqual(['with space', '', '--x="y z"', 'asked for'])
    expect(told.cwd).toBe(where)
    expect(told.env).toMatchObject({ API_KEY: 'the key', FROM_APP: 'from the app' })

    const tools = await (await startEntry(now['sluice'] as ClientEntry, homeDir)).listTools()
    expect(tools.tools.map(({ name }) => name)).toContain('proxy_read')

    expect(await run('wrap', 'cursor', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('it is wrapped already') as unknown,
    })
    const undone = await run('unwrap', 'cursor', '--yes')
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect(undone.stdout).toContain('Every byte will be as it was.')
    expect(readFileSync(file, 'utf8')).toBe(content)
    expect(readFileSync(join(dataDir, 'config.json'), 'utf8')).not.toContain('the key')
  })

  test('the desktop app’s executable is written as a Node; a portable one writes nothing, and still undoes', async () => {
    const { put, run, runHere } = clientHome()
    const entry = { command: process.execPath, args: [serverPath('surroundings')] }
    const content = JSON.stringify({ mcpServers: { tool: entry } })
    const file = put('.cursor/mcp.json', content)
    const app = { isElectron: true, execPath: '/opt/Sluice/sluice' }
    const shown = await runHere(['wrap', 'cursor', '--dry-run'], { context: app })
    expect(shown.stdout).toContain('"ELECTRON_RUN_AS_NODE"')

    await run('wrap', 'cursor', '--yes')
    const wrapped = readFileSync(file, 'utf8')
    const other = put('mcp.json', content)
    const portable: Partial<CliContext> = {
      ...app,
      platform: 'win32',
      env: { PORTABLE_EXECUTABLE_FILE: 'D:\\Sluice-portable.exe' },
    }
    const refused = await runHere(['wrap', '--file', other, '--yes'], { context: portable })
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('This is the portable Sluice.')
    expect(readFileSync(file, 'utf8')).toBe(wrapped)
    expect(readFileSync(other, 'utf8')).toBe(content)
    const undone = await runHere(['unwrap', '--file', file, '--yes'], { context: portable })
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  test('clients lists apps with their states; --json for scripts; looking creates nothing', async () => {
    const { put, runHere, homeDir } = clientHome()
    put(
      '.lmstudio/mcp.json',
      '{"mcpServers":{"a":{"command":"x","args":["--token","SECRET"],"env":{"K":"SECRET"}},"\\u001b[31mred":{"url":"https://x.example"}}}',
    )
    put('.codex/config.toml', '[mcp_servers.b]\ncommand = "y"\nenabled = false\n[mcp_servers.b')
    const { stdout, code } = await runHere(['clients'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /LM Studio \(lm-studio\)\n.*mcp\.json\n.*server.*\n +a +not wrapped +x --token … \(with K\)/,
    )
    expect(stdout).toMatch(/Codex \(codex\)\n.*\n +.*config\.toml:4:\d+ is not valid TOML/)
    expect(stdout).not.toContain('SECRET')
    expect(stdout).not.toContain('\u001B')
    const found = JSON.parse((await runHere(['clients', '--json'])).stdout) as FoundClient[]
    expect(found.map(({ id }) => id)).toEqual(['lm-studio', 'codex'])
    expect(found[0]?.files[0]?.servers[0]).toMatchObject({ name: 'a', state: 'not wrapped' })
    expect(existsSync(join(homeDir, 'sluice data', 'backups'))).toBe(false)
  })

  test('what goes wrong is said in a sentence, and changes nothing', async () => {
    const { put, runHere } = clientHome()
    const file = put('.lmstudio/mcp.json', '{"mcpServers":{"github":{"command":"x"}}}')
    const before = readFileSync(file, 'utf8')
    const wrong = async (code: number, message: RegExp, ...args: string[]) => {
      const result = await runHere(args)
      expect(result.stderr).toMatch(message)
      expect(result.code).toBe(code)
      expect(readFileSync(file, 'utf8')).toBe(before)
    }
    await wrong(2, /without a terminal to ask on, --yes is needed/, 'wrap', 'lm-studio')
    await wrong(2, /There is no app "cursr"\. Did you mean "cursor"\?/, 'wrap', 'cursr')
    await wrong(
      2,
      /no server "gihub" in this file\. Did you mean "github"\?/,
      'wrap',
      'lm-studio',
      '--server',
      'gihub',
    )
    await wrong(2, /Name an app, or a file with --file/, 'wrap')
    await wrong(2, /No configuration of Zed was found; it would be .*"context_servers"/s, 'wrap', 'zed')
    await wrong(2, /zed.settings\.json\. Nothing was changed\.\n$/, 'import', 'zed')
    await wrong(2, /is not there, so nothing was changed/, 'wrap', '--file', 'none.json', '--yes')
    await wrong(
      2,
      /LM Studio has no configuration for single projects/,
      'wrap',
      'lm-studio',
      '--project',
      '.',
    )
    chmodSync(file, 0o440)
    const refused = await runHere(['wrap', 'lm-studio', '--yes'])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is marked read-only') as string,
    })
    expect(refused.stdout).not.toContain('Starting')
    chmodSync(file, 0o644)
    const dry = await runHere(['wrap', 'lm-studio', '--dry-run'])
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.stdout).toMatch(/^\+.*"--server", "github"/m)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('projects: their own files with a note, and their part of the file of Claude Code', async () => {
    const { put, runHere, homeDir } = clientHome()
    const project = join(homeDir, 'p')
    const own = put('p/.mcp.json', '{"mcpServers":{"team":{"command":"t"}}}')
    const user = put(
      '.claude.json',
      JSON.stringify({
        mcpServers: { all: { command: 'a' } },
        projects: { [project]: { mcpServers: { local: { command: 'l' } } } },
      }),
    )
    const { stdout, stderr } = await runHere([
      'wrap',
      'claude-code',
      '--project',
      'p',
      '--yes',
      '--if-failing',
      'anyway',
    ])
    expect(stderr).toBe('')
    expect(stdout).toContain('This file belongs to a project.')
    expect(entriesOf(own)['team']?.args).toContain('team')
    const claude = JSON.parse(readFileSync(user, 'utf8')) as {
      mcpServers: object
      projects: Record<string, { mcpServers: object }>
    }
    expect(claude.mcpServers).toEqual({ all: { command: 'a' } })
    expect(Object.keys(claude.projects[project]?.mcpServers ?? {})).toEqual(['local', 'sluice'])
    // A file's location decides which client it belongs to.
    expect((await runHere(['unwrap', '--file', own, '--yes'])).stdout).toContain('Claude Code: ')
    expect(readFileSync(own, 'utf8')).toBe('{"mcpServers":{"team":{"command":"t"}}}')
  })

  test('import takes servers over: from an app, and from a snippet', async () => {
    const { put, runHere, dataDir } = clientHome()
    const file = put('.lmstudio/mcp.json', '{"mcpServers":{"a":{"command":"x","env":{"K":"SECRET"}}}}')
    const taken = await runHere(['import', 'lm-studio', '--yes'])
    expect(taken).toMatchObject({ code: 0, stderr: '' })
    expect(taken.stdout).not.toContain('SECRET')
    expect(readFileSync(file, 'utf8')).not.toContain('sluice')
    const pasted = await runHere(['import', '-', '--yes'], { text: '[mcp_servers.b]\ncommand = "y"\n' })
    expect(pasted).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(readFileSync(join(dataDir, 'config.json'), 'utf8'))).toMatchObject({
      servers: { a: { command: 'x', env: { K: 'SECRET' } }, b: { command: 'y' } },
    })
  })

  test('S2: import shows all that a snippet runs, behind the name of a secret too', async () => {
    const { runHere } = clientHome()
    const snippet = {
      mcpServers: {
        c: {
          command: 'bash',
          args: ['-c', 'GITHUB_TOKEN=x; other-program; exec my-server'],
          env: { NODE_OPTIONS: '--require=/evil.js', API_KEY: 'SECRET' },
        },
      },
    }
    const { stdout } = await runHere(['import', '-', '--yes'], { text: JSON.stringify(snippet) })
    expect(stdout).toContain('GITHUB_TOKEN=x; other-program; exec my-server')
    expect(stdout).toContain('NODE_OPTIONS=--require=/evil.js')
    expect(stdout).not.toContain('SECRET')
  })
})
