import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runCli, startCli } from '../helpers/run-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

type Env = Readonly<Record<string, string>>

/** As with `| head -0`, or once these words were read. */
async function runUnread(
  args: readonly string[],
  { until = '', env = {} }: { until?: string; env?: Env } = {},
) {
  const child = startCli(args, { env })
  child.stdin.end()
  if (until !== '')
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: true }))
      if (String(chunk).includes(until)) break
  child.stdout.destroy()
  const code = new Promise<number | null>((done) => child.on('close', done))
  const stderr = await text(child.stderr)
  return { code: await code, stderr }
}

test('a change whose output is closed early does not end as if it were done; what only shows something does', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'mcp.json')
  const before = JSON.stringify({ mcpServers: { paged: testServer('paged') } })
  writeFileSync(file, before)
  const dataDir = join(folder, 'data')
  const wrap = await runUnread(['wrap', '--file', file, '--yes', '--data-dir', dataDir])
  expect(wrap.stderr).toMatch(/The output was closed before the command ended.*Run it again/)
  expect(wrap.code).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(await runUnread(['stats', '--data-dir', dataDir])).toEqual({ code: 0, stderr: '' })
})

test('of two files the one that was begun is done, and the other is whole: as it was, or done', async () => {
  const folder = temporaryFolder()
  const project = join(folder, 'project')
  mkdirSync(project)
  const mcpServers = (name: string) => ({ mcpServers: { [name]: testServer('paged') } })
  const [own, shared] = [join(folder, '.claude.json'), join(project, '.mcp.json')]
  const before = JSON.stringify({ projects: { [project]: mcpServers('second') } })
  writeFileSync(own, before)
  writeFileSync(shared, JSON.stringify(mcpServers('first')))
  const dataDir = join(folder, 'data')
  const args = ['wrap', 'claude-code', '--project', project, '--yes', '--data-dir', dataDir]
  const env = { HOME: folder, USERPROFILE: folder, CLAUDE_CONFIG_DIR: '' }
  const second = { args: expect.arrayContaining(['connect']) as unknown }
  const done = { projects: { [project]: { mcpServers: { second } } } }
  const { code, stderr } = await runUnread(args, { until: 'Done.', env })
  expect(stderr).toMatch(/The output was closed before the command ended.*Run it again/)
  expect(code).toBe(1)
  expect(JSON.parse(readFileSync(shared, 'utf8'))).toMatchObject({
    mcpServers: { first: { args: expect.arrayContaining(['connect', 'first']) as unknown } },
  })
  expect(readFileSync(join(dataDir, 'config.json'), 'utf8')).toContain('"first"')
  // The pipe's end may be noticed only behind the second file.
  const other = readFileSync(own, 'utf8')
  if (other !== before) expect(JSON.parse(other)).toMatchObject(done)
  const again = await runCli(args, { env })
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(readFileSync(own, 'utf8'))).toMatchObject(done)
})
