import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startCli } from '../helpers/run-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

/** As with `| head -0`. */
async function runUnread(args: readonly string[]) {
  const child = startCli(args)
  child.stdout.destroy()
  child.stdin.end()
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
