import type { SummaryForm } from '../../../shared/policy.ts'
import { ENDPOINT, ModelEndpoint } from '../../../shared/model-settings.ts'
import type { ShortenOutput } from '../../engine/compression/treatment.ts'
import type { CompressTextInput } from '../../engine/compression/compress-text.ts'
import { SluiceError } from '../../engine/ground/errors.ts'
import type { Models } from '../../engine/models/models.ts'
import type { SettingsStore } from '../../engine/settings/settings-store.ts'
import type { Writer } from '../../engine/summaries/summary-types.ts'
import type { CliContext, CommonOptions } from '../cli-context.ts'
import { withModels } from '../models/with-models.ts'

/** Without a policy. */
const ATTACK_FROM = 0.5

/** As in calls, with the same limits and checks, on this thread. Uses the current model, or the one at `endpoint`. */
export async function withSummaries(
  context: CliContext,
  common: CommonOptions,
  options: { readonly endpoint?: string; readonly model?: string; readonly summary: SummaryForm },
  work: (compress: (input: CompressTextInput) => Promise<ShortenOutput>) => Promise<void>,
): Promise<void> {
  const [
    { loadCompressor },
    { countTokens },
    { createSummarise },
    { checkAnswer },
    { longestPrompt, slowdownAt },
    { createBuiltInScan },
    { judge },
    { cleanText },
    { maskAllForRemote },
    { findInTexts },
    { remoteMasking },
  ] = await Promise.all([
    import('../../engine/compression/load-compressor.ts'),
    import('../../engine/text/tokens/count-tokens.ts'),
    import('../../engine/summaries/summarise.ts'),
    import('../../engine/summaries/check-answer.ts'),
    import('../../engine/models/text-model.ts'),
    import('../../engine/guardrails/built-in-scan.ts'),
    import('../../engine/guardrails/judge.ts'),
    import('../../engine/guardrails/control-characters.ts'),
    import('../../engine/masking/mask-for-remote.ts'),
    import('../../engine/masking/find-in-texts.ts'),
    import('../../engine/masking/remote-masking.ts'),
  ])
  const compressText = await loadCompressor()
  const builtIn = createBuiltInScan()
  await withModels(context, common, async (models, settings) => {
    const writer = await writerOf(models, settings, options)
    const summarise = createSummarise({
      writer: () => Promise.resolve(writer),
      timeLimitMs: () => settings.current.model.timeLimitSeconds * 1000,
      compress: (input) => Promise.resolve(compressText(input)),
      countTokens: (text) => Promise.resolve(countTokens(text)),
      check: (answer) => Promise.resolve(checkAnswer(answer)),
      mask: (texts) =>
        maskAllForRemote(texts, {
          ...remoteMasking(settings.current),
          find: (input) => Promise.resolve(findInTexts(input)),
        }),
      guard: async (text, threshold) => {
        const clean = cleanText(text, 'strip')
        const { verdict } = judge(await builtIn.scan([{ path: '', text: clean }]), threshold)
        return verdict === 'attack' ? undefined : clean
      },
      longestPrompt,
      slowdownAt,
    })
    const wish = { instructions: undefined, form: options.summary, guardThreshold: ATTACK_FROM }
    await work((input) => summarise({ ...input, wish }, undefined))
  })
}

async function writerOf(
  models: Models,
  settings: SettingsStore,
  { endpoint, model }: { readonly endpoint?: string; readonly model?: string },
): Promise<Writer> {
  if (endpoint !== undefined) {
    if (model === undefined) {
      throw new SluiceError(
        'BAD_INPUT',
        'With --endpoint its server has to know which model is meant: add --model NAME.',
      )
    }
    const named = ModelEndpoint.safeParse({ baseUrl: endpoint, model })
    if (!named.success) {
      const { path, message } = named.error.issues[0] ?? { path: [], message: '' }
      throw new SluiceError('BAD_INPUT', `--${path[0] === 'model' ? 'model' : 'endpoint'}: ${message}`)
    }
    const { createEndpointModel } = await import('../../engine/models/endpoint/endpoint-model.ts')
    const asked = createEndpointModel({
      settings: { ...named.data, contextTokens: undefined },
      apiKey: () => Promise.resolve(undefined),
      timeLimitMs: () => settings.current.model.timeLimitSeconds * 1000,
      fetch,
      countTokens: async (text) =>
        (await import('../../engine/text/tokens/count-tokens.ts')).countTokens(text),
    })
    return { model: asked, isMasked: asked.isRemote }
  }
  const inUse = models.current()
  if (!inUse) {
    throw new SluiceError(
      'BAD_INPUT',
      'No model is in use. `sluice models use ID` chooses one, or name an address: --endpoint URL --model NAME.',
    )
  }
  const { use, endpoint: set } = settings.current.model
  return { model: inUse, isMasked: inUse.isRemote && !(use === ENDPOINT && set?.masked === false) }
}
