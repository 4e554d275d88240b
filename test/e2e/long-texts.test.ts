import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerSettings } from '../../shared/settings.ts'
import { handWritten } from '../fixtures/servers/hand-written.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

// Unchanged long texts pass in their original bytes, for each client separately.

const asItIs: Partial<ServerSettings> = {
  compression: { strategy: 'off' },
  guard: { results: 'off', arguments: 'off', controlCharacters: 'keep' },
}
const server = testServer('hand-written')
const servers: Readonly<Record<string, ServerSettings>> = {
  plain: { ...server, ...asItIs },
  masked: { ...server, ...asItIs, masking: { direction: 'from-model' } },
  shortened: server,
}

describe('long texts through a connector', () => {
  const folder = temporaryFolder(afterAll)
  let engine: RunningEngine | undefined
  const clients = new Map<string, RawClient>()

  beforeAll(async () => {
    const dataDir = writeConfig(join(folder, 'data'), servers)
    engine = await startEngine(dataDir)
    for (const name of Object.keys(servers)) {
      const args = [CLI, 'connect', '--server', name, '--data-dir', dataDir]
      const client = new RawClient({ command: process.execPath, args })
      await client.initialize()
      clients.set(name, client)
    }
  })
  afterAll(async () => {
    for (const client of clients.values()) await client.end()
    await engine?.stop()
  })

  const call = async (from: string, name: string): Promise<unknown> => {
    const answer = await clients.get(from)?.request('tools/call', { name, arguments: {} })
    return answer?.['result']
  }
  const textOf = (result: unknown): string =>
    (result as { content: { text: string }[] }).content[0]?.text ?? ''

  it.each(Object.keys(handWritten))('%s arrives as it was, while others get theirs', async (name) => {
    const [plain, masked, shortened, again] = await Promise.all([
      call('plain', name),
      call('masked', 'personal'),
      call('shortened', name),
      call('plain', name),
    ])
    const expected: unknown = JSON.parse(handWritten[name]?.() ?? '')
    // toEqual would print megabytes.
    expect(JSON.stringify(plain) === JSON.stringify(expected)).toBe(true)
    expect(JSON.stringify(again) === JSON.stringify(expected)).toBe(true)
    expect(textOf(masked)).toMatch(/^Write to \[EMAIL_\d+\]\. Nothing else is here\./)
    expect(textOf(masked)).not.toContain('anna.example')
    expect(JSON.stringify(shortened).length).toBeLessThan(JSON.stringify(expected).length)
  })
})
