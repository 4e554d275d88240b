import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { generateText } from '../../fixtures/servers/generate-text.ts'
import { openTestLink, serverPath, testServer, textOf } from '../../helpers/upstream.ts'

test('50 MB pass, where the SDK ends the connection', async () => {
  const { link } = await openTestLink({ settings: testServer('big-result') })
  const params = { name: 'log', arguments: { bytes: 50_000_000 } }
  const text = textOf(await link.request('tools/call', params))
  expect(text.length).toBe(50_000_000)
  expect(text === generateText('log', 50_000_000)).toBe(true)
  await link.close()

  const client = new Client({ name: 'direct', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [serverPath('big-result')],
  })
  const errors: Error[] = []
  client.onerror = (error) => errors.push(error)
  await client.connect(transport)
  await expect(client.callTool(params)).rejects.toThrow()
  expect(errors[0]?.message).toMatch(/exceeded maximum size of 10485760 bytes/)
  await client.close()
})
