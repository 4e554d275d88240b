import { ENDPOINT } from '../../../shared/model-settings.ts'
import { countTokensOf } from '../work/count-tokens-of.ts'
import type { LoadModels } from '../models/create-models.ts'
import type { ReadingTimes } from '../models/text-model.ts'
import type { Summarise } from './summarise.ts'
import type { SummaryOptions } from './summary-types.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import { isNear } from '../work/near.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

export function loadSummarise(options: {
  models: Pick<LoadModels, 'load'>
  workers: WorkerPool
  settings: Pick<SettingsStore, 'current'>
  maskAllForRemote: SummaryOptions['mask']
  guardText: SummaryOptions['guard']
  readingTimes: () => Promise<ReadingTimes>
}): Summarise {
  const { models, workers, settings, maskAllForRemote: mask, guardText: guard, readingTimes } = options
  const open = async (): Promise<Summarise> => {
    const [{ createSummarise }, { checkAnswer }, { longestPrompt, slowdownAt }] = await Promise.all([
      import('./summarise.ts'),
      import('./check-answer.ts'),
      readingTimes(),
    ])
    return createSummarise({
      writer: async () => {
        const model = (await models.load()).current()
        const { use, endpoint } = settings.current.model
        return (
          model && { model, isMasked: model.isRemote && !(use === ENDPOINT && endpoint?.masked === false) }
        )
      },
      timeLimitMs: () => settings.current.model.timeLimitSeconds * 1000,
      compress: (input, signal) => workers.run('compress', input, { signal }),
      countTokens: countTokensOf(workers),
      check: async (answer) =>
        isNear('check-answer', answer.source.length)
          ? checkAnswer(answer)
          : workers.run('check-answer', answer),
      mask,
      guard,
      longestPrompt,
      slowdownAt,
    })
  }
  let opening: Promise<Summarise> | undefined
  return async (input, signal) => (await (opening ??= open()))(input, signal)
}
