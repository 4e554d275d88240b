import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { modelFile, offered } from '../../helpers/model-file.ts'
import { startRangeServer } from '../../helpers/range-server.ts'
import type { Api } from '../../helpers/screens-client.ts'
import { writeTinyGguf } from '../../helpers/tiny-gguf.ts'

type FirstOf = <T>(name: string, stream: Promise<AsyncIterable<T>>) => Promise<void>
type Call = <T>(name: string, answer: Promise<T>) => Promise<T>

const MB = 1024 * 1024

/** Adds a model with a slow download to the user's list. */
export async function offerModel(dataDir: string): Promise<void> {
  const content = modelFile(32 * MB)
  const server = await startRangeServer({ content, bytesPerSecond: 2 * MB })
  mkdirSync(join(dataDir, 'models'), { recursive: true })
  const models = [offered(content, [`${server.url}/tiny.gguf`])]
  writeFileSync(join(dataDir, 'models', 'catalogue.json'), JSON.stringify({ models }))
}

/** Models: a small one from a local server, and an endpoint with a key that is never shown again. */
export const callModels = async (
  api: Api,
  { firstOf, call, dataDir, key }: { firstOf: FirstOf; call: Call; dataDir: string; key: string },
): Promise<void> => {
  const { models } = await call('models.status', api.models.status())
  expect(models.find(({ id }) => id === 'tiny')).toMatchObject({ installed: 'no', inUse: false })
  await firstOf('models.live', api.models.live())
  await call('models.download', api.models.download({ id: 'tiny' }))
  const tiny = async () => (await api.models.status()).models.find(({ id }) => id === 'tiny')
  await expect.poll(async () => (await tiny())?.download?.done ?? 0).toBeGreaterThan(0)
  await call('models.pause', api.models.pause({ id: 'tiny' }))
  expect((await tiny())?.download).toMatchObject({ state: 'paused' })
  await call('models.cancel', api.models.cancel({ id: 'tiny' }))
  expect((await tiny())?.download).toBeUndefined()
  const file = join(dataDir, 'own.gguf')
  writeTinyGguf(file)
  const { id } = await call('models.import', api.models.import({ path: file }))
  await call('models.use', api.models.use({ id }))
  const tested = await call('models.test', api.models.test())
  expect(tested).toMatchObject({ text: 'alpha beta gamma delta', device: { device: 'cpu' } })
  expect((await api.models.status()).local).toMatchObject({ state: 'ready' })
  await call('models.unload', api.models.unload())
  expect((await api.models.status()).local).toMatchObject({ state: 'unloaded' })
  await call('models.remove', api.models.remove({ id }))
  expect((await api.models.status()).use).toBeUndefined()
  const endpoint = { baseUrl: 'http://127.0.0.1:9/v1', model: 'small', retries: 0, concurrency: 1 }
  await call('models.setEndpoint', api.models.setEndpoint({ endpoint }))
  await call('models.setKey', api.models.setKey({ key: key }))
  expect((await api.models.status()).endpoint).toMatchObject({ key: 'keychain', isRemote: false })
  await api.models.use({ id: 'endpoint' })
  await expect(api.models.test()).rejects.toThrow(/can't be reached/)
  await api.models.use({})
  await api.models.setEndpoint({})
  await api.models.setKey({ key: '' })
}
