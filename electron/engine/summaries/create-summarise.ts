import type { Settings } from '../../../shared/settings.ts'
import { ENDPOINT } from '../../../shared/model-settings.ts'
import { countTokensOf } from '../work/count-tokens-of.ts'
import type { LoadModels } from '../models/load-models.ts'
import type { GuardOptions } from '../guardrails/guard.ts'
import { maskAllForRemote } from '../masking/mask-for-remote.ts'
import type { FindInTexts } from '../masking/mask-texts.ts'
import { remoteMasking } from '../masking/remote-masking.ts'
import type { Summarise } from './summarise.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

/** Characters up to which sources are searched here, because a worker takes longer. */
const CHECKED_INLINE = 50_000

/** The strategy `model` with models, worker threads, masking and guard; loaded on first use. */
export function loadSummarise(options: {
  models: Pick<LoadModels, 'load'>
  workers: WorkerPool
  settings: () => Settings
  find: FindInTexts
  scan: GuardOptions['scan']
}): Summarise {
  const { models, workers, settings, find, scan } = options
  const open = async (): Promise<Summarise> => {
    const [{ createSummarise }, { checkAnswer }, { longestPrompt, slowdownAt }, { cleanText }] =
      await Promise.all([
        import('./summarise.ts'),
        import('./check-answer.ts'),
        import('../models/text-model.ts'),
        import('../guardrails/control-characters.ts'),
      ])
    return createSummarise({
      writer: async () => {
        const model = (await models.load()).current()
        const { use, endpoint } = settings().model
        return (
          model && { model, isMasked: model.isRemote && !(use === ENDPOINT && endpoint?.masked === false) }
        )
      },
      timeLimitMs: () => settings().model.timeLimitSeconds * 1000,
      compress: (input, signal) => workers.run('compress', input, { signal }),
      countTokens: countTokensOf(workers),
      check: async (answer) =>
        answer.source.length <= CHECKED_INLINE ? checkAnswer(answer) : workers.run('check-answer', answer),
      mask: (texts) => maskAllForRemote(texts, { find, ...remoteMasking(settings()) }),
      guard: async (text, threshold) => {
        const clean = cleanText(text, 'strip')
        const { verdict } = await scan([{ path: '', text: clean }], threshold)
        return verdict === 'benign' ? clean : undefined
      },
      longestPrompt,
      slowdownAt,
    })
  }
  let opening: Promise<Summarise> | undefined
  return async (input, signal) => (await (opening ??= open()))(input, signal)
}
