import { SluiceError, messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import { urlsOf, type CatalogueModel } from '../catalogue.ts'
import { hashFile } from '../library.ts'
import { fetchPieces, isDiskError } from './fetch-pieces.ts'
import { removePart } from './piece-state.ts'
import { createSpeedMeter } from './speed-meter.ts'

export interface DownloadStatus {
  readonly id: string
  /** `elsewhere`: in another Sluice process. */
  readonly state: 'downloading' | 'checking' | 'paused' | 'failed' | 'elsewhere'
  readonly done: number
  readonly total: number
  /** Bytes per second. */
  readonly speed: number | undefined
  readonly secondsLeft: number | undefined
  /** If `failed`. */
  readonly failure: string | undefined
}

export interface FetchModelOptions {
  readonly readHeader: (path: string) => Promise<unknown>
  /** Replaces the catalogue's hosts. */
  readonly base: () => string | undefined
  readonly fetch: typeof globalThis.fetch
  readonly logger: Logger
  /** For tests. */
  readonly pieceBytes?: number
}

interface Fetching extends FetchModelOptions {
  /** Path of the partial file, which is resumed. */
  readonly part: string
  readonly signal: AbortSignal
  readonly onProgress: (status: DownloadStatus) => void
}

/**
 * From the first place that gives the published bytes. Returns the file's SHA-256. Rejects with DOWNLOAD_FAILED if
 * it is another file, which is deleted, and with the disk's own error.
 */
export async function fetchModelFile(model: CatalogueModel, fetching: Fetching): Promise<string> {
  const { part, signal, logger, onProgress } = fetching
  const { base, fetch, pieceBytes } = fetching
  const meter = createSpeedMeter(() => performance.now())
  const [last, ...others] = urlsOf(model, base()).toReversed()
  const fetchFrom = async (url: string): Promise<string> => {
    await fetchPieces({
      url,
      partPath: part,
      bytes: model.bytes,
      signal,
      fetch,
      ...(pieceBytes === undefined ? {} : { pieceBytes }),
      onProgress: (done) => {
        meter.add(done)
        onProgress(progress(model, done, meter.speed()))
      },
    })
    return check(model, fetching)
  }
  for (const url of others.toReversed()) {
    try {
      return await fetchFrom(url)
    } catch (error) {
      if (signal.aborted || isDiskError(error)) throw error
      logger.warn('A model could not be downloaded from one place; the next one is tried', {
        model: model.id,
        host: new URL(url).host,
        cause: messageOf(error),
      })
    }
  }
  if (last === undefined)
    throw new SluiceError('DOWNLOAD_FAILED', `No place is known that has ${model.name}.`)
  return fetchFrom(last)
}

async function check(
  model: CatalogueModel,
  { part, signal, readHeader, onProgress }: Fetching,
): Promise<string> {
  const checking = { ...progress(model, 0, undefined), state: 'checking' } as const
  onProgress(checking)
  const sha256 = await hashFile(part, { signal, onBytes: (done) => onProgress({ ...checking, done }) })
  if (model.sha256 !== null && sha256 !== model.sha256) {
    removePart(part)
    throw new SluiceError(
      'DOWNLOAD_FAILED',
      `What was downloaded of ${model.name} is not what its publisher published (its SHA-256 differs), so it was deleted. Download it again; if that happens again, use another mirror.`,
    )
  }
  await readHeader(part).catch((error: unknown) => {
    removePart(part)
    throw error
  })
  return sha256
}

/** While it is downloaded; `speed` in bytes per second. */
export const progress = (model: CatalogueModel, done: number, speed: number | undefined): DownloadStatus => ({
  id: model.id,
  state: 'downloading',
  done,
  total: model.bytes,
  speed,
  secondsLeft: speed === undefined || speed <= 0 ? undefined : (model.bytes - done) / speed,
  failure: undefined,
})
