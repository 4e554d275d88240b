import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { expect, it } from 'vitest'
import { startChatServer } from '../helpers/chat-server.ts'
import { modelFile, offered } from '../helpers/model-file.ts'
import { startRangeServer } from '../helpers/range-server.ts'
import { startCli } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const MB = 1024 * 1024

/** A data folder whose model list names a server of this test. */
async function startWorld(size: number, bytesPerSecond?: number) {
  const content = modelFile(size)
  const server = await startRangeServer({
    content,
    ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
  })
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'models'))
  // Each graphics driver that is tried is a process of llama.cpp's more.
  writeFileSync(join(dataDir, 'config.json'), '{ "model": { "gpu": "off" } }')
  const models = [offered(content, [`${server.url}/tiny.gguf`])]
  writeFileSync(join(dataDir, 'models', 'catalogue.json'), JSON.stringify({ models }))
  const sluice = (...args: string[]) => runHere(['--data-dir', dataDir, 'models', ...args])
  const config = () =>
    parse(readFileSync(join(dataDir, 'config.json'), 'utf8')) as { model?: Record<string, unknown> }
  return { content, server, dataDir, sluice, config }
}

it('lists, downloads, tests, imports and removes models', async () => {
  const { sluice, dataDir, config, content } = await startWorld(6 * MB)
  const list = await sluice('list')
  expect(list.stdout).toMatch(/tiny +Tiny +6 +2,048 +MIT +not downloaded/)
  expect(list.stdout).toMatch(/qwen3-0\.6b .*Apache-2\.0 +not downloaded/)
  expect(list.stdout).toContain('No model is in use.')

  const download = await sluice('download', 'tiny')
  expect(download).toMatchObject({ code: 0 })
  expect(download.stdout).toContain('It is the model in use now.')
  expect(readFileSync(join(dataDir, 'models', 'tiny.gguf')).equals(content)).toBe(true)
  expect(config().model).toEqual({ gpu: 'off', use: 'tiny' })
  const rows = JSON.parse((await sluice('list', '--json')).stdout) as Record<string, unknown>[]
  expect(rows[0]).toMatchObject({ id: 'tiny', state: 'installed', isInUse: true })

  const test = await sluice('test')
  expect(test.stdout).toMatch(/answer: {3}alpha beta gamma delta\n/)
  expect(test.stdout).toMatch(
    /reading: {2}\d+\.\d tokens per second\nwriting: {2}\d+\.\d tokens per second\n/,
  )
  expect(test.stdout).toMatch(/device: {3}cpu, \d threads?\n/)
  expect(test.stdout).toMatch(/memory: {3}\d+ MB\n/)
  const figures = JSON.parse((await sluice('test', 'tiny', '--json')).stdout) as Record<string, unknown>
  expect(figures).toMatchObject({ text: 'alpha beta gamma delta', device: 'cpu' })
  expect(figures['promptTokensPerSecond']).toBeGreaterThan(0)

  const elsewhere = join(dataDir, 'My own Model.GGUF')
  copyFileSync(join(dataDir, 'models', 'tiny.gguf'), elsewhere)
  // Equal weights are not kept twice; different ones are.
  expect((await sluice('import', elsewhere)).stdout).toContain('as "tiny"')
  writeFileSync(elsewhere, Buffer.concat([content, Buffer.from('more')]))
  expect((await sluice('import', elsewhere)).stdout).toContain('is here as "my-own-model"')
  expect((await sluice('use', 'my-own-model')).stdout).toContain('is used from now on')
  expect(config().model).toEqual({ gpu: 'off', use: 'my-own-model' })

  expect((await sluice('remove', 'my-own-model')).stderr).toContain('--yes is needed')
  expect(await sluice('remove', 'my-own-model', '--yes')).toMatchObject({ code: 0 })
  expect(existsSync(join(dataDir, 'models', 'my-own-model.gguf'))).toBe(false)
  expect(config().model?.['use']).toBeUndefined()
  expect((await sluice('test')).stderr).toContain('No model is in use')
  expect((await sluice('use', 'tiny')).code).toBe(0)
  expect((await sluice('use', 'none')).stdout).toContain('No model is used')
}, 180_000)

