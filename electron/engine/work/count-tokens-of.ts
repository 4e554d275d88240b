import { type JoinedTexts, joinTexts } from '../text/joined-texts.ts'
import { measureTexts } from '../text/tokens/measure-texts.ts'
import { isNear } from './near.ts'
import type { WorkerPool } from './worker-pool.ts'

export const countAllOf =
  (workers: Pick<WorkerPool, 'run'>) =>
  (documents: readonly JoinedTexts[]): readonly number[] | Promise<readonly number[]> => {
    let characters = 0
    for (const { text } of documents) characters += text.length
    if (isNear('measure-texts', characters)) return measureTexts(documents)
    return workers.run(
      'measure-texts',
      documents.map(({ text, ends }) => ({ text, ends })),
    )
  }

export const countTokensOf = (workers: WorkerPool) => {
  const countAll = countAllOf(workers)
  return async (text: string): Promise<number> => (await countAll([joinTexts([text])]))[0] ?? 0
}
