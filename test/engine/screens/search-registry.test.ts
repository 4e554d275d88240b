import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSearchRegistry } from '../../../electron/engine/screens/search-registry.ts'

type Search = (input: {
  text: string
}) => Promise<{ registry: string; servers: { title: string; snippet: string }[] }>

test('the words go to the registry, and of its answer what can be started is shown with its launch', async () => {
  const asked: string[] = []
  let answer: unknown = {
    servers: [
      {
        server: {
          name: 'io.github.acme/notes-mcp',
          description: 'Keeps\u202e notes.',
          packages: [{ registryType: 'npm', identifier: '@acme/notes', version: '3.1.0' }],
        },
      },
      {
        server: {
          name: 'com.acme/site',
          remotes: [{ type: 'streamable-http', url: 'https://mcp.acme.com' }],
        },
      },
      { server: { name: 'com.acme/unknown', packages: [{ registryType: 'mcpb', identifier: 'x' }] } },
    ],
  }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const search = createSearchRegistry({
    env: { SLUICE_REGISTRY: `http://127.0.0.1:${port}/` },
  }) as unknown as Search
  const { registry, servers } = await search({ text: 'notes & more' })
  expect(registry).toBe(`127.0.0.1:${port}`)
  expect(asked).toEqual(['/v0.1/servers?search=notes+%26+more&limit=20&version=latest'])
  expect(servers.map(({ snippet }) => JSON.parse(snippet) as unknown)).toEqual([
    { mcpServers: { notes: { command: 'npx', args: ['-y', '@acme/notes@3.1.0'] } } },
    { mcpServers: { site: { url: 'https://mcp.acme.com' } } },
  ])
  expect(JSON.stringify(servers)).not.toContain('\u202e')
  answer = 'no list'
  await expect(search({ text: 'notes' })).rejects.toThrow(/could not be searched.*Paste a configuration/)
})
