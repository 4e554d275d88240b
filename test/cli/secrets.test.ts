import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI, runCli } from '../helpers/run-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const surroundings = resolve(import.meta.dirname, '../fixtures/servers/surroundings.ts')

describe('sluice secrets', () => {
  it('keeps each of those that several processes set at once', async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const names = Array.from({ length: 6 }, (_, index) => `name-${index}`)
    const set = await Promise.all(
      names.map((name) =>
        runCli(['secrets', 'set', name, '--data-dir', dataDir], { input: `value of ${name}` }),
      ),
    )
    expect(set.map(({ code }) => code)).toEqual(names.map(() => 0))
    const { stdout } = await runCli(['secrets', 'list', '--json', '--data-dir', dataDir])
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(names)
  })

  it('keeps what comes through stdin, hands it to the server that names it, and never shows it', async () => {
    const dataDir = writeConfig(join(temporaryFolder(), 'data'), {
      tool: {
        command: process.execPath,
        args: [surroundings],
        env: { API_TOKEN: 'Bearer ${secret:my-token}' },
      },
    })
    const run = (args: readonly string[], input?: string) =>
      runCli([...args, '--data-dir', dataDir], input === undefined ? {} : { input })
    const connect = () =>
      new RawClient({
        command: process.execPath,
        args: [CLI, 'connect', '--data-dir', dataDir, '--server', 'tool'],
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      })

    const before = connect()
    expect(JSON.stringify(await before.initialize())).toContain('sluice secrets set my-token')
    await before.end()

    const set = await run(['secrets', 'set', 'my-token'], 'tr0ub4dor-value\n')
    expect(set.code).toBe(0)
    expect(set.stdout).toMatch(/^my-token is kept/)
    expect(set.stdout + set.stderr).not.toContain('tr0ub4dor')
    const listed = await run(['secrets', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toEqual([{ name: 'my-token', place: expect.any(String) as string }])

    const client = connect()
    await client.initialize()
    const tools = await client.request('tools/list')
    const [tool] = (tools['result'] as { tools: { name: string }[] }).tools
    const answer = JSON.stringify(
      await client.request('tools/call', { name: tool?.name ?? '', arguments: { name: 'API_TOKEN' } }),
    )
    const hash = createHash('sha256').update('Bearer tr0ub4dor-value').digest('hex')
    expect(answer).toContain(hash)
    expect(answer).not.toContain('tr0ub4dor')
    // The variable that makes the app's executable a Node is for the launcher, not for servers.
    expect(answer).not.toContain('ELECTRON_RUN_AS_NODE')
    await client.end()
    expect(readFileSync(join(dataDir, 'logs', 'sluice.log'), 'utf8')).not.toContain('tr0ub4dor')
    expect(readFileSync(join(dataDir, 'config.json'), 'utf8')).not.toContain('tr0ub4dor')

    expect((await run(['secrets', 'remove', 'my-token'])).stdout).toBe('Removed my-token.\n')
    expect((await run(['secrets', 'remove', 'my-token'])).stderr).toContain('No secret is called')
    expect((await run(['secrets', 'list'])).stdout).toBe('No secret is kept.\n')
  })

  it('S12: takes keys that stand in config.json out of it, and says what it can’t take', async () => {
    const dataDir = writeConfig(join(temporaryFolder(), 'data'), {
      tool: {
        command: process.execPath,
        args: [surroundings, '--api-key', 'in-arguments-1'],
        env: { API_TOKEN: 'Bearer tr0ub4dor-value', LOG_LEVEL: 'debug' },
      },
      other: { url: 'https://example.com/mcp', headers: { 'X-Api-Key': 'second-value-2' } },
    })
    const config = (): string => readFileSync(join(dataDir, 'config.json'), 'utf8')
    const keep = (...names: string[]) => runCli(['secrets', 'keep', ...names, '--data-dir', dataDir])
    expect((await keep('toll')).stderr).toMatch(/There is no server "toll" in .*Did you mean "tool"/)
    const { stdout } = await keep('tool')
    expect(stdout).toContain('tool: the variable API_TOKEN is ${secret:tool-api_token} now.')
    expect(stdout).toContain('tool: its arguments may hold a key')
    expect(stdout).not.toMatch(/tr0ub4dor|in-arguments/)
    expect(config()).not.toContain('tr0ub4dor')
    expect(JSON.parse(config())).toMatchObject({
      servers: {
        tool: { env: { API_TOKEN: 'Bearer ${secret:tool-api_token}', LOG_LEVEL: 'debug' } },
        other: { headers: { 'X-Api-Key': 'second-value-2' } },
      },
    })
    expect((await keep()).stdout).toContain('other: the header X-Api-Key is ${secret:other-x-api-key} now.')
    expect(config()).not.toContain('second-value-2')
    expect((await keep('other')).stdout).toBe('No variable and no header holds a key in plain text.\n')

    const client = new RawClient({
      command: process.execPath,
      args: [CLI, 'connect', '--data-dir', dataDir, '--server', 'tool'],
      env: process.env,
    })
    await client.initialize()
    const tools = await client.request('tools/list')
    const [tool] = (tools['result'] as { tools: { name: string }[] }).tools
    const call = { name: tool?.name ?? '', arguments: { name: 'API_TOKEN' } }
    const answer = JSON.stringify(await client.request('tools/call', call))
    expect(answer).toContain('API_TOKEN')
    expect(answer).not.toContain('${secret:')
    await client.end()
  })

  it('S12: an import says where a key stays plain, and keeps it elsewhere when asked to', async () => {
    const snippet = JSON.stringify({
      mcpServers: { a: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer tr0ub4dor-1' } } },
    })
    for (const isKept of [false, true]) {
      const dataDir = writeConfig(join(temporaryFolder(), 'data'), {})
      const args = ['import', '-', '--yes', '--data-dir', dataDir, ...(isKept ? ['--keep-keys'] : [])]
      const { stdout } = await runCli(args, { input: snippet })
      const config = readFileSync(join(dataDir, 'config.json'), 'utf8')
      expect(config.includes('tr0ub4dor')).toBe(!isKept)
      expect(config.includes('Bearer ${secret:a-authorization}')).toBe(isKept)
      expect(stdout.includes('"sluice secrets keep a" moves that to the system')).toBe(!isKept)
    }
  })

  it('keeps nothing when nothing comes', async () => {
    const { code, stderr } = await runCli(['secrets', 'set', 'a', '--data-dir', temporaryFolder()], {
      input: '\n',
    })
    expect(code).not.toBe(0)
    expect(stderr).toContain('Nothing came through stdin')
  })
})
