import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { SluiceError, messageOf } from '../ground/errors.ts'

/** Includes the hash, because the engine doesn't hash gigabytes at start. */
export const BundledModel = z.object({
  id: z.string(),
  name: z.string(),
  /** In the index's folder. */
  file: z.string().regex(/^[^/\\]+\.gguf$/),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  contextTokens: z.int(),
})
export type BundledModel = z.infer<typeof BundledModel>

export const BundledIndex = z.object({ models: z.array(BundledModel) })
export type BundledIndex = z.infer<typeof BundledIndex>
export const BUNDLED_INDEX = 'bundled.json'

/** `models` in each resource folder, or beside its archive, because large files can't be inside. */
export const bundledFolders = (resourceFolders: readonly URL[]): string[] =>
  resourceFolders
    .flatMap((folder) => [
      new URL('models/', folder),
      ...(folder.pathname.endsWith('.asar/resources/') ? [new URL('../../models/', folder)] : []),
    ])
    .map((folder) => fileURLToPath(folder))

/** Without missing or truncated files. Throws STORE_FAILED for a damaged index. */
export const readBundledModels = (folders: readonly string[]): (BundledModel & { readonly path: string })[] =>
  folders.flatMap((folder) =>
    readIndex(join(folder, BUNDLED_INDEX))
      .map((model) => ({ ...model, path: join(folder, model.file) }))
      .filter(({ path, bytes }) => statSync(path, { throwIfNoEntry: false })?.size === bytes),
  )

function readIndex(path: string): readonly BundledModel[] {
  // `existsSync` is false for an unreadable file.
  if (!statSync(path, { throwIfNoEntry: false })) return []
  try {
    return BundledIndex.parse(JSON.parse(readFileSync(path, 'utf8'))).models
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new SluiceError(
      'STORE_FAILED',
      `The list of the models that came with Sluice, ${path}, can't be read: ${why}. Install Sluice again, or delete this file to go on without them.`,
    )
  }
}
