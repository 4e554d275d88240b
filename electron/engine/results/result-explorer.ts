import { SluiceError } from '../ground/errors.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ExplorationCall } from './exploration-arguments.ts'
import type { ExploreAnswer } from './explore/answer.ts'
import { explore } from './explore/explore.ts'
import { type ExploredPart, ExploredText } from './explore/explored-text.ts'
import type { TokenCounter } from './explore/token-counter.ts'
import { type ResultSource, unpackResult } from './pack-result.ts'
import { partId, type PartRange } from './part-id.ts'
import { readReference, type ReferenceJob } from './references/read-reference.ts'
import { resultParts } from './result-parts.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    explore: (job: ExploreJob) => Promise<ExploreAnswer>
  }
}

export interface ExploreJob {
  readonly call: ExplorationCall
  /** By file, or unstored. */
  readonly from: { readonly id: string; readonly source: ResultSource } | { readonly result: JsonObject }
  readonly parts: PartRange | undefined
  readonly budget: number
}

export interface ResultExplorerOptions {
  readonly tokens: TokenCounter
  readonly detectKind: (text: string) => string
  readonly now: () => number
}

const KEPT_CHARACTERS = 100_000_000

/** Recent results stay open, because calls come in series. */
export class ResultExplorer {
  readonly #options: ResultExplorerOptions
  /** By SHA-256, most recently used last. */
  readonly #opened = new Map<string, readonly ExploredText[]>()

  constructor(options: ResultExplorerOptions) {
    this.#options = options
  }

  async explore({ call, from, parts: range, budget }: ExploreJob): Promise<ExploreAnswer> {
    const texts = 'source' in from ? await this.#open(from.source) : this.#textsOf(from.result)
    const id = 'source' in from ? from.id : undefined
    const parts = texts.map((source, index): ExploredPart => {
      return { source, id: id === undefined || texts.length === 1 ? id : `${id}/${index}` }
    })
    const whole = id === undefined || range === undefined ? id : partId(id, range)
    const named = (index: number): string => parts[index]?.id ?? String(index)
    return explore({ ...this.#options, call, parts: chosen(parts, range, named), whole, budget })
  }

  async refer({ source, parts, fragment }: ReferenceJob): Promise<string> {
    const texts = await this.#open(source)
    return readReference(
      chosen(texts, parts, (index) => String(index)).map(({ text }) => text),
      fragment,
    )
  }

  async #open(source: ResultSource): Promise<readonly ExploredText[]> {
    const known = this.#opened.get(source.sha256)
    const texts = known ?? this.#textsOf(await unpackResult(source))
    this.#opened.delete(source.sha256)
    this.#opened.set(source.sha256, texts)
    let size = [...this.#opened.values()].flat().reduce((sum, each) => sum + each.text.length, 0)
    for (const [sha256, others] of this.#opened) {
      if (size <= KEPT_CHARACTERS || sha256 === source.sha256) break
      this.#opened.delete(sha256)
      size -= others.reduce((sum, each) => sum + each.text.length, 0)
    }
    return texts
  }

  #textsOf(result: JsonObject): readonly ExploredText[] {
    return resultParts(result).flatMap((part) =>
      part.type === 'text' ? [new ExploredText(part.text, () => this.#options.detectKind(part.text))] : [],
    )
  }
}

/** On this thread. */
export const readReferenceIn = (
  result: JsonObject,
  { parts, fragment }: Omit<ReferenceJob, 'source'>,
): string => {
  const texts = resultParts(result).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return readReference(
    chosen(texts, parts, (index) => String(index)),
    fragment,
  )
}

function chosen<Part>(
  parts: readonly Part[],
  range: PartRange | undefined,
  named: (index: number) => string,
): readonly Part[] {
  if (parts.length === 0) {
    throw new SluiceError('BAD_INPUT', 'There is no text in this result: nothing of it was shortened.')
  }
  if (range === undefined) return parts
  const [first, last] = range
  if (first <= last && last < parts.length) return parts.slice(first, last + 1)
  throw new SluiceError(
    'BAD_INPUT',
    `There is no part ${first > last ? `${first}-${last}` : last} in this result: it has ${parts.length}, ${named(0)} to ${named(parts.length - 1)}.`,
  )
}
