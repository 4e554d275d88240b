import type { Settings } from '../../../shared/settings.ts'
import type { DownloadState, ModelCard, ModelsStatus } from '../../../shared/api/models.ts'
import { messageOf } from '../ground/errors.ts'
import { ENDPOINT_KEY } from '../models/create-models.ts'
import type { DownloadStatus } from '../models/download/fetch-model-file.ts'
import { isLoopback } from '../models/endpoint/endpoint-model.ts'
import { readGgufHeader } from '../models/gguf/read-gguf-header.ts'
import type { InstalledModel } from '../models/library.ts'
import type { Models } from '../models/models.ts'
import { memoryNeed } from '../models/local/memory-need.ts'
import type { LocalModel, LocalModelStatus } from '../models/local/local-model.ts'
import { TYPICAL_ANSWER_TOKENS } from '../models/test-model.ts'
import { measuredReach, type MeasuredReach, type TextModel } from '../models/text-model.ts'
import type { ScreensOptions } from './screens-options.ts'

const SHOWN_CONTEXT = 4096

export const endpointKeyName = ({ model }: Settings): string =>
  /^\$\{secret:(.+)\}$/.exec(model.endpoint?.apiKey ?? '')?.[1] ?? ENDPOINT_KEY

/** Models with their downloads, the one in use, the endpoint, and the machine. */
export function createModelsStatus({
  models: { load },
  secrets,
  settings,
  logger,
}: Pick<ScreensOptions, 'models' | 'secrets' | 'settings' | 'logger'>): () => Promise<ModelsStatus> {
  const cardOf = (
    models: Models,
    id: string,
    parts: {
      installed: InstalledModel | undefined
      download: DownloadStatus | undefined
      use: string | undefined
      memoryBytes: number | undefined
    },
  ): ModelCard => {
    const offered = models.catalogue.find((model) => model.id === id)
    const { installed, download, use, memoryBytes } = parts
    const speed = installed && models.speeds.get(installed.sha256)
    return {
      id,
      name: offered?.name ?? installed?.name ?? id,
      ...(offered && {
        publisher: offered.publisher,
        about: offered.about,
        parameters: offered.parameters,
        quantisation: offered.quantisation,
        licence: offered.licence,
        licenceUrl: offered.licenceUrl,
        licenceNote: offered.licenceNote,
      }),
      memoryBytes: offered?.memoryBytes ?? memoryBytes,
      contextTokens: installed?.contextTokens ?? offered?.contextTokens ?? 0,
      bytes: installed?.bytes ?? offered?.bytes ?? 0,
      hasChecksum: offered === undefined || offered.sha256 !== null,
      installed: installed?.from ?? 'no',
      inUse: use === id,
      download: download && toDownload(download, (text) => logger.cleanText(text)),
      promptSpeed: speed?.promptTokensPerSecond,
      outputSpeed: speed?.outputTokensPerSecond,
    }
  }
  const needs = new Map<string, number | undefined>()
  const memoryOf = async ({ sha256, path, from }: InstalledModel): Promise<number | undefined> => {
    if (from !== 'import' || needs.has(sha256)) return needs.get(sha256)
    const header = await readGgufHeader(path).catch(() => undefined)
    const need = header && memoryNeed(header, Math.min(SHOWN_CONTEXT, header.contextTokens))
    needs.set(sha256, need)
    return need
  }
  const inUse = (
    models: Models,
  ): { model?: TextModel | undefined; local?: LocalModel | undefined; problem?: string } => {
    try {
      return { model: models.current(), local: models.local() }
    } catch (error) {
      return { problem: logger.cleanText(messageOf(error)) }
    }
  }
  const keyFrom = async (): Promise<'keychain' | 'environment' | 'none'> => {
    const written = settings.current.model.endpoint?.apiKey
    if (written?.startsWith('${env:')) return 'environment'
    const kept = await secrets?.get(endpointKeyName(settings.current)).catch(() => undefined)
    return kept === undefined ? 'none' : 'keychain'
  }

  return async () => {
    const models = await load()
    const { use, endpoint, timeLimitSeconds } = settings.current.model
    const installed = models.library.list()
    const downloads = models.downloads.list()
    const ids = new Set([...installed.map(({ id }) => id), ...models.catalogue.map(({ id }) => id)])
    const { model, local, problem } = inUse(models)
    const state = local?.status()
    const capacity = model?.capacity()
    const card = async (id: string): Promise<ModelCard> => {
      const own = installed.find((each) => each.id === id)
      const download = downloads.find((each) => each.id === id)
      return cardOf(models, id, { installed: own, download, use, memoryBytes: own && (await memoryOf(own)) })
    }
    return {
      models: await Promise.all([...ids].map(card)),
      use,
      problem,
      local: state && {
        state: state.state,
        failure: state.failure && logger.cleanText(state.failure),
        device: deviceOf(state),
        contextTokens: capacity?.contextTokens ?? 0,
        memory: state.state === 'ready' ? state.memory : undefined,
        queued: state.queued,
      },
      capacity: capacity && {
        promptSpeed: capacity.promptTokensPerSecond,
        outputSpeed: capacity.outputTokensPerSecond,
        ...reachOf(
          measuredReach(capacity, {
            outputTokens: TYPICAL_ANSWER_TOKENS,
            withinMs: timeLimitSeconds * 1000,
          }),
        ),
      },
      endpoint: endpoint && {
        baseUrl: endpoint.baseUrl,
        model: endpoint.model,
        contextTokens: endpoint.contextTokens,
        masked: endpoint.masked,
        retries: endpoint.retries,
        concurrency: endpoint.concurrency,
        key: await keyFrom(),
        isRemote: !isLoopback(endpoint.baseUrl),
      },
      keepsKeys: secrets !== undefined,
      timeLimitSeconds,
      machine: {
        cores: models.machine.cores,
        freeMemory: models.machine.freeMemory(),
        freeDisk: models.freeDisk(),
      },
    }
  }
}

export const reachOf = (reach: MeasuredReach | undefined) => ({
  longestPrompt: reach?.tokens,
  assumedWindow: reach?.assumedWindow,
})

const toDownload = (
  { state, done, total, speed, secondsLeft, failure }: DownloadStatus,
  clean: (text: string) => string,
): DownloadState => ({ state, done, total, speed, secondsLeft, failure: failure && clean(failure) })

export const deviceOf = ({
  facts,
  threads,
  measured,
}: LocalModelStatus): NonNullable<ModelsStatus['local']>['device'] => {
  if (facts && threads !== undefined) {
    const { device, deviceName } = facts
    // Keeps an earlier start's findings.
    return {
      device,
      deviceName,
      refused: facts.refused.length > 0 ? facts.refused : (measured?.refused ?? []),
      threads,
    }
  }
  return (
    measured && {
      device: measured.device,
      deviceName: measured.deviceName,
      refused: measured.refused,
      threads: measured.threads,
    }
  )
}
