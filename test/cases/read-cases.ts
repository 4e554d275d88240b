import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A tool's result, a question, and what an answer needs of it. */
export interface Case {
  readonly id: string
  /** All cases of one source; the unit that is held out. */
  readonly family: string
  readonly kind: string
  readonly tool: string
  readonly licence: string
  readonly source: string
  readonly document: string
  /** Empty: an overview is asked for. */
  readonly goal: string
  readonly answers: readonly string[]
  /** `any` of the answers suffices; `fraction` is the share of them. */
  readonly mode: 'any' | 'fraction'
  /** One of these makes an answer usable, e.g. the name of its record. */
  readonly evidence: readonly string[]
  readonly paraphrased: boolean
  readonly language: string
  /** Of the document (o200k_base). */
  readonly tokens: number
}

/** Files of other origin name a tool's `tag` instead of a family. */
type Stored = Omit<Case, 'document' | 'family' | 'paraphrased'> & {
  readonly document?: string
  readonly documentOf?: string
  readonly family?: string
  readonly tag?: string
  readonly paraphrased?: boolean
}

/** The cases of `folder/FAMILY/compress-qa.FAMILY.jsonl.gz`, by family, and of such files in the folder itself. */
export function readCases(folder: string = import.meta.dirname): Case[] {
  const families = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
  return [folder, ...families.sort().map((family) => join(folder, family))].flatMap(readFamily)
}

function readFamily(folder: string): Case[] {
  const files = readdirSync(folder).filter((name) => /^compress-qa\..*\.jsonl\.gz$/.test(name))
  return files.flatMap((file) => {
    const text = gunzipSync(readFileSync(join(folder, file))).toString('utf8')
    const documents = new Map<string, string>()
    return text
      .trim()
      .split('\n')
      .map((line): Case => {
        const { document, documentOf, ...stored } = JSON.parse(line) as Stored
        const { family = stored.tag ?? '', paraphrased = false } = stored
        const whole = document ?? documents.get(documentOf ?? '')
        if (whole === undefined) throw new Error(`${stored.id} has no document`)
        documents.set(stored.id, whole)
        return { ...stored, family, paraphrased, document: whole }
      })
  })
}
