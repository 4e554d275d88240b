import { closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import type { Database } from '../ground/database/database.ts'
import { SluiceError } from '../ground/errors.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'

interface Mark {
  /** Random name of the record. */
  readonly record: string
  /** Number of decisions. */
  readonly count: number
}

/** Small redundant files beside the record, in case one is lost with it. */
export interface RecordMarks {
  readonly paths: readonly string[]
  readonly of: string
}

interface Tally extends Mark {
  readonly pins: number
  readonly wordings: number
  readonly denials: number
}

const TALLIED = ['pins', 'wordings', 'denials'] as const
const ROWS = `(SELECT count(*) FROM pins) AS pins, (SELECT count(*) FROM wordings) AS wordings,
  (SELECT count(*) FROM pending WHERE denied_at IS NOT NULL) AS denials`

const FOUND = `SELECT record, count, tally.pins AS had_pins, tally.wordings AS had_wordings,
  tally.denials AS had_denials, ${ROWS} FROM tally`

/**
 * Detects lost decisions. The database counts its rows after each decision, and two mark files record the number of
 * decisions. The database is written first: after a crash it is ahead of its marks. A record behind them is an old
 * copy; one with fewer rows than counted has lost some.
 */
export class RecordTally {
  readonly #database: Database
  readonly #marks: readonly string[]
  readonly #isCopy: boolean
  /** Last verified; changes when another connection writes. */
  #soundVersion: number | undefined
  #isChanged = false
  #isWhole = false
  #isInside = false

  constructor(database: Database, marks: RecordMarks) {
    this.#database = database
    this.#marks = marks.paths
    this.#isCopy = database.path !== marks.of
  }

  transaction<T>(work: () => T): T {
    if (this.#isInside) return work()
    this.#isInside = true
    try {
      const result = this.#database.transaction(() => {
        this.verify()
        const done = work()
        if (this.#isChanged) this.#count()
        return done
      })
      if (this.#isWhole) this.#publish()
      return result
    } finally {
      this.#isInside = this.#isChanged = this.#isWhole = false
    }
  }

  /** In a transaction that changes decisions. `isWhole`: the last of several; then marks follow. */
  change(isWhole = true): void {
    this.#isChanged = true
    this.#isWhole ||= isWhole
  }

  /** After opening. */
  begin(): void {
    this.verify()
    this.#publish()
  }

  /** Throws DATABASE_DAMAGED if decisions are missing. Call before judging or deciding. */
  verify(): void {
    const version = Number(this.#database.prepare('PRAGMA data_version').get()?.['data_version'])
    if (version === this.#soundVersion) return
    // Marks first: decisions in between put the database ahead.
    const marks = this.#readMarks()
    const isCounted = this.#database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'tally'").get()
    const rows = isCounted && this.#database.prepare(FOUND).get()
    if (!rows) throw lost('the count of them is missing')
    for (const key of TALLIED) {
      const [had, has] = [Number(rows[`had_${key}`]), Number(rows[key])]
      if (has < had) throw lost(`${had - has} of ${had} ${NAMES[key]} are missing`)
    }
    for (const { record, count } of marks) {
      if (record !== rows['record']) throw lost('another record was put in its place')
      if (count > Number(rows['count']))
        throw lost(
          `an older copy was put in its place, which lacks the last ${count - Number(rows['count'])} decisions`,
        )
    }
    this.#soundVersion = version
  }

  #count(): void {
    this.#database
      .prepare(`UPDATE tally SET count = count + 1, (pins, wordings, denials) = (SELECT ${ROWS})`)
      .run()
  }

  /** Updates marks to the committed state. Unwritable ones stay behind, which blocks nothing. */
  #publish(): void {
    if (this.#isCopy) return
    try {
      const { record, count } = this.#tally()
      if (this.#readMarks().some((mark) => mark.record !== record)) return
      this.#settle()
      for (const path of this.#marks)
        if ((readMark(path)?.count ?? -1) < count) writeFileAtomically(path, textOf({ record, count }))
    } catch {
      // The next decision or start retries.
    }
  }

  #tally(): Tally {
    return this.#database.prepare('SELECT * FROM tally').get() as unknown as Tally
  }

  #readMarks(): Mark[] {
    return this.#marks.flatMap((path) => readMark(path) ?? [])
  }

  /** After power loss marks must not be ahead of the database's log. */
  #settle(): void {
    const log = `${this.#database.path}-wal`
    if (!existsSync(log)) return
    const descriptor = openSync(log, 'r+')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}

const NAMES = { pins: 'approvals', wordings: 'approved wordings', denials: 'denials' } as const

const lost = (what: string): SluiceError =>
  new SluiceError(
    'DATABASE_DAMAGED',
    `pins.db has lost decisions: ${what}. Put its last version back and start Sluice again`,
  )

/** Also undefined for older marks, which only say that a record exists. */
function readMark(path: string): Mark | undefined {
  try {
    const mark: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isJsonObject(mark)) return undefined
    const { record, count } = mark
    return typeof record === 'string' && typeof count === 'number' ? { record, count } : undefined
  } catch {
    return undefined
  }
}

const textOf = (mark: Mark): string =>
  `${JSON.stringify({ about: 'pins.db, the record of approvals, was begun. Without it Sluice blocks everything.', ...mark })}\n`
