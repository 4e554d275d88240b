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

type Stored = Omit<Case, 'document'> & { readonly document?: string; readonly documentOf?: string }

/** The cases of `folder/FAMILY/compress-qa.FAMILY.jsonl.gz`, by family. */
export function readCases(folder: string = import.meta.dirname): Case[] {
  const families = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())
  return families.sort().flatMap((family) => readFamily(join(folder, family)))
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
        const whole = document ?? documents.get(documentOf ?? '')
        if (whole === undefined) throw new Error(`${stored.id} has no document`)
        documents.set(stored.id, whole)
        return { ...stored, document: whole }
      })
  })
}
