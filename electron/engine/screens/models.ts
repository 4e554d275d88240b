import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Answers } from './http/answers.ts'
import { SluiceError } from '../ground/errors.ts'
import { followState } from './live-events.ts'
import type { Models } from '../models/models.ts'
import { testModel } from '../models/test-model.ts'
import { watchPath } from '../ground/files/watch-path.ts'
import { createModelsStatus, deviceOf, endpointKeyName, reachOf } from './models-status.ts'
import type { ScreensOptions } from './screens-options.ts'

export function createModelsAnswers(options: ScreensOptions): Answers['models'] {
  const { secrets, settings, events, logger } = options
  const status = createModelsStatus(options)
  const keyName = (): string => endpointKeyName(settings.current)

  const act =
    <Input = { id: string }>(work: (models: Models, input: Input) => unknown) =>
    async (input: Input): Promise<void> =>
      void (await work(await options.models.load(), input))

  return {
    status,
    live: async function* (_input, { signal }) {
      const { folder } = (await options.models.load()).library
      // Files that another process's `sluice models` changes; none without the folder.
      const written = existsSync(folder) ? ['installed.json', 'speeds.json'] : []
      yield* followState(status, signal, (changed) => {
        const stops = [
          events.on('models-changed', changed),
          events.on('settings-changed', changed),
          ...written.map((file) => watchPath(join(folder, file), changed, logger)),
        ]
        return () => stops.forEach((stop) => stop())
      })
    },
    download: async ({ id }) => {
      const models = await options.models.load()
      // The stream reports progress; the answer only immediate errors.
      models.download(id).catch(() => {})
    },
    pause: act((models, { id }) => models.downloads.pause(id)),
    cancel: act((models, { id }) => models.downloads.cancel(id)),
    remove: act((models, { id }) => models.remove(id)),
    import: async ({ path }) => {
      const models = await options.models.load()
      const { id } = await models.library.importFile(path)
      events.emit('models-changed', {})
      return { id }
    },
    use: act((models, { id }: { id?: string | undefined }) => models.use(id)),
    unload: act((models) => models.local()?.unload()),
    test: async (_input, { signal }) => {
      const models = await options.models.load()
      const model = models.current()
      if (!model) throw new SluiceError('BAD_INPUT', 'No model is used. Choose one first.')
      const timeLimitMs = settings.current.model.timeLimitSeconds * 1000
      const done = await testModel(model, { local: models.local(), timeLimitMs, signal })
      return {
        text: done.completion.text,
        promptTokens: done.completion.promptTokens,
        outputTokens: done.completion.outputTokens,
        ms: done.completion.ms,
        promptSpeed: done.capacity.promptTokensPerSecond,
        outputSpeed: done.capacity.outputTokensPerSecond,
        ...reachOf(done.longest),
        memory: done.status?.memory,
        device: done.status && deviceOf(done.status),
      }
    },
    setEndpoint: ({ endpoint }) => {
      const { apiKey, extra = {} } = settings.current.model.endpoint ?? {}
      const value = endpoint && {
        ...endpoint,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(Object.keys(extra).length > 0 && { extra }),
      }
      settings.update([{ path: ['model', 'endpoint'], value }])
    },
    setKey: async ({ key }) => {
      if (!secrets) {
        throw new SluiceError(
          'BAD_INPUT',
          'There is no place for keys here. Set an environment variable and write "apiKey": "${env:NAME}" into model.endpoint.',
        )
      }
      logger.redact([key])
      await (key === '' ? secrets.delete(keyName()) : secrets.set(keyName(), key))
      events.emit('models-changed', {})
    },
  }
}
