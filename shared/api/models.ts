import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { ModelEndpoint } from '../model-settings.ts'
import { get, Id, Nothing, post, put, remove } from './routes.ts'

export const DownloadState = z.object({
  state: z.enum(['downloading', 'checking', 'paused', 'failed', 'elsewhere']),
  done: z.number(),
  total: z.number(),
  /** Bytes per second. */
  speed: z.number().optional(),
  secondsLeft: z.number().optional(),
  failure: z.string().optional(),
})
export type DownloadState = z.infer<typeof DownloadState>

/** Downloadable, installed, or both. */
export const ModelCard = z.object({
  id: z.string(),
  name: z.string(),
  publisher: z.string().optional(),
  about: z.string().optional(),
  parameters: z.string().optional(),
  quantisation: z.string().optional(),
  contextTokens: z.int(),
  licence: z.string().optional(),
  licenceUrl: z.string().optional(),
  licenceNote: z.string().optional(),
  bytes: z.number(),
  memoryBytes: z.number().optional(),
  /** Published. */
  hasChecksum: z.boolean(),
  installed: z.enum(['no', 'catalogue', 'import', 'bundled']),
  inUse: z.boolean(),
  download: DownloadState.optional(),
  /** Tokens per second, measured on this machine. */
  promptSpeed: z.number().optional(),
  outputSpeed: z.number().optional(),
})
export type ModelCard = z.infer<typeof ModelCard>

const DeviceReport = z.object({
  device: z.enum(['cuda', 'vulkan', 'metal', 'cpu']),
  deviceName: z.string().optional(),
  refused: z.array(z.object({ device: z.enum(['cuda', 'vulkan', 'metal', 'cpu']), reason: z.string() })),
  threads: z.int(),
})

export const ModelsStatus = z.object({
  models: z.array(ModelCard),
  /** An id, "endpoint", or nothing. */
  use: z.string().optional(),
  /** Why `use` doesn't work. */
  problem: z.string().optional(),
  local: z
    .object({
      state: z.enum(['unloaded', 'loading', 'ready', 'failed']),
      failure: z.string().optional(),
      device: DeviceReport.optional(),
      contextTokens: z.int(),
      /** Bytes held by its process. */
      memory: z.number().optional(),
      queued: z.int(),
    })
    .optional(),
  /** In the model's tokens. */
  capacity: z
    .object({
      promptSpeed: z.number().optional(),
      outputSpeed: z.number().optional(),
      /** Answered with 300 tokens within the time limit. */
      longestPrompt: z.int().optional(),
      /** If the settings name none. */
      assumedWindow: z.int().optional(),
    })
    .optional(),
  endpoint: z
    .object({
      // Server-specific fields may contain keys, so they stay in the file.
      ...ModelEndpoint.omit({ apiKey: true, extra: true }).shape,
      key: z.enum(['keychain', 'environment', 'none']),
      isRemote: z.boolean(),
    })
    .optional(),
  /** Whether keys can be stored. */
  keepsKeys: z.boolean(),
  timeLimitSeconds: z.number(),
  machine: z.object({ cores: z.int(), freeMemory: z.number(), freeDisk: z.number().optional() }),
})
export type ModelsStatus = z.infer<typeof ModelsStatus>

export const ModelTest = z.object({
  text: z.string(),
  promptTokens: z.int().optional(),
  outputTokens: z.int().optional(),
  ms: z.number(),
  promptSpeed: z.number().optional(),
  outputSpeed: z.number().optional(),
  longestPrompt: z.int().optional(),
  assumedWindow: z.int().optional(),
  memory: z.number().optional(),
  device: DeviceReport.optional(),
})
export type ModelTest = z.infer<typeof ModelTest>

export const modelsContract = {
  status: get('/models', 'Models, downloads, and the one in use').output(ModelsStatus),
  live: get('/models/live', 'The same, whenever something of it changes').output(eventIterator(ModelsStatus)),
  download: post('/models/{id}/download', 'Download it, or go on with that').input(Id).output(Nothing),
  pause: post('/models/{id}/pause', 'Pause its download').input(Id).output(Nothing),
  cancel: post('/models/{id}/cancel', 'Drop what was downloaded of it').input(Id).output(Nothing),
  remove: remove('/models/{id}', 'Delete its file').input(Id).output(Nothing),
  import: post('/models/import', 'Copy a GGUF file of this machine')
    .input(z.object({ path: z.string().min(1).max(4096) }))
    .output(Id),
  use: post('/models/use', 'Use this one; without an id none is used')
    .input(z.object({ id: z.string().optional() }))
    .output(Nothing),
  unload: post('/models/unload', 'Give its memory back').output(Nothing),
  test: post('/models/test', 'One question to the model in use, measured').output(ModelTest),
  setEndpoint: put('/models/endpoint', 'Set or, without one, take away the endpoint')
    .input(z.object({ endpoint: ModelEndpoint.omit({ apiKey: true, extra: true }).optional() }))
    .output(Nothing),
  setKey: put('/models/endpoint/key', 'Keep its key; an empty one is forgotten. No answer ever holds it.')
    .input(z.object({ key: z.string().max(4096) }))
    .output(Nothing),
}
