import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI, runCli } from '../helpers/run-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const surroundings = resolve(import.meta.dirname, '../fixtures/servers/surroundings.ts')

describe('sluice secrets', () => {
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
    expect(answer).toContain('Bearer tr0ub4dor-value')
    // What makes the app's executable a Node is the launcher's, and no server's.
    expect(answer).not.toContain('ELECTRON_RUN_AS_NODE')
    await client.end()
    expect(readFileSync(join(dataDir, 'logs', 'sluice.log'), 'utf8')).not.toContain('tr0ub4dor')
    expect(readFileSync(join(dataDir, 'config.json'), 'utf8')).not.toContain('tr0ub4dor')

    expect((await run(['secrets', 'remove', 'my-token'])).stdout).toBe('Removed my-token.\n')
    expect((await run(['secrets', 'remove', 'my-token'])).stderr).toContain('No secret is called')
    expect((await run(['secrets', 'list'])).stdout).toBe('No secret is kept.\n')
  })

  it('keeps nothing when nothing comes', async () => {
    const { code, stderr } = await runCli(['secrets', 'set', 'a', '--data-dir', temporaryFolder()], {
      input: '\n',
    })
    expect(code).not.toBe(0)
    expect(stderr).toContain('Nothing came through stdin')
  })
})
