import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import type { contract } from '../../shared/api/contract.ts'
import { modelFile, offered } from '../helpers/model-file.ts'
import { startRangeServer } from '../helpers/range-server.ts'
import { writeTinyGguf } from '../helpers/tiny-gguf.ts'

const MB = 1024 * 1024

/** A small model in use, and a slow download from a local server. Call before a screen asks for models. */
export async function startShownModels(options: {
  readonly dataDir: string
  readonly folder: string
  readonly url: string
  readonly token: string
}): Promise<{ stop(): Promise<void> }> {
  const { dataDir, folder, url, token } = options
  const content = modelFile(96 * MB)
  let close: (() => Promise<void>) | undefined
  const server = await startRangeServer({
    content,
    bytesPerSecond: MB / 8,
    atEnd: (end) => void (close = end),
  })
  const own = offered(content, [`${server.url}/own-extractor.gguf`], {
    id: 'own-extractor',
    name: 'Our own extractor',
    publisher: 'Shop team',
    about: 'Trained on the logs of the shop.',
    parameters: '0.05B',
    quantisation: 'Q8_0',
    file: 'own-extractor.gguf',
  })
  mkdirSync(join(dataDir, 'models'), { recursive: true })
  writeFileSync(join(dataDir, 'models', 'catalogue.json'), JSON.stringify({ models: [own] }))

  const api: ContractRouterClient<typeof contract> = createORPCClient(
    new RPCLink({ url: `${url}/rpc`, headers: { Authorization: `Bearer ${token}` } }),
  )
  const file = join(folder, 'log-digest.gguf')
  writeTinyGguf(file, {
    answer: 'The build failed at 14:02 because the disk of runner 7 was full.'.split(' '),
  })
  const { id } = await api.models.import({ path: file })
  await api.models.use({ id })
  await api.models.setEndpoint({
    endpoint: {
      baseUrl: 'http://127.0.0.1:11434/v1',
      model: 'qwen3:1.7b',
      retries: 2,
      concurrency: 2,
    },
  })
  return { stop: async () => close?.() }
}
