import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { generateText } from '../../../fixtures/servers/generate-text.ts'
import { serverPath } from '../../../helpers/server-bundles.ts'
import { openTestLink, testServer, textOf } from '../../../helpers/upstream.ts'

test('50 MB pass, where the SDK ends the connection', async () => {
  const params = { name: 'huge', arguments: { bytes: 50_000_000 } }
  const { link } = await openTestLink({ settings: testServer('misbehaving') })
  expect(textOf(await link.request('tools/call', params)) === 'x'.repeat(50_000_000)).toBe(true)
  await link.close()

  const client = new Client({ name: 'direct', version: '1' })
  const transport = new StdioClientTransport({ command: process.execPath, args: [serverPath('misbehaving')] })
  const errors: Error[] = []
  client.onerror = (error) => errors.push(error)
  await client.connect(transport)
  await expect(client.callTool(params, { timeout: 110_000 })).rejects.toThrow()
  expect(errors[0]?.message).toMatch(/exceeded maximum size of 10485760 bytes/)
  await client.close()
})

test.each(['log', 'json', 'prose'] as const)('6 MB of %s arrive byte for byte', async (kind) => {
  const { link } = await openTestLink({ settings: testServer('big-result') })
  const text = textOf(await link.request('tools/call', { name: kind, arguments: { bytes: 6_000_000 } }))
  expect(text === generateText(kind, 6_000_000)).toBe(true)
  await link.close()
})
