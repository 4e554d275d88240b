import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile, statfs } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { didYouMean } from '../ground/nearest.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'
import { readBundledModels } from './bundled-models.ts'
import type { CatalogueModel } from './catalogue.ts'
import type { GgufHeader } from './gguf/read-gguf-header.ts'
import type { PromptFormat } from './process-messages.ts'

const Entry = z.object({
  id: z.string(),
  name: z.string(),
  /** In the models folder. */
  file: z.string(),
  bytes: z.int().positive(),
  sha256: z.string(),
  from: z.enum(['catalogue', 'import']),
  /** Unix milliseconds. */
  addedAt: z.number(),
  contextTokens: z.int(),
})
const Index = z.object({ models: z.array(Entry) })

/** Usable now. */
export interface InstalledModel extends Omit<z.infer<typeof Entry>, 'from'> {
  readonly from: 'catalogue' | 'import' | 'bundled'
  readonly path: string
  readonly promptFormat: PromptFormat
  readonly systemNote: string | undefined
}

export interface ModelLibrary {
  /** Created if missing. */
  readonly folder: string
  list(): InstalledModel[]
  /** Throws MODEL_UNKNOWN. */
  get(id: string): InstalledModel
  adopt(model: CatalogueModel, path: string, sha256: string): InstalledModel
  /** By absolute path: checks and copies. Rejects with MODEL_FILE_INVALID, BAD_INPUT or LIMIT_REACHED. */
  importFile(path: string, signal?: AbortSignal): Promise<InstalledModel>
  remove(id: string): void
}

export interface LibraryOptions {
  readonly folder: string
  readonly catalogue: readonly CatalogueModel[]
  readonly bundledFolders: readonly string[]
  readonly readHeader: (path: string) => Promise<GgufHeader>
  readonly now: () => number
}

/** Left free on disk. */
const SPARE_BYTES = 200_000_000

