import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

const ask = { approvals: { firstSight: 'ask' } }

test('a config.json with a mistake is no review', async () => {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder)
  writeFileSync(join(folder, 'config.json'), '{ "servers": { "a": { "comand": "x" } } }')
  const { code, stderr } = await runHere(['review', '--data-dir', folder])
  expect(code).toBe(1)
  expect(stderr).toMatch(/"comand".*\n.*config\.json has mistakes, so not all servers were looked at/)
})

test('a server that was taken out of config.json is not approved in passing, and an unknown one is named', async () => {
  const folder = join(temporaryFolder(), 'data')
  const review = (...args: string[]) => runHere(['review', '--data-dir', folder, ...args])
  writeConfig(folder, { gone: testServer('paged') }, ask)
  expect(JSON.parse((await review('--json')).stdout)).not.toEqual([])

  writeConfig(folder, { here: testServer('big-result') }, ask)
  const { stdout } = await review('--yes')
  expect(stdout).toMatch(/here/)
  expect(stdout).not.toMatch(/gone/)
  expect((await review('--history')).stdout).not.toMatch(/gone .*approved/)

  const unknown = await review('her')
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toMatch(/no server "her".*here/)
})

test('a server that does not start is no review of it: exit code 3, and what it offers is called unknown', async () => {
  const folder = join(temporaryFolder(), 'data')
  const review = (...args: string[]) => runHere(['review', '--data-dir', folder, ...args])
  writeConfig(folder, { good: testServer('paged'), gone: { command: 'no-such-program' } }, ask)
  const one = await review('gone')
  expect(one).toMatchObject({ code: 3, stdout: '' })
  expect(one.stderr).toMatch(/gone: .*no-such-program/)
  expect(one.stderr).toMatch(/What gone offers is not known.*sluice doctor/)
  const json = await review('gone', '--json')
  expect(json).toMatchObject({ code: 3, stdout: '[]\n' })

  const all = await review('--yes')
  expect(all.code).toBe(3)
  expect(all.stdout).toMatch(/Approved: \d+ of "good"/)
  expect((await review('good')).code).toBe(0)
})
