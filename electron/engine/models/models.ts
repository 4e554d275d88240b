import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { ENDPOINT, type ModelSettings } from '../../../shared/model-settings.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import { bundledFolders } from './bundled-models.ts'
import { RESOURCE_FOLDERS, readCatalogue, type CatalogueModel } from './catalogue.ts'
import { createModelDownloads, type ModelDownloads } from './download/model-downloads.ts'
import { createEndpointModel } from './endpoint/endpoint-model.ts'
import { readGgufHeader } from './gguf/read-gguf-header.ts'
import { openModelLibrary, type InstalledModel, type ModelLibrary } from './library.ts'
import { createLocalModel, type LocalModel } from './local/local-model.ts'
import type { Machine } from './local/machine.ts'
import type { ForkModelProcess } from './local/model-process.ts'
import { openSpeedStore, type SpeedStore } from './local/speed-store.ts'
import type { TextModel } from './text-model.ts'

export interface Models {
  readonly catalogue: readonly CatalogueModel[]
  readonly library: ModelLibrary
  readonly downloads: ModelDownloads
  readonly speeds: SpeedStore
  readonly machine: Machine
  /** Of the settings; undefined without one. Throws MODEL_UNKNOWN if it is missing. */
  current(): TextModel | undefined
  /** `current`, if local. */
  local(): LocalModel | undefined
  download(id: string): Promise<InstalledModel>
  /** Throws MODEL_UNKNOWN if it is missing. */
  use(id: string | undefined): void
  remove(id: string): Promise<void>
  freeDisk(): number | undefined
  /** Its process has ended. Idempotent. */
  close(): Promise<void>
}

export interface ModelsOptions {
  readonly dataDir: string
  readonly settings: () => ModelSettings
  /** To the settings. */
  readonly choose: (id: string | undefined) => void
  readonly apiKey: () => Promise<string | undefined>
  readonly fork: ForkModelProcess
  readonly machine: Machine
  readonly fetch: typeof globalThis.fetch
  readonly countTokens?: ((text: string) => Promise<number>) | undefined
  readonly now: () => number
  readonly logger: Logger
  /** Data shown on the screens changed. */
  readonly onChange?: () => void
}

type InUse =
  | { readonly choice: string; readonly kind: 'local'; readonly model: LocalModel }
  | {
      readonly choice: string
      readonly kind: 'endpoint'
      readonly model: ReturnType<typeof createEndpointModel>
    }

export function createModels(options: ModelsOptions): Models {
  const { settings, logger, now, machine, onChange = () => {} } = options
  const folder = join(options.dataDir, 'models')
  const catalogue = readCatalogue(join(folder, 'catalogue.json'))
  const library = openModelLibrary({
    folder,
    catalogue,
    bundledFolders: bundledFolders(RESOURCE_FOLDERS),
    readHeader: readGgufHeader,
    now,
  })
  const downloads = createModelDownloads({
    library,
    catalogue,
    readHeader: readGgufHeader,
    base: () => settings().downloadFrom,
    fetch: options.fetch,
    logger,
    onChange,
  })
  const speeds = openSpeedStore(join(folder, 'speeds.json'), machine, logger)
  let inUse: InUse | undefined
  const ending = new Set<Promise<void>>()

  const release = (): void => {
    const old = inUse
    inUse = undefined
    if (old?.kind === 'endpoint') old.model.close()
    if (old?.kind !== 'local') return
    const end = old.model
      .close()
      .catch((error: unknown) => logger.warn('The model process did not end', { cause: messageOf(error) }))
      .finally(() => ending.delete(end))
    ending.add(end)
  }
  const openLocal = (installed: InstalledModel): LocalModel =>
    createLocalModel({
      key: installed.sha256,
      path: installed.path,
      promptFormat: installed.promptFormat,
      systemNote: installed.systemNote,
      ownContext: installed.contextTokens,
      readHeader: readGgufHeader,
      fork: options.fork,
      machine,
      speeds,
      settings: () => {
        const { gpu, contextTokens, idleMinutes, timeLimitSeconds } = settings()
        return { gpu, contextTokens, idleMs: idleMinutes * 60_000, timeLimitMs: timeLimitSeconds * 1000 }
      },
      now,
      logger,
      onChange,
    })
  const resolve = (): InUse | undefined => {
    const { use, endpoint } = settings()
    if (use === undefined) {
      release()
      return undefined
    }
    if (use === ENDPOINT) {
      if (!endpoint) throw noEndpoint()
      const choice = `${ENDPOINT} ${JSON.stringify(endpoint)}`
      if (inUse?.choice === choice) return inUse
      release()
      const timeLimitMs = (): number => settings().timeLimitSeconds * 1000
      const model = createEndpointModel({
        settings: { ...endpoint, contextTokens: endpoint.contextTokens },
        apiKey: options.apiKey,
        timeLimitMs,
        fetch: options.fetch,
        countTokens: options.countTokens,
      })
      return (inUse = { choice, kind: 'endpoint', model })
    }
    // Load parameters can't be changed later.
    const { gpu, contextTokens } = settings()
    const installed = library.get(use)
    const choice = `${use} ${installed.sha256} ${gpu} ${contextTokens}`
    if (inUse?.choice === choice) return inUse
    release()
    return (inUse = { choice, kind: 'local', model: openLocal(installed) })
  }

  return {
    catalogue,
    library,
    downloads,
    speeds,
    machine,
    current: () => resolve()?.model,
    local: () => {
      const found = resolve()
      return found?.kind === 'local' ? found.model : undefined
    },
    download: async (id) => {
      const installed = await downloads.run(id)
      if (settings().use === undefined) options.choose(id)
      onChange()
      return installed
    },
    use: (id) => {
      if (id === ENDPOINT && !settings().endpoint) throw noEndpoint()
      if (id !== undefined && id !== ENDPOINT) library.get(id)
      options.choose(id)
      onChange()
    },
    remove: async (id) => {
      const { from } = library.get(id)
      if (from !== 'bundled' && settings().use === id) options.choose(undefined)
      if (settings().use === undefined) release()
      await Promise.all(ending)
      library.remove(id)
      onChange()
    },
    freeDisk: () => {
      try {
        const { bavail, bsize } = statfsSync(options.dataDir)
        return bavail * bsize
      } catch {
        return undefined
      }
    },
    close: async () => {
      await downloads.close()
      release()
      await Promise.all(ending)
    },
  }
}

const noEndpoint = (): SluiceError =>
  new SluiceError(
    'MODEL_UNKNOWN',
    'The settings use a model behind an address, but name no address. Set model.endpoint, or use another model.',
  )
