import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { SQLOutputValue } from 'node:sqlite'
import type { Database } from '../ground/database/database.ts'
import { SluiceError } from '../ground/errors.ts'
import { parseExact, stringifyExact } from '../protocol/exact-json.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Finding } from './detector.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    'quarantine-changed': { id: string }
  }
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export interface Quarantined {
  readonly id: string
  readonly at: number
  /** Client name. */
  readonly owner: string
  readonly server: string
  readonly tool: string
  readonly arguments: JsonObject | undefined
  readonly findings: readonly Finding[]
  /** Of the whole result as JSON. */
  readonly size: number
  readonly releasedAt: number | undefined
  readonly takenAt: number | undefined
}

export interface NewQuarantined {
  readonly owner: string
  readonly server: string
  readonly tool: string
  readonly arguments: JsonObject | undefined
  readonly findings: readonly Finding[]
  readonly result: JsonObject
}

export interface QuarantineLimits {
  readonly keepMs: number
  /** Compressed, of all results. */
  readonly maxBytes: number
}

/** A kept result among them may have megabytes. */
const MOST_ARGUMENTS = 200_000

function argumentsToKeep(args: JsonObject | undefined): string | null {
  const text = args === undefined ? '' : JSON.stringify(args)
  return text === '' || text.length > MOST_ARGUMENTS ? null : text
}

const COLUMNS = 'id, at, owner, server, tool, arguments, findings, size, released_at, taken_at'

/** Owns the table `quarantine`. Read each time, because any process may release. */
export class QuarantineStore {
  readonly #database: Database
  readonly #now: () => number
  readonly #limits: () => QuarantineLimits

  constructor(database: Database, now: () => number, limits: () => QuarantineLimits) {
    this.#database = database
    this.#now = now
    this.#limits = limits
  }

  /** With all content types. Throws on failure: then nothing may pass. */
  async put(entry: NewQuarantined): Promise<Quarantined> {
    const original = Buffer.from(stringifyExact(entry.result), 'utf8')
    const bytes = await compress(original)
    const id = `q_${randomBytes(6).toString('hex')}`
    const at = this.#now()
    await this.#database.write(() => {
      this.#database
        .prepare(
          'INSERT INTO quarantine (id, at, owner, server, tool, arguments, findings, result, size) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        )
        .run(
          id,
          at,
          entry.owner,
          entry.server,
          entry.tool,
          argumentsToKeep(entry.arguments),
          JSON.stringify(entry.findings),
          bytes,
          original.length,
        )
      this.#evict(id)
    })
    const { result: _result, ...facts } = entry
    return { ...facts, id, at, size: original.length, releasedAt: undefined, takenAt: undefined }
  }

  list(): Quarantined[] {
    return this.#database
      .prepare(`SELECT ${COLUMNS} FROM quarantine ORDER BY at DESC, id`)
      .all()
      .map((row) => fromRow(row))
  }

  get(id: string): Quarantined {
    const row = this.#database.prepare(`SELECT ${COLUMNS} FROM quarantine WHERE id = ?`).get(id)
    if (row) return fromRow(row)
    throw unknownId(id)
  }

  async load(id: string): Promise<JsonObject> {
    const row = this.#database.prepare('SELECT result FROM quarantine WHERE id = ?').get(id)
    const bytes = row?.['result']
    if (!(bytes instanceof Uint8Array)) throw unknownId(id)
    return parseExact((await decompress(bytes)).toString('utf8')) as JsonObject
  }

  release(id: string): Quarantined {
    this.get(id)
    this.#database.transaction(() =>
      this.#database
        .prepare('UPDATE quarantine SET released_at = coalesce(released_at, ?) WHERE id = ?')
        .run(this.#now(), id),
    )
    return this.get(id)
  }

  delete(id: string): void {
    this.get(id)
    this.#database.transaction(() => this.#database.prepare('DELETE FROM quarantine WHERE id = ?').run(id))
    this.#database.eraseDeleted()
  }

  /** Once, to its client. `undefined` until released; other clients get the answer for an unknown id. */
  async take(id: string, owner: string): Promise<{ entry: Quarantined; result: JsonObject } | undefined> {
    const found = this.#database
      .prepare(`SELECT ${COLUMNS} FROM quarantine WHERE id = ? AND owner = ?`)
      .get(id, owner)
    if (!found)
      throw new SluiceError(
        'RESULT_UNKNOWN',
        `No result of the id ${JSON.stringify(id.slice(0, 40))} was quarantined.`,
      )
    const entry = fromRow(found)
    if (entry.takenAt !== undefined) throw taken(id)
    if (entry.releasedAt === undefined) return undefined
    const result = await this.load(id)
    const claimed = await this.#database.write(() =>
      this.#database
        .prepare('UPDATE quarantine SET taken_at = ? WHERE id = ? AND taken_at IS NULL')
        .run(this.#now(), id),
    )
    if (Number(claimed.changes) === 1) return { entry, result }
    throw taken(id)
  }

  /** Drops expired entries. */
  sweep(): Promise<void> {
    return this.#database.write(() => {
      this.#database.prepare('DELETE FROM quarantine WHERE at < ?').run(this.#now() - this.#limits().keepMs)
      this.#evict(undefined)
    })
  }

  #evict(spared: string | undefined): void {
    this.#database
      .prepare(
        `DELETE FROM quarantine WHERE id != ? AND id IN (
           SELECT id FROM (
             SELECT id, sum(length(result)) OVER (ORDER BY at DESC, id DESC) AS total FROM quarantine
           ) WHERE total > ?
         )`,
      )
      .run(spared ?? '', this.#limits().maxBytes)
  }
}

const unknownId = (id: string): SluiceError =>
  new SluiceError(
    'RESULT_UNKNOWN',
    `Nothing in quarantine has the id ${JSON.stringify(id.slice(0, 40))}. "sluice quarantine list" shows what is there.`,
  )

const taken = (id: string): SluiceError =>
  new SluiceError('RESULT_EXPIRED', `The result ${id} was handed over already. Call the tool again.`)

type Row = Record<string, SQLOutputValue>

const fromRow = (row: Row): Quarantined => ({
  id: String(row['id']),
  at: Number(row['at']),
  owner: String(row['owner']),
  server: String(row['server']),
  tool: String(row['tool']),
  arguments: typeof row['arguments'] === 'string' ? (JSON.parse(row['arguments']) as JsonObject) : undefined,
  findings: JSON.parse(String(row['findings'])) as Finding[],
  size: Number(row['size']),
  releasedAt: row['released_at'] === null ? undefined : Number(row['released_at']),
  takenAt: row['taken_at'] === null ? undefined : Number(row['taken_at']),
})
