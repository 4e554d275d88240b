import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
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

test('of servers with the same launch each waits by its own name, in review and in doctor', async () => {
  const folder = join(temporaryFolder(), 'data')
  const server = testServer('paged')
  const named = (tenant: string) => ({ ...server, env: { ...server.env, TENANT: tenant } })
  writeConfig(folder, { red: named('red'), blue: named('blue') }, ask)
  const review = async (...args: string[]) =>
    JSON.parse((await runHere(['review', '--data-dir', folder, ...args])).stdout) as {
      serverId: string
      kind: string
      name: string
    }[]
  const blocked = async () => {
    const { stdout } = await runHere(['doctor', '--offline', '--json', '--data-dir', folder])
    return (JSON.parse(stdout) as { subject: string; message: string }[]).flatMap(({ subject, message }) =>
      subject === 'approvals'
        ? (/^(\d+) definitions? of (\w+) .*`sluice review \2`/.exec(message)?.slice(1) ?? [])
        : [],
    )
  }
  await review('--json')
  for (const id of ['red', 'blue']) {
    const waiting = await review(id, '--json')
    expect(new Set(waiting.map(({ serverId }) => serverId))).toEqual(new Set([id]))
    expect(waiting.filter(({ kind }) => kind === 'variables').map(({ name }) => name)).toEqual([id])
    expect(waiting.length).toBeGreaterThan(2)
  }
  const count = String((await review('red', '--json')).length)
  expect(await blocked()).toEqual([count, 'red', count, 'blue'])
  expect((await runHere(['review', 'blue', '--yes', '--data-dir', folder])).stdout).toContain(
    `Approved: ${count} of "blue"`,
  )
  expect(await blocked()).toEqual(['1', 'red'])
  expect(await review('red', '--json')).toMatchObject([{ serverId: 'red', kind: 'variables', name: 'red' }])
})

test('settings that cannot be read end it before anything is written', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'config.json'))
  expect((await runHere(['review', '--data-dir', folder, '--json'])).code).toBe(1)
  expect(readdirSync(folder)).toEqual(['config.json'])
})
