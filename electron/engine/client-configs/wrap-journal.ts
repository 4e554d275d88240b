import { join } from 'node:path'
import { z } from 'zod'
import { backupsFolder, newBackupFolder } from './backup-folder.ts'
import type { ClientFiles } from './client-files.ts'
import type { ContainerEdit } from './formats/config-format.ts'

const PathSchema = z.array(z.union([z.string(), z.number()]))
const EditSchema = z.object({
  path: PathSchema,
  replace: z.array(z.tuple([z.union([z.string(), z.number()]), z.array(z.tuple([z.string(), z.json()]))])),
  append: z.array(z.tuple([z.string(), z.json()])),
})

const JournalSchema = z.object({
  version: z.literal(1),
  client: z.string(),
  target: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  /** SHA-256 after this journal's change. */
  afterHash: z.string(),
  servers: z.array(
    z.object({
      name: z.string(),
      place: PathSchema,
      serverId: z.string(),
      /** SHA-256 of settings added to config.json; missing if it had them. */
      settingsHash: z.string().optional(),
      edits: z.array(EditSchema),
    }),
  ),
  /** Sluice's own tools. */
  added: z.array(z.object({ name: z.string(), place: PathSchema, edits: z.array(EditSchema) })),
})
export type WrapJournal = z.infer<typeof JournalSchema>
export type JournalEdit = z.infer<typeof EditSchema>

export interface StoredJournal {
  readonly folder: string
  readonly journal: WrapJournal
  /** Bytes before. */
  readonly original: Uint8Array
  readonly isUndone: boolean
}

const ORIGINAL = 'original'
const JOURNAL = 'journal.json'
const UNDONE = 'undone'
/** Undone ones per file. */
const KEPT = 10

export const toJournalEdit = ({ path, replace, append }: ContainerEdit): JournalEdit =>
  // A plan contains JSON only.
  EditSchema.parse({
    path,
    replace: [...(replace ?? [])],
    append: append ?? [],
  })

export const fromJournalEdit = ({ path, replace, append }: JournalEdit): ContainerEdit => ({
  path,
  replace: new Map(replace),
  append,
})

/** In the data folder's `backups`, one folder each, for this user only. */
export class WrapJournals {
  readonly #folder: string
  readonly #files: ClientFiles

  constructor(dataDir: string, files: ClientFiles) {
    this.#folder = backupsFolder(dataDir)
    this.#files = files
  }

  /** Returns the folder. */
  write(journal: WrapJournal, original: Uint8Array): string {
    const { at, client, target } = journal
    const folder = newBackupFolder(this.#files, this.#folder, { at, what: client, file: target })
    this.#files.create(join(folder, ORIGINAL), original)
    this.#files.create(join(folder, JOURNAL), encode(journal))
    return folder
  }

  /** Readable ones, newest first. */
  list(): readonly StoredJournal[] {
    const names = this.#files.list(this.#folder).toReversed()
    return names.flatMap((name) => this.#read(join(this.#folder, name)) ?? [])
  }

  /** After partial undo. */
  rewrite(folder: string, journal: WrapJournal): void {
    this.#files.remove(join(folder, JOURNAL))
    this.#files.create(join(folder, JOURNAL), encode(journal))
  }

  /** Stores the bytes before unwrapping, and removes old backups of the file. */
  markUndone({ folder, journal }: StoredJournal, before: Uint8Array): void {
    this.#files.create(join(folder, UNDONE), before)
    const old = this.list().filter(
      ({ isUndone, journal: other }) => isUndone && other.target === journal.target,
    )
    for (const { folder: outdated } of old.slice(KEPT)) this.remove(outdated)
  }

  remove(folder: string): void {
    this.#files.remove(folder)
  }

  #read(folder: string): StoredJournal | undefined {
    try {
      const text = new TextDecoder().decode(this.#files.read(join(folder, JOURNAL)))
      const journal = JournalSchema.parse(JSON.parse(text))
      const original = this.#files.read(join(folder, ORIGINAL))
      return { folder, journal, original, isUndone: this.#files.facts(join(folder, UNDONE)) !== undefined }
    } catch {
      // Incomplete backup: ignored.
      return undefined
    }
  }
}

const encode = (journal: WrapJournal): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(journal, null, 2)}\n`)
