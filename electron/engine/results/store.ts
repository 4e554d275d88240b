import { randomBytes } from 'node:crypto'
import { renameSync, statSync, writeFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { makeFolder } from '../ground/files/make-folder.ts'
import type { Database } from '../ground/database/database.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { isFull } from '../ground/files/explain-file-failure.ts'
import { listResults, type ResultSearch } from './list-results.ts'
import { packReadable, readableOf, type ResultSource, unpackResult } from './pack-result.ts'
import { type PackedResult, packResult, packSmallResult } from '../work/pack-result.ts'
import { isNear } from '../work/near.ts'
import { ResultIndex, type StoredResult } from './result-index.ts'
import { packSent, readSent, type SentForm } from './sent-form.ts'
import { removeStrayFiles } from './stray-files.ts'

interface ResultLimits {
  ttlMs: number
  /** Compressed, of all originals. */
  maxBytes: number
}

type ListResults = (search: ResultSearch, now: number) => Promise<StoredResult[]>

export interface ResultStoreOptions {
  database: Database
  /** The only place of originals; created with 0700. */
  folder: string
  logger: Logger
  /** Unix milliseconds. */
  now: () => number
  /** Read each time, so that settings apply at once. */
  limits: () => ResultLimits
  pack?: (result: JsonObject, isReadable: boolean) => Promise<PackedResult>
  /** In another thread, because time grows with the number stored; default inline. */
  list?: ListResults
  unpack?: (source: ResultSource) => Promise<JsonObject>
}

export interface NewResult {
  /** May read it. */
  owner: string
  server: string
  tool: string
  /** Whole. */
  result: JsonObject
  /** Equal calls have equal keys: `findByCall` answers a bypass without calling the server. */
  callKey?: string | undefined
  kind?: string | undefined
  mime?: string | undefined
  /** For clients that read files: writes a text beside the original. */
  isReadable?: boolean | undefined
  /** Before it is written; if this rejects, it isn't. */
  after?: Promise<unknown> | undefined
}

type KeptResult = StoredResult & { readonly file?: string }

interface BegunResult {
  /** As it will be, unless another process takes the id, or the file can't be written. */
  readonly id: string
  readonly sha256: string
  readonly file: string | undefined
  readonly kept: Promise<KeptResult>
}

/** On a full disk the index needs some, too. */
const LEAST_ROOM = 64_000
const MOST_ATTEMPTS = 3
/** In bytes: takes less time than one turn through Node's file threads. */
const WRITTEN_AT_ONCE = 64_000

/**
 * A saving, so it fails open: `put` throws STORE_FAILED and the caller passes the original. Files are named by
 * content, never by client input.
 */
export class ResultStore {
  readonly #options: ResultStoreOptions
  readonly #index: ResultIndex

  constructor(options: ResultStoreOptions) {
    this.#options = options
    this.#index = new ResultIndex(options.database, options.folder)
  }

  /**
   * The same content and owner keep their id, with a renewed lifetime. `file`: its text, if requested and writable;
   * private to the user, deleted with the original.
   */
  async put(entry: NewResult): Promise<KeptResult> {
    return (await this.begin(entry)).kept
  }

  /** Its name at once; the disk's work begins after what the caller starts in this turn. */
  begin(entry: NewResult): Promise<BegunResult> {
    return orStoreFailed(entry, async () => {
      const packed = await this.#pack(entry)
      const { ttlMs, maxBytes } = this.#options.limits()
      if (packed.bytes.length > maxBytes) {
        throw new Error(`it needs ${packed.bytes.length} bytes, results.maxBytes is ${maxBytes}`)
      }
      const created = this.#options.now()
      const kept = orStoreFailed(entry, async () => {
        await entry.after
        await setImmediate()
        const stored = await this.#makingRoom(packed, () => this.#keep(entry, packed, created, ttlMs))
        await this.#evictTo(maxBytes, stored.sha256)
        return stored
      })
      // Its caller may still be busy.
      kept.catch(() => {})
      const { sha256 } = packed
      return { id: this.#index.idOf(entry.owner, sha256), sha256, file: this.#readableFor(packed), kept }
    })
  }

  /** Throws RESULT_UNKNOWN, also for other owners' ids, or RESULT_EXPIRED. */
  get(id: string, owner: string): StoredResult {
    const found = this.#index.find(id, owner)
    if (!found) {
      throw new SluiceError(
        'RESULT_UNKNOWN',
        `No result ${JSON.stringify(id.slice(0, 40))} is kept for this client. Call the tool again: its answer names an id.`,
      )
    }
    if (found.removed || found.expires <= this.#options.now()) {
      throw new SluiceError(
        'RESULT_EXPIRED',
        `The result ${found.id} of the tool "${found.tool}" (server "${found.server}") is no longer kept. ` +
          'Call the tool again: its answer names a new id.',
        { data: { server: found.server, tool: found.tool } },
      )
    }
    return found
  }

  /** Undefined if not kept. */
  find(id: string, owner: string): StoredResult | undefined {
    const found = this.#index.find(id, owner)
    return found && !found.removed && found.expires > this.#options.now() ? found : undefined
  }

  /** The user may see all owners'. */
  getForUser(id: string): StoredResult {
    const found = this.findForUser(id)
    if (found) return found
    throw new SluiceError(
      this.#index.ownerOf(id) === undefined ? 'RESULT_UNKNOWN' : 'RESULT_EXPIRED',
      `The result ${JSON.stringify(id.slice(0, 40))} is no longer kept. Settings say under "Kept originals" for how long results are.`,
    )
  }

  findForUser(id: string): StoredResult | undefined {
    const owner = this.#index.ownerOf(id)
    return owner === undefined ? undefined : this.find(id, owner)
  }

  findByCall(owner: string, callKey: string): StoredResult | undefined {
    return this.#index.findByCall(owner, callKey, this.#options.now())
  }

  /** Throws RESULT_EXPIRED if the file is gone or damaged. */
  load(stored: StoredResult): Promise<JsonObject> {
    const inWorker = isNear('unpack-result', stored.size) ? undefined : this.#options.unpack
    return (inWorker ?? unpackResult)(this.source(stored))
  }

  /** Beside the original, until it goes. Never rejects: only the screens show it. */
  readonly keepSent = async (id: string, form: SentForm): Promise<void> => {
    try {
      const path = this.#index.sentPathOf(id)
      await this.#replace(path, packSent(form))
      // Another process may have dropped the original meanwhile.
      if (!this.#index.holdsId(id)) await rm(path, { force: true })
    } catch (error) {
      this.#options.logger.debug('What the model got of a result could not be kept.', {
        id,
        cause: messageOf(error),
      })
    }
  }

  sentOf(id: string): Promise<SentForm | undefined> {
    return readSent(this.#index.sentPathOf(id))
  }

  /** Existing or not. */
  readablePathOf(sha256: string): string {
    return this.#index.readablePathOf(sha256)
  }

  source(stored: StoredResult): ResultSource {
    return { path: this.#index.pathOf(stored.sha256), sha256: stored.sha256, size: stored.size }
  }

  /** Newest first; default: all owners. */
  async list(search: ResultSearch = {}): Promise<StoredResult[]> {
    const { list, database, now } = this.#options
    return list ? list(search, now()) : listResults(database, search, now())
  }

  /** False if unknown (for this owner). */
  delete(id: string, owner?: string): boolean {
    return this.#index.delete(id, owner)
  }

  /** Expired results, those over the size limit, and unreferenced files. Returns how many results. */
  async sweep(now: number = this.#options.now()): Promise<number> {
    const { maxBytes } = this.#options.limits()
    await repeat(() => this.#index.forget(now))
    const expired = await repeat(() => this.#index.expire(now))
    const evicted = await repeat(() => this.#index.evict(maxBytes, undefined, now))
    await removeStrayFiles(this.#options.folder, now, this.#index)
    if (expired + evicted > 0) this.#options.logger.debug('Dropped kept results', { expired, evicted })
    return expired + evicted
  }

  async #keep(entry: NewResult, packed: PackedResult, created: number, ttlMs: number): Promise<KeptResult> {
    const path = this.#index.pathOf(packed.sha256)
    await this.#write(path, packed.bytes)
    const file = await this.#writeReadable(packed)
    const stored = await this.#index.insert({
      ...entry,
      sha256: packed.sha256,
      size: packed.size,
      storedSize: packed.bytes.length + (file === undefined ? 0 : (packed.readable?.length ?? 0)),
      created,
      expires: created + ttlMs,
    })
    // Another process may have deleted the file before its row was written.
    await this.#write(path, packed.bytes)
    if (file !== undefined) await this.#writeReadable(packed)
    return { ...stored, ...(file === undefined ? {} : { file }) }
  }

  /** Undefined if not requested or too large: clients have the other way to the original. */
  #readableFor({ sha256, readable, bytes }: PackedResult): string | undefined {
    if (!readable || readable.length + bytes.length > this.#options.limits().maxBytes) return undefined
    return this.#index.readablePathOf(sha256)
  }

  /** Undefined also if not writable. */
  async #writeReadable(packed: PackedResult): Promise<string | undefined> {
    const path = this.#readableFor(packed)
    if (path === undefined || !packed.readable) return undefined
    try {
      await this.#write(path, packed.readable)
      return path
    } catch (error) {
      this.#options.logger.warn(
        'The text of a kept result could not be written for clients that read files.',
        {
          cause: messageOf(error),
        },
      )
      return undefined
    }
  }

  /** On a full disk drops the oldest originals, a few times the bytes needed, more at each attempt, and retries. */
  async #makingRoom<T>({ bytes, sha256 }: PackedResult, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        const room = Math.max(LEAST_ROOM, bytes.length * 4) * 4 ** (attempt - 1)
        if (!isFull(error) || attempt > MOST_ATTEMPTS) throw error
        const dropped = await this.#index.evict(
          Math.max(0, this.#index.bytes - room),
          sha256,
          this.#options.now(),
        )
        if (dropped === 0) throw error
        this.#options.logger.warn('The disk is full: the oldest kept results were dropped to make room.', {
          dropped,
        })
      }
    }
  }

  /** A failed eviction doesn't fail the put: the next sweep drops them. */
  async #evictTo(maxBytes: number, sha256: string): Promise<void> {
    try {
      await this.#index.evict(maxBytes, sha256, this.#options.now())
    } catch (error) {
      this.#options.logger.debug('kept results could not be dropped', { cause: messageOf(error) })
    }
  }

  #pack({ result, isReadable = false }: NewResult): PackedResult | Promise<PackedResult> {
    if (isNear('pack-result', result)) {
      const packed = packSmallResult(result)
      return isReadable ? { ...packed, readable: readableOf(result) } : packed
    }
    const { pack } = this.#options
    if (pack) return pack(result, isReadable)
    return isReadable ? packReadable(result) : packResult(result)
  }

  /** Named by content: an existing file is equal. */
  async #write(path: string, bytes: Uint8Array): Promise<void> {
    if (statSync(path, { throwIfNoEntry: false })?.size !== bytes.length) await this.#replace(path, bytes)
  }

  /** Renamed when complete, so that readers never see half. */
  async #replace(path: string, bytes: Uint8Array): Promise<void> {
    makeFolder(this.#options.folder)
    const beside = join(this.#options.folder, `.new-${randomBytes(8).toString('hex')}`)
    try {
      if (bytes.length <= WRITTEN_AT_ONCE) {
        writeFileSync(beside, bytes, { flag: 'wx', mode: 0o600 })
        renameSync(beside, path)
      } else {
        await writeFile(beside, bytes, { flag: 'wx', mode: 0o600 })
        await rename(beside, path)
      }
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
  }
}

async function orStoreFailed<Kept>({ tool }: NewResult, work: () => Promise<Kept>): Promise<Kept> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof SluiceError && cause.code === 'STORE_FAILED') throw cause
    throw new SluiceError(
      'STORE_FAILED',
      `The result of ${tool} could not be kept: ${messageOf(cause)}. Check free space and rights in the data folder.`,
      { cause },
    )
  }
}

/** Until 0; yields in between. */
async function repeat(step: () => Promise<number>): Promise<number> {
  let total = 0
  for (let done = await step(); done > 0; done = await step()) {
    total += done
    await setImmediate()
  }
  return total
}
