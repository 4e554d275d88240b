import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { PromptFormat } from './process-messages.ts'

const httpUrl = z.url({ protocol: /^https?$/ })

export const CatalogueModel = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  name: z.string(),
  publisher: z.string(),
  /** One sentence for choosing. */
  about: z.string(),
  parameters: z.string(),
  quantisation: z.string(),
  contextTokens: z.int().positive(),
  licence: z.string(),
  licenceUrl: httpUrl,
  /** About a restricted licence. */
  licenceNote: z.string().optional(),
  file: z.string().regex(/^[\w.-]+\.gguf$/),
  bytes: z.int().positive(),
  /** Null if unverified: only the size is checked. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  /** The publisher's first, then mirrors. */
  urls: z.array(httpUrl).min(1),
  promptFormat: PromptFormat,
  /** For the system prompt: tells some models not to think aloud. */
  systemNote: z.string().optional(),
  /** On the processor with 4096 tokens of context. */
  memoryBytes: z.int().positive(),
})
export type CatalogueModel = z.infer<typeof CatalogueModel>

const Catalogue = z.strictObject({ about: z.string().optional(), models: z.array(CatalogueModel) })

/** Sources are one folder higher than built files. */
export const RESOURCE_FOLDERS = ['../../../resources/', '../../../../resources/'].map(
  (folder) => new URL(folder, import.meta.url),
)

/** With the user's list. */
export function readCatalogue(ownPath: string): readonly CatalogueModel[] {
  const own = readOwn(ownPath)
  return [...own, ...readShippedCatalogue().filter(({ id }) => !own.some((model) => model.id === id))]
}

function readOwn(path: string): readonly CatalogueModel[] {
  if (!existsSync(path)) return []
  try {
    return Catalogue.parse(JSON.parse(readFileSync(path, 'utf8'))).models
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new SluiceError(
      'BAD_INPUT',
      `Your own list of models in ${path} can't be read: ${why}. Correct it, or take it away.`,
    )
  }
}

/** resources/models.json. */
export function readShippedCatalogue(): readonly CatalogueModel[] {
  const problems: string[] = []
  for (const folder of RESOURCE_FOLDERS) {
    let text: string
    try {
      text = readFileSync(new URL('models.json', folder), 'utf8')
    } catch (error) {
      problems.push(messageOf(error))
      continue
    }
    return Catalogue.parse(JSON.parse(text)).models
  }
  throw new SluiceError(
    'BAD_INPUT',
    `The catalogue of models is missing (${problems.join('; ')}). Install Sluice again.`,
  )
}

/** In order. With the user's base URL only that, with the same path. */
export function urlsOf({ urls }: CatalogueModel, base: string | undefined): readonly string[] {
  const [first] = urls
  if (base === undefined || first === undefined) return urls
  return [`${base.replace(/\/+$/, '')}${new URL(first).pathname}`]
}
