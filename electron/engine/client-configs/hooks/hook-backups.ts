import { join } from 'node:path'
import { z } from 'zod'
import { backupsFolder, newBackupFolder } from '../backup-folder.ts'
import type { ClientFiles } from '../client-files.ts'

const Facts = z.object({
  version: z.literal(1),
  app: z.string(),
  path: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  /** SHA-256 after the change. */
  afterHash: z.string(),
  /** What wasn't there before: `file`, `hooks`, or events. */
  created: z.array(z.string()),
})
type Facts = z.infer<typeof Facts>

export interface HookBackup {
  readonly folder: string
  readonly facts: Facts
  /** Undefined where the file wasn't there. */
  readonly original: Uint8Array | undefined
  readonly isUndone: boolean
}

const FACTS = 'hooks.json'
const ORIGINAL = 'original'
const UNDONE = 'undone'

/** In the data folder's `backups`, beside those of wrapped servers. */
export class HookBackups {
  readonly #folder: string
  readonly #files: ClientFiles

  constructor(dataDir: string, files: ClientFiles) {
    this.#folder = backupsFolder(dataDir)
    this.#files = files
  }

  /** Returns the folder. */
  write(facts: Facts, original: Uint8Array | undefined): string {
    const { at, app, path: file } = facts
    const folder = newBackupFolder(this.#files, this.#folder, { at, what: `hooks-${app}`, file })
    if (original) this.#files.create(join(folder, ORIGINAL), original)
    this.#files.create(join(folder, FACTS), Buffer.from(`${JSON.stringify(facts, null, 2)}\n`))
    return folder
  }

  /** Of a file, in effect, newest first. */
  of(app: string, path: string): readonly HookBackup[] {
    return this.#files
      .list(this.#folder)
      .toReversed()
      .flatMap((name) => this.#read(join(this.#folder, name)) ?? [])
      .filter(({ facts, isUndone }) => facts.app === app && facts.path === path && !isUndone)
  }

  markUndone({ folder }: HookBackup, before: Uint8Array): void {
    this.#files.create(join(folder, UNDONE), before)
  }

  remove(folder: string): void {
    this.#files.remove(folder)
  }

  #read(folder: string): HookBackup | undefined {
    try {
      const text = new TextDecoder().decode(this.#files.read(join(folder, FACTS)))
      const facts = Facts.parse(JSON.parse(text))
      const original = facts.created.includes('file') ? undefined : this.#files.read(join(folder, ORIGINAL))
      return { folder, facts, original, isUndone: this.#files.facts(join(folder, UNDONE)) !== undefined }
    } catch {
      // Of another kind, or incomplete.
      return undefined
    }
  }
}
