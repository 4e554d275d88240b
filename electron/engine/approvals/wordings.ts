import type { Database } from '../ground/database/database.ts'
import type { Pin } from './pin.ts'
import type { MarkWords } from './moving-words.ts'
import { isOfOtherEntry, itemKey, type PinnedKind } from './pinned-item.ts'

export interface ApprovedWording extends Pin {
  readonly identity: string
  readonly serverId: string
}

/** Approved values count for other entries with the same launch. */
const wordingKey = (kind: PinnedKind, name: string): string => itemKey(kind, kind === 'variables' ? '' : name)

/** Per item; oldest go first. */
const MOST_WORDINGS = 50

/**
 * A server may vary wordings by project, or remove and restore an item. Of a launch only the last counts, so that an
 * older package isn't approved.
 */
export class Wordings {
  readonly #database: Database
  readonly #pinsOf: (identity: string) => Pin[]

  constructor(database: Database, pinsOf: (identity: string) => Pin[]) {
    this.#database = database
    this.#pinsOf = pinsOf
  }

  pinsFor(identity: string, offered: readonly Pin[], isSameHere?: MarkWords['isSameHere']): Pin[] {
    const approved = new Map<string, Set<string>>()
    const rows = this.#database
      .prepare('SELECT kind, name, hash FROM wordings WHERE identity = ?')
      .all(identity)
    for (const { kind, name, hash } of rows) {
      const key = wordingKey(kind as PinnedKind, String(name))
      const hashes = approved.get(key)
      if (hashes) hashes.add(String(hash))
      else approved.set(key, new Set([String(hash)]))
    }
    const entry = offered.find(({ kind }) => kind === 'variables')?.name ?? ''
    const pins = new Map(
      this.#pinsOf(identity)
        .filter((pin) => !isOfOtherEntry(pin, entry))
        .map((pin) => [itemKey(pin.kind, pin.name), pin]),
    )
    for (const item of offered) {
      const { kind, name, hash, literal } = item
      const key = itemKey(kind, name)
      const [pinned, hashes] = [pins.get(key)?.hash, approved.get(wordingKey(kind, name))]
      const isOne = (own: string | undefined): boolean =>
        own !== undefined && (own === pinned || hashes?.has(own) === true)
      const mayBeElsewhere = isSameHere !== undefined && hashes !== undefined
      if (isOne(hash) || isOne(literal)) pins.set(key, item)
      else if (mayBeElsewhere && this.#isApprovedElsewhere(identity, item, isSameHere)) pins.set(key, item)
    }
    return [...pins.values()]
  }

  #isApprovedElsewhere(
    identity: string,
    { kind, name, definition }: Pin,
    isSameHere: NonNullable<MarkWords['isSameHere']>,
  ): boolean {
    if (kind === 'server') return false
    const approved = this.#database
      .prepare(
        `SELECT definition FROM wordings WHERE identity = ? AND kind = ? AND (name = ? OR kind = 'variables')
         AND hash = wording`,
      )
      .all(identity, kind, name)
      .map((row) => String(row['definition']))
    try {
      return approved.some(
        (text) => text.includes('⟨') && isSameHere(JSON.parse(text), JSON.parse(definition)),
      )
    } catch {
      return false
    }
  }

  /** Youngest of each item first. */
  all(identity?: string): ApprovedWording[] {
    return this.#database
      .prepare(
        `SELECT w.*, s.server_id FROM wordings w JOIN servers s ON s.identity = w.identity
         WHERE (? IS NULL OR w.identity = ?) AND w.hash = w.wording
         ORDER BY s.server_id, w.kind, w.name, w.at DESC`,
      )
      .all(identity ?? null, identity ?? null)
      .map((row) => ({
        identity: String(row['identity']),
        serverId: String(row['server_id']),
        kind: String(row['kind']) as PinnedKind,
        name: String(row['name']),
        hash: String(row['hash']),
        definition: String(row['definition']),
      }))
  }

  keep(identity: string, { kind, name, hash, definition, literal }: Pin, by: string, at: number): void {
    if (kind === 'server') return
    const add = (own: string, shown: string): void =>
      void this.#database
        .prepare('INSERT OR REPLACE INTO wordings VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(identity, kind, name, own, hash, shown, at, by)
    add(hash, definition)
    // Also verbatim: today's date is marked only today.
    if (literal !== undefined && literal !== hash) add(literal, '')
    this.#database
      .prepare(
        `DELETE FROM wordings WHERE identity = ? AND kind = ? AND name = ? AND wording NOT IN (
           SELECT wording FROM wordings WHERE identity = ? AND kind = ? AND name = ? AND hash = wording
           ORDER BY at DESC, rowid DESC LIMIT ?
         )`,
      )
      .run(identity, kind, name, identity, kind, name, MOST_WORDINGS)
  }

  remove(identity: string, { kind, name, hash }: Pick<Pin, 'kind' | 'name' | 'hash'>): void {
    this.#database
      .prepare('DELETE FROM wordings WHERE identity = ? AND kind = ? AND name = ? AND wording = ?')
      .run(identity, kind, name, hash)
    this.#database
      .prepare('DELETE FROM pins WHERE identity = ? AND kind = ? AND name = ? AND hash = ?')
      .run(identity, kind, name, hash)
  }
}
