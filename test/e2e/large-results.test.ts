import { createHash } from 'node:crypto'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { generateText } from '../fixtures/servers/generate-text.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { hostEngine } from '../helpers/host-engine.ts'
import { CLI } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { serverPath } from '../helpers/server-bundles.ts'
import { testServer } from '../helpers/upstream.ts'
import { compiledCode } from '../helpers/compiled-code.ts'

/** Far beyond the SDK client's limit, over stdio in and out, and every byte back. */

const BUDGET = 1000
/** Of one page. */
const PAGE_TOKENS = 20_000

async function connect(args: readonly string[]): Promise<{ client: Client; errors: Error[] }> {
  const client = new Client({ name: 'large', version: '1' })
  const errors: Error[] = []
  client.onerror = (error) => errors.push(error)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args],
      env: compiledCode(),
      stderr: 'ignore',
    }),
  )
  onTestFinished(() => client.close())
  return { client, errors }
}

async function throughSluice() {
  const dataDir = writeConfig(temporaryFolder(), { big: testServer('big-result') })
  await hostEngine(dataDir)
  return { dataDir, ...(await connect([CLI, 'connect', '--server', 'big', '--data-dir', dataDir])) }
}

const textsOf = ({ content }: { content?: unknown }): string[] =>
  (content as { text: string }[]).map(({ text }) => text)

/** Page by page, as its notes say, with a hash. */
async function readAll(client: Client, id: string, unit: 'lines' | 'bytes') {
  const hash = createHash('sha256')
  let next: Record<string, unknown> | undefined = { id, unit, max_tokens: PAGE_TOKENS }
  let pages = 0
  let largest = 0
  while (next) {
    const result = await client.callTool({ name: 'proxy_read', arguments: next })
    const [page = '', note = ''] = textsOf(result)
    expect(result.isError, page).not.toBe(true)
    hash.update(page)
    pages++
    // Counting every page takes longer than reading it.
    if (pages <= 3) largest = Math.max(largest, countTokens(page) + countTokens(note))
    const goOn = /Go on: proxy_read (\{.*\})\]/.exec(note)?.[1]
    next = goOn === undefined ? undefined : (JSON.parse(goOn) as Record<string, unknown>)
  }
  return { sha256: hash.digest('hex'), pages, largest }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const shrink = async (client: Client, kind: 'log' | 'json', bytes: number): Promise<string> => {
  const result = await client.callTool({ name: kind, arguments: { bytes } }, { timeout: 500_000 })
  const [shortened = ''] = textsOf(result)
  expect(shortened).toMatch(/^\[Compressed: \d+→\d+ tokens, strategy: \w+, id: r_\w+\]/)
  expect(countTokens(shortened)).toBeLessThanOrEqual(BUDGET)
  return /id: (r_\w+)/.exec(shortened)?.[1] ?? ''
}

test('a JSON array of 1 MB comes within the budget, and its pages put together are the original', async () => {
  const { client } = await throughSluice()
  const id = await shrink(client, 'json', 1_000_000)
  const read = await readAll(client, id, 'bytes')
  expect(read.sha256).toBe(sha256(generateText('json', 1_000_000)))
  expect(read.pages).toBeGreaterThan(10)
  expect(read.largest).toBeLessThanOrEqual(PAGE_TOKENS)
}, 600_000)

test('a log of 11 MB comes within the budget, and its pages are the original', async () => {
  const { client, errors, dataDir } = await throughSluice()
  const original = generateText('log', 11_000_000)
  const id = await shrink(client, 'log', 11_000_000)
  const kept = await runHere(['results', 'show', id, '--data-dir', dataDir])
  expect(sha256(kept.stdout)).toBe(sha256(original))

  if (process.env['SLUICE_FULL_MATRIX']) {
    // All two hundred pages take a quarter of a minute.
    const read = await readAll(client, id, 'lines')
    expect(read.sha256).toBe(sha256(original))
    expect(read.largest).toBeLessThanOrEqual(PAGE_TOKENS)
  }
  for (let offset = 0; offset < 11_000_000; offset += 2_765_432) {
    const result = await client.callTool({
      name: 'proxy_read',
      arguments: { id, unit: 'bytes', offset, limit: 10_000, max_tokens: PAGE_TOKENS },
    })
    expect(textsOf(result)[0] === original.slice(offset, offset + 10_000)).toBe(true)
  }
  expect(errors).toEqual([])
}, 600_000)

test("straight through the SDK's own client the same call fails and takes the connection with it", async () => {
  const { client, errors } = await connect([serverPath('big-result')])
  const call = client.callTool({ name: 'log', arguments: { bytes: 12_000_000 } })
  await expect(call).rejects.toThrow()
  expect(errors[0]?.message).toMatch(/exceeded maximum size of 10485760 bytes/)
  await expect(client.callTool({ name: 'echo', arguments: { text: 'still there?' } })).rejects.toThrow()
})
