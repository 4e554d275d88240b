import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SluiceError, messageOf } from '../../ground/errors.ts'
import { didYouMean } from '../../ground/nearest.ts'
import { isLocked, tryLock } from '../../ground/files/lock.ts'
import type { CatalogueModel } from '../catalogue.ts'
import { checkSpace, type InstalledModel, type ModelLibrary } from '../library.ts'
import { fetchModelFile, progress, type DownloadStatus, type FetchModelOptions } from './fetch-model-file.ts'
import { isDiskError } from './fetch-pieces.ts'
import { bytesDone, readPieceState, removePart } from './piece-state.ts'

export interface ModelDownloads {
  list(): DownloadStatus[]
  run(id: string): Promise<InstalledModel>
  pause(id: string): Promise<void>
  /** Deletes partial data. */
  cancel(id: string): Promise<void>
  close(): Promise<void>
}

export interface ModelDownloadsOptions extends FetchModelOptions {
  readonly library: ModelLibrary
  readonly catalogue: readonly CatalogueModel[]
  readonly onChange: () => void
}

interface Running {
  readonly controller: AbortController
  readonly installed: Promise<InstalledModel>
  status: DownloadStatus
}

/** One download per model across processes. */
export function createModelDownloads(options: ModelDownloadsOptions): ModelDownloads {
  const { library, catalogue, logger, onChange } = options
  const running = new Map<string, Running>()
  const failures = new Map<string, string>()
  const folder = join(library.folder, 'downloads')
  const partOf = (model: CatalogueModel): string => join(folder, `${model.file}.part`)
  const lockOf = (model: CatalogueModel): string => join(folder, `${model.file}.lock`)

  const find = (id: string): CatalogueModel => {
    const model = catalogue.find((each) => each.id === id)
    if (model) return model
    const hint = didYouMean(
      id,
      catalogue.map((each) => each.id),
    )
    throw new SluiceError(
      'MODEL_UNKNOWN',
      `There is no model "${id}" to download.${hint} \`sluice models list\` shows those that there are.`,
    )
  }

  const download = async (model: CatalogueModel, own: Running): Promise<InstalledModel> => {
    const { signal } = own.controller
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const unlock = tryLock(lockOf(model))
    if (!unlock)
      throw new SluiceError(
        'BAD_INPUT',
        `${model.name} is being downloaded by another Sluice process. Wait for it, or stop it there.`,
      )
    try {
      const part = partOf(model)
      const already = readPieceState(part)
      if (already) own.status = progress(model, bytesDone(already), undefined)
      await checkSpace(folder, model.bytes - (already ? bytesDone(already) : 0))
      const sha256 = await fetchModelFile(model, {
        ...options,
        part,
        signal,
        onProgress: (status) => {
          own.status = status
          onChange()
        },
      })
      library.adopt(model, part, sha256)
      removePart(part)
      return library.get(model.id)
    } catch (error) {
      // Paused or cancelled: not a failure.
      if (!signal.aborted) failures.set(model.id, failureText(error))
      throw signal.aborted ? (signal.reason as Error) : forUser(error, folder)
    } finally {
      unlock()
    }
  }

  const stop = async (id: string, why: string): Promise<void> => {
    const own = running.get(id)
    own?.controller.abort(new SluiceError('DOWNLOAD_FAILED', why))
    await own?.installed.catch(() => {})
  }

  return {
    list: () =>
      catalogue.flatMap((model): DownloadStatus[] => {
        const own = running.get(model.id)
        if (own) return [own.status]
        const part = partOf(model)
        const state = readPieceState(part)
        const failure = failures.get(model.id)
        if (!state && failure === undefined && !existsSync(part)) return []
        const isElsewhere = isLocked(lockOf(model))
        const done = state ? bytesDone(state) : (statSync(part, { throwIfNoEntry: false })?.size ?? 0)
        return [
          {
            ...progress(model, done, undefined),
            state: isElsewhere ? 'elsewhere' : failure === undefined ? 'paused' : 'failed',
            failure: isElsewhere ? undefined : failure,
          },
        ]
      }),
    run: (id) => {
      const model = find(id)
      const there = running.get(id)
      if (there) return there.installed
      failures.delete(id)
      const { promise, resolve, reject } = Promise.withResolvers<InstalledModel>()
      const own: Running = {
        controller: new AbortController(),
        installed: promise,
        status: progress(model, 0, undefined),
      }
      running.set(id, own)
      // The caller may not await it.
      promise.catch(() => {})
      const end = (settle: () => void): void => {
        running.delete(id)
        settle()
        onChange()
      }
      download(model, own).then(
        (installed) => end(() => resolve(installed)),
        (error: unknown) => {
          logger.info('A download ended early', { model: id, cause: messageOf(error) })
          end(() => reject(error))
        },
      )
      onChange()
      return promise
    },
    pause: (id) => stop(find(id).id, 'The download was paused.'),
    cancel: async (id) => {
      const model = find(id)
      await stop(id, 'The download was cancelled.')
      failures.delete(id)
      if (!isLocked(lockOf(model))) removePart(partOf(model))
      onChange()
    },
    close: async () => {
      await Promise.all(
        [...running.keys()].map((id) => stop(id, 'Sluice is stopping; the download can be resumed.')),
      )
    },
  }
}

function failureText(error: unknown): string {
  if (isDiskError(error)) return diskText(error, '')
  return messageOf(error)
}

const forUser = (error: unknown, folder: string): unknown =>
  isDiskError(error)
    ? new SluiceError('STORE_FAILED', diskText(error, ` at ${folder}`), { cause: error })
    : error

const diskText = ({ code, message }: NodeJS.ErrnoException, where: string): string =>
  code === 'ENOSPC' || code === 'EDQUOT'
    ? `The disk${where} is full. Make room and resume the download: what came so far is kept.`
    : `The model can't be written${where} (${message}).`