it('pauses at an interrupt and goes on with the same command; cancel drops it', async () => {
  const { sluice, dataDir, server } = await startWorld(40 * MB, 3 * MB)
  const child = startCli(['--data-dir', dataDir, 'models', 'download', 'tiny'])
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.once('close', done))
  await expect.poll(() => errors).toContain('% of 42 MB')
  await expect.poll(() => server.sent()).toBeGreaterThan(20 * MB)
  child.kill('SIGINT')
  expect(await ended).toBe(1)
  expect(errors).toContain('Paused. `sluice models download tiny` goes on from here.')
  expect((await sluice('list')).stdout).toMatch(/tiny .* paused, \d+ %/)
  const sent = server.sent()
  expect(await sluice('download', 'tiny')).toMatchObject({ code: 0 })
  expect(server.sent() - sent).toBeLessThan(40 * MB)
  expect((await sluice('cancel', 'tiny')).stdout).toContain('nothing to drop')
})

it('says what is wrong with a file, an id, a list of one’s own', async () => {
  const { sluice, dataDir } = await startWorld(2 * MB)
  const bad = join(dataDir, 'notes.gguf')
  writeFileSync(bad, 'These are my notes, and they are no model at all.')
  const refused = await sluice('import', bad)
  expect(refused).toMatchObject({ code: 1 })
  expect(await sluice('import', join(dataDir, 'gone.gguf'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no file') as string,
  })
  expect(refused.stderr).toMatch(/notes\.gguf can't be used as a model: it isn't a GGUF file/)
  expect((await sluice('use', 'tinny')).stderr).toMatch(/no model "tinny".*"tiny"/)
  expect((await sluice('use', 'qwen3-0.6b')).stderr).toContain('models download qwen3-0.6b` fetches it')
  expect((await sluice('use', 'endpoint')).stderr).toContain('Set model.endpoint')
  writeFileSync(join(dataDir, 'models', 'catalogue.json'), '{ "models": [{ "id": "x" }] }')
  expect((await sluice('list')).stderr).toMatch(/Your own list of models in .* can't be read/)
})

it('tests an endpoint of the settings, with a key from the environment or the keychain', async () => {
  const { baseUrl, seen } = await startChatServer({ says: 'The disk /dev/sdb1 is full.' })
  const dataDir = temporaryFolder()
  const endpoint = { baseUrl, model: 'small', apiKey: '${env:MY_KEY}' }
  writeFileSync(join(dataDir, 'config.json'), JSON.stringify({ servers: {}, model: { endpoint } }))
  const test = await runHere(['--data-dir', dataDir, 'models', 'test', 'endpoint'], {
    env: { MY_KEY: 'sk-1' },
  })
  expect(test.stderr.replaceAll(/^npm warn.*$/gm, '')).toBe('')
  expect(test.stdout).toContain('answer:   The disk /dev/sdb1 is full.')
  expect(seen[0]?.authorization).toBe('Bearer sk-1')
  const write = (apiKey: string): void =>
    writeFileSync(
      join(dataDir, 'config.json'),
      JSON.stringify({ servers: {}, model: { endpoint: { ...endpoint, apiKey } } }),
    )
  const unset = await runHere(['--data-dir', dataDir, 'models', 'test', 'endpoint'])
  expect(unset.stderr).toMatch(
    /model\.endpoint\.apiKey names the environment variable MY_KEY, which is not set/,
  )
  expect(seen).toHaveLength(1)
  write('${secret:small}')
  const missing = await runHere(['--data-dir', dataDir, 'models', 'test', 'endpoint'])
  expect(missing.stderr).toContain('"sluice secrets set small" keeps it')
  await runHere(['--data-dir', dataDir, 'secrets', 'set', 'small'], { input: 'sk-2' })
  const kept = await runHere(['--data-dir', dataDir, 'models', 'test', 'endpoint'])
  expect(kept).toMatchObject({ code: 0 })
  expect(seen.at(-1)?.authorization).toBe('Bearer sk-2')
  write('sk-plain')
  const plain = await runHere(['--data-dir', dataDir, 'models', 'use', 'endpoint'])
  expect(plain.code).not.toBe(0)
  const faulty = await runHere(['--data-dir', dataDir, 'models', 'test'])
  expect(faulty.stderr).toContain('has a mistake, so its settings are not in effect')
  expect(faulty.stderr).not.toContain('models download')
})
