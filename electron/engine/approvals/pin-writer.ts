import type { SQLInputValue } from 'node:sqlite'
import type { Database } from '../ground/database/database.ts'
import { forgetOldSeen } from './forget-old-seen.ts'
import type { Change, HistoryEntry, PendingChange, Pin } from './pin.ts'
import { itemKey } from './pinned-item.ts'
import { pinnedDefinition } from './read-pins.ts'
import type { Wordings } from './wordings.ts'

export type Write = () => number

/** What exceeded one transaction. */
export interface Unwritten {
  readonly writes: readonly Write[]
  readonly isCounted: boolean
  /** At comparison: after another decision, compare again. */
  readonly decisions: number
}

/** In a sighting's history row. Decisions have the whole. */
const LONGEST_SEEN = 20_000
const ROW = 2_000
/** Characters per transaction, so that it takes milliseconds. */
export const MOST_WRITTEN = 500_000

export function writePortion(writes: readonly Write[], most: number): number {
  let written = 0
  let done = 0
  for (const write of writes) {
    if (written >= most) break
    written += write()
    done++
  }
  return done
}

/** Within the store's transactions. */
export class PinWriter {
  readonly #database: Database
  readonly #wordings: Wordings
  readonly #now: () => number

  constructor(database: Database, wordings: Wordings, now: () => number) {
    this.#database = database
    this.#wordings = wordings
    this.#now = now
  }

  pending(
    identity: string,
    changes: readonly (Pin & { readonly change: Change })[],
    waiting: ReadonlyMap<string, PendingChange>,
  ): Write[] {
    const wanted = new Set(changes.map(({ kind, name }) => itemKey(kind, name)))
    const gone = [...waiting].flatMap(([key, { kind, name }]) => (wanted.has(key) ? [] : [{ kind, name }]))
    // Item order must not depend on the clock.
    const seen = this.#now()
    const differing = changes.filter(({ kind, name, hash, change, literal }) => {
      const known = waiting.get(itemKey(kind, name))
      return known?.hash !== hash || known.change !== change || known.literal !== literal
    })
    return [
      ...gone.map((item) => (): number => {
        this.stopWaiting(identity, item)
        return ROW
      }),
      ...differing.map((item) => (): number => this.#wait(identity, item, waiting, seen)),
      (): number => {
        forgetOldSeen(this.#database, identity)
        return 0
      },
    ]
  }

  #wait(
    identity: string,
    item: Pin & { readonly change: Change },
    waiting: ReadonlyMap<string, PendingChange>,
    seen: number,
  ): number {
    const { kind, name, change, hash, literal, definition } = item
    const known = waiting.get(itemKey(kind, name))
    const same = known?.hash === hash && known.change === change
    this.#run(
      'INSERT OR REPLACE INTO pending (identity, kind, name, change, hash, definition, at, denied_at, literal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      identity,
      kind,
      name,
      change,
      hash,
      definition,
      same ? known.at : seen,
      same ? (known.deniedAt ?? null) : null,
      literal ?? null,
    )
    if (!same) {
      const before = shortOnly(pinnedDefinition(this.#database, identity, kind, name))
      this.log(identity, { kind, name }, 'seen', 'sluice', before, shortOnly(definition))
    }
    return definition.length + ROW
  }

  trust(identity: string, pins: readonly Pin[]): Write[] {
    return pins.map((item) => (): number => {
      const { kind, name, hash, definition, literal } = item
      this.pin(identity, { kind, name, hash, definition, literal }, FIRST_SIGHT)
      this.log(identity, item, 'trusted at first sight', 'settings', undefined, definition)
      // Written to pins, wordings and history.
      return 3 * definition.length + ROW
    })
  }

  stopWaiting(identity: string, { kind, name }: Pick<Pin, 'kind' | 'name'>): void {
    this.#run('DELETE FROM pending WHERE identity = ? AND kind = ? AND name = ?', identity, kind, name)
  }

  unpin(identity: string, { kind, name }: Pick<Pin, 'kind' | 'name'>): void {
    this.#run('DELETE FROM pins WHERE identity = ? AND kind = ? AND name = ?', identity, kind, name)
  }

  pin(identity: string, { kind, name, hash, definition, literal }: Pin, by: string): void {
    this.#wordings.keep(identity, { kind, name, hash, definition, literal }, by, this.#now())
    this.#run(
      'INSERT OR REPLACE INTO pins VALUES (?, ?, ?, ?, ?, ?, ?)',
      identity,
      kind,
      name,
      hash,
      definition,
      this.#now(),
      by,
    )
  }

  hasBegunTrust(identity: string): boolean {
    const has = (sql: string, ...values: SQLInputValue[]): boolean =>
      this.#database.prepare(sql).get(identity, ...values) !== undefined
    return (
      !has("SELECT 1 FROM pins WHERE identity = ? AND kind = 'server'") &&
      has('SELECT 1 FROM pins WHERE identity = ? AND approved_by = ?', FIRST_SIGHT)
    )
  }

  forgetTrust(identity: string): void {
    for (const table of ['pins', 'wordings'])
      this.#run(`DELETE FROM ${table} WHERE identity = ? AND approved_by = ?`, identity, FIRST_SIGHT)
  }

  log(
    identity: string,
    { kind, name }: Pick<Pin, 'kind' | 'name'>,
    action: HistoryEntry['action'],
    by: string,
    before: string | undefined,
    after: string | undefined,
  ): void {
    const server = this.#database.prepare('SELECT server_id FROM servers WHERE identity = ?').get(identity)
    this.#run(
      'INSERT INTO history (at, identity, server_id, kind, name, action, done_by, before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      this.#now(),
      identity,
      server ? String(server['server_id']) : '',
      kind,
      name,
      action,
      by,
      before ?? null,
      after ?? null,
    )
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#database.prepare(sql).run(...values)
  }
}

const FIRST_SIGHT = 'first sight'

const shortOnly = (definition: string | undefined): string | undefined =>
  definition !== undefined && definition.length <= LONGEST_SEEN ? definition : undefined
