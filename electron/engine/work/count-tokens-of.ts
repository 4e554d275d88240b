import { type JoinedTexts, joinTexts } from '../text/joined-texts.ts'
import { measureTexts } from '../text/tokens/measure-texts.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Texts up to this many characters are counted where they are: the way to a worker takes longer. */
export const COUNTED_INLINE = 20_000

/** Tokens of each, here or in a worker thread; of a text of more than a million characters an estimate. */
export const countAllOf =
  (workers: Pick<WorkerPool, 'run'>) =>
  async (documents: readonly JoinedTexts[]): Promise<readonly number[]> => {
    let characters = 0
    for (const { text } of documents) characters += text.length
    if (characters <= COUNTED_INLINE) return measureTexts(documents)
    return workers.run(
      'measure-texts',
      documents.map(({ text, ends }) => ({ text, ends })),
    )
  }

/** The same for one text. */
export const countTokensOf = (workers: WorkerPool) => {
  const countAll = countAllOf(workers)
  return async (text: string): Promise<number> => (await countAll([joinTexts([text])]))[0] ?? 0
}
