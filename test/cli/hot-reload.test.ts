import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { CLI } from '../helpers/run-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { compiledCode } from '../helpers/compiled-code.ts'
import { waitFor } from '../helpers/wait-for.ts'

async function startWith(servers: Record<string, unknown>) {
  const dataDir = temporaryFolder()
  const path = join(dataDir, 'config.json')
  const write = (text: string) => {
    writeFileSync(`${path}~`, text, { mode: 0o600 })
    renameSync(`${path}~`, path)
  }
  write(JSON.stringify({ approvals: { firstSight: 'trust' }, servers }))
  const client = new Client({ name: 'test-client', version: '1' })
  let changes = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'connect', '--data-dir', dataDir],
      env: compiledCode(),
      stderr: 'pipe',
    }),
  )
  onTestFinished(() => client.close())
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  const echo = async (server: string) => {
    const result = await client.callTool({ name: `${server}__echo`, arguments: { text: server } })
    return (result.content as { text: string }[])[0]?.text
  }
  const log = () => readFileSync(join(dataDir, 'logs', 'sluice.log'), 'utf8')
  const starts = (server: string) =>
    log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['message'] === 'server connected' && line['server'] === server).length
  return { client, write, names, echo, log, starts, changes: () => changes }
}

test('MCPCP fault: a changed file restarted every server, told nobody, and a wrong one left none', async () => {
  const one = testServer('big-result')
  const two = testServer('misbehaving')
  const { write, names, echo, log, starts, changes } = await startWith({ one, two })
  expect(await names()).toEqual(expect.arrayContaining(['one__log', 'two__echo']))
  expect(await echo('one')).toBe('one')
  const startsBefore = [starts('one'), starts('two')]

  // A policy change: the client is notified, nothing restarts.
  write(
    JSON.stringify({
      approvals: { firstSight: 'trust' },
      servers: { one: { ...one, tools: { log: { hidden: true } } }, two },
    }),
  )
  await waitFor(() => expect(changes()).toBeGreaterThan(0))
  expect(await names()).not.toContain('one__log')
  expect(await names()).toContain('one__echo')
  expect([starts('one'), starts('two')]).toEqual(startsBefore)

  // An invalid file changes nothing.
  const before = await names()
  write('{ "servers": { "one": { "comand": "x" } } }')
  await waitFor(() => expect(log()).toContain('"comand\\"'))
  expect(await names()).toEqual(before)
  expect(await echo('two')).toBe('two')

  // One changed launch and one server less: only that one restarts.
  const toldBefore = changes()
  write(
    JSON.stringify({
      approvals: { firstSight: 'trust' },
      servers: { one: { ...one, env: { CHANGED: '1' } } },
    }),
  )
  await waitFor(() => expect(changes()).toBeGreaterThan(toldBefore))
  await waitFor(async () => expect(await names()).toContain('one__log'))
  expect((await names()).filter((name) => name.startsWith('two__'))).toEqual([])
  expect(await echo('one')).toBe('one')
  expect([starts('one'), starts('two')]).toEqual([(startsBefore[0] ?? 0) + 1, startsBefore[1]])

  const toldLast = changes()
  write(
    JSON.stringify({
      approvals: { firstSight: 'trust' },
      servers: { one: { ...one, env: { CHANGED: '1' } }, three: two },
    }),
  )
  await waitFor(() => expect(changes()).toBeGreaterThan(toldLast))
  await waitFor(async () => expect(await echo('three')).toBe('three'))
})