/** Files in one folder with an index, which other processes may change. */
export function openModelLibrary({
  folder,
  catalogue,
  bundledFolders,
  readHeader,
  now,
}: LibraryOptions): ModelLibrary {
  const indexPath = join(folder, 'installed.json')
  const readIndex = (): z.infer<typeof Entry>[] => {
    try {
      return Index.parse(JSON.parse(readFileSync(indexPath, 'utf8'))).models
    } catch (error) {
      if (!existsSync(indexPath)) return []
      throw new SluiceError(
        'STORE_FAILED',
        `The list of models in ${indexPath} can't be read (${messageOf(error)}). Delete this file: models of the catalogue are found again when they are downloaded, others by \`sluice models import\`.`,
      )
    }
  }
  const writeIndex = (models: readonly z.infer<typeof Entry>[]): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileAtomically(indexPath, `${JSON.stringify({ models }, null, 2)}\n`)
  }
  const add = (entry: z.infer<typeof Entry>): InstalledModel => {
    writeIndex([...readIndex().filter(({ id }) => id !== entry.id), entry])
    return complete(entry)
  }
  /** From the catalogue, or the file. */
  const promptOf = (model: { readonly id: string; readonly sha256: string }) => {
    const known = catalogue.find(({ id, sha256 }) => id === model.id || sha256 === model.sha256)
    return { promptFormat: known?.promptFormat ?? ('template' as const), systemNote: known?.systemNote }
  }
  const complete = (entry: z.infer<typeof Entry>): InstalledModel => ({
    ...entry,
    ...promptOf(entry),
    path: join(folder, entry.file),
  })
  const bundled = (): InstalledModel[] =>
    readBundledModels(bundledFolders).map((model) => ({
      ...model,
      ...promptOf(model),
      from: 'bundled',
      addedAt: 0,
    }))
  const list = (): InstalledModel[] => {
    // Skips missing and truncated files.
    const own = readIndex()
      .map(complete)
      .filter(({ path, bytes }) => sizeOf(path) === bytes)
    const isOwn = ({ id, sha256 }: InstalledModel): boolean =>
      own.some((model) => model.id === id || model.sha256 === sha256)
    return [...own, ...bundled().filter((model) => !isOwn(model))]
  }
  const get = (id: string): InstalledModel => {
    const all = list()
    const found = all.find((model) => model.id === id)
    if (found) return found
    const ids = [...all.map((model) => model.id), ...catalogue.map((model) => model.id)]
    const isOffered = catalogue.some((model) => model.id === id)
    throw new SluiceError(
      'MODEL_UNKNOWN',
      isOffered
        ? `The model "${id}" is not on this machine. \`sluice models download ${id}\` fetches it.`
        : `There is no model "${id}".${didYouMean(id, ids)} \`sluice models list\` shows all.`,
    )
  }

  return {
    folder,
    list,
    get,
    adopt: (model, path, sha256) => {
      renameSync(path, join(folder, model.file))
      const { id, name, file, bytes, contextTokens } = model
      return add({ id, name, file, bytes, sha256, contextTokens, from: 'catalogue', addedAt: now() })
    },
    importFile: async (path, signal) => {
      if (!isAbsolute(path))
        throw new SluiceError('BAD_INPUT', `"${path}" isn't an absolute path. Write it from the root on.`)
      const header = await readHeader(path)
      const ids = new Set([...list().map(({ id }) => id), ...catalogue.map(({ id }) => id)])
      const sha256 = await hashFile(path, { signal })
      const same = list().find((model) => model.sha256 === sha256)
      if (same) return same
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      await checkSpace(folder, header.fileBytes)
      const offered = catalogue.find((model) => model.sha256 === sha256)
      const id = offered?.id ?? freeId(basename(path), ids)
      const file = offered?.file ?? `${id}.gguf`
      const part = join(folder, `${file}.part`)
      try {
        await copyFile(path, part)
        // The checked and the copied file must be the same.
        if ((await hashFile(part, { signal })) !== sha256) throw changedMeanwhile(path)
        renameSync(part, join(folder, file))
      } finally {
        rmSync(part, { force: true })
      }
      return add({
        id,
        name: offered?.name ?? header.name ?? id,
        file,
        bytes: header.fileBytes,
        sha256,
        contextTokens: header.contextTokens,
        from: 'import',
        addedAt: now(),
      })
    },
    remove: (id) => {
      const model = get(id)
      if (model.from === 'bundled') {
        throw new SluiceError(
          'BAD_INPUT',
          `${model.name} came with Sluice and stays until Sluice is uninstalled.`,
        )
      }
      writeIndex(readIndex().filter((entry) => entry.id !== id))
      rmSync(model.path, { force: true })
    },
  }
}

const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size

/** `My Model.Q4.gguf` becomes `my-model.q4`, or `my-model.q4-2` if taken. */
export function freeId(file: string, taken: ReadonlySet<string>): string {
  const plain = file
    .toLowerCase()
    .replace(/\.gguf$/, '')
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 60)
  const first = plain === '' || plain === 'endpoint' ? 'imported' : plain
  for (let count = 1; ; count++) {
    const id = count === 1 ? first : `${first}-${count}`
    if (!taken.has(id)) return id
  }
}

/** In hexadecimal. */
export async function hashFile(
  path: string,
  { signal, onBytes }: { signal?: AbortSignal | undefined; onBytes?: (done: number) => void } = {},
): Promise<string> {
  const hash = createHash('sha256')
  let done = 0
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024, ...(signal ? { signal } : {}) })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    onBytes?.((done += chunk.length))
  }
  return hash.digest('hex')
}

/** Throws LIMIT_REACHED if `bytes` more don't fit on the disk. */
export async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes + SPARE_BYTES) return
  throw new SluiceError(
    'LIMIT_REACHED',
    `There is not enough room in ${folder}: the model takes ${megabytes(bytes)}, ${megabytes(SPARE_BYTES)} are left for everything else on the disk, and ${megabytes(free)} are free. Make room, or take a smaller model.`,
  )
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

const changedMeanwhile = (path: string): SluiceError =>
  new SluiceError(
    'BAD_INPUT',
    `${path} was changed while it was copied. Try again when no program writes to it.`,
  )
