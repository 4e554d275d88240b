import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { changeableServer, simpleTool } from '../helpers/changeable-server.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { withoutVariables } from '../helpers/older-pins.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { waitFor } from '../helpers/wait-for.ts'

type Variables = Readonly<Record<string, string>>

/** The only server has the last written variables. */
function serverWith(env: Variables) {
  const folder = temporaryFolder()
  const { server } = changeableServer([simpleTool('one')], {}, folder)
  const start = (now: Variables): string =>
    writeConfig(join(folder, 'data'), { s: { ...server, env: now } }, { approvals: { firstSight: 'ask' } })
  const dataDir = start(env)
  const review = async (...args: string[]): Promise<string> => {
    const { stdout, code } = await runHere(['review', '--data-dir', dataDir, ...args])
    expect(code).toBe(0)
    return stdout
  }
  const waiting = async () =>
    JSON.parse(await review('--json')) as { kind: string; change: string; places: { path: string }[] }[]
  const connect = async () => {
    const client = new RawClient({
      command: process.execPath,
      args: [CLI, 'connect', '--data-dir', dataDir, '--server', 's'],
    })
    onTestFinished(() => void client.end())
    await client.initialize()
    const names = async (): Promise<string[]> => {
      const { result } = await client.request('tools/list')
      return (result as { tools: { name: string }[] }).tools.map(({ name }) => name)
    }
    const call = async (): Promise<string> =>
      JSON.stringify(await client.request('tools/call', { name: 'one', arguments: {} }))
    return { names, call }
  }
  return { dataDir, start, review, waiting, connect }
}

it('another value blocks the server and is shown by itself; a new key is no question', async () => {
  const env = { API_URL: 'https://api.example/v1', OTHER_ARGS: '--safe', API_KEY: 'word', DEBUG: 'false' }
  const { start, review, waiting, connect } = serverWith(env)
  expect(await review('s', '--yes')).toContain('env.API_URL: https://api.example/v1')
  start({ ...env, API_KEY: 'another' })
  const { names, call } = await connect()
  expect(await names()).toEqual(['one'])

  start({ ...env, API_URL: 'https://evil.example/v1', OTHER_ARGS: '--run evil' })
  await waitFor(async () => expect(await names()).toEqual(['sluice_blocked']))
  expect(await call()).toMatch(/alues of variables or headers of the server \\"s\\" are others/)
  const shown = await waiting()
  expect(shown.map(({ kind, change }) => [kind, change])).toEqual([['variables', 'changed']])
  expect(shown[0]?.places.map(({ path }) => path)).toEqual(['env.API_URL', 'env.OTHER_ARGS'])
  expect(await review('s', '--yes')).toContain('env.API_URL: https://[-api-]{+evil+}.example/v1')
  await waitFor(async () => expect(await names()).toEqual(['one']))
})

it('a record that has none of them takes over what is configured, once and without a question', async () => {
  const { dataDir, start, review, waiting, connect } = serverWith({ API_URL: 'https://a.example' })
  await review('s', '--yes')
  withoutVariables(join(dataDir, 'pins.db'))
  const { names } = await connect()
  expect(await names()).toEqual(['one'])
  expect(await waiting()).toEqual([])
  start({ API_URL: 'https://b.example' })
  await waitFor(async () => expect(await names()).toEqual(['sluice_blocked']))
  expect((await waiting()).map(({ kind, change }) => [kind, change])).toEqual([['variables', 'changed']])
  expect(await (await connect()).names()).toEqual(['sluice_blocked'])
})

it('a key that sluice secrets keep moves is the same key', async () => {
  const { dataDir, review, waiting, connect } = serverWith({ SESSION: 'abcdefgh12345678', API_URL: 'a' })
  await review('s', '--yes')
  expect((await runHere(['secrets', 'keep', '--data-dir', dataDir])).stdout).toContain('${secret:s-session}')
  expect(await (await connect()).names()).toEqual(['one'])
  expect(await waiting()).toEqual([])
})
