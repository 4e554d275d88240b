import type { Events } from '../ground/events.ts'
import type { RootLogger } from '../ground/logger.ts'
import type { Models, ModelsOptions } from './models.ts'
import { readMachine } from './local/machine.ts'
import { createForkModelProcess, type ForkModelProcess } from './local/model-process.ts'
import { withPlaceholderValues } from '../ground/secrets/placeholder-values.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import type { SettingsStore } from '../settings/settings-store.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    'models-changed': Readonly<Record<string, never>>
  }
}

export const ENDPOINT_KEY = 'model-endpoint'

export function modelsOptions(options: {
  dataDir: string
  settings: Pick<SettingsStore, 'current' | 'update'>
  /** Absent: the endpoint's key comes from the environment only. */
  secrets: Secrets | undefined
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** Absent: the model process runs on this Node. */
  fork: ForkModelProcess | undefined
  /** Unix milliseconds. */
  now: () => number
  logger: Pick<RootLogger, 'redact'> & ModelsOptions['logger']
  events: Events | undefined
  countTokens?: ModelsOptions['countTokens']
}): ModelsOptions {
  const { dataDir, settings, secrets, env, platform, now, logger, events } = options
  return {
    dataDir,
    settings: () => settings.current.model,
    choose: (id) => settings.update([{ path: ['model', 'use'], value: id }]),
    apiKey: async () => {
      const key = await endpointKey(settings.current.model.endpoint?.apiKey, env, secrets)
      if (key !== undefined) logger.redact([key])
      return key
    },
    fork: options.fork ?? createForkModelProcess(env),
    machine: readMachine(platform),
    fetch,
    countTokens:
      options.countTokens ??
      (async (text) => (await import('../text/tokens/count-tokens.ts')).countTokens(text)),
    now,
    logger,
    onChange: () => events?.emit('models-changed', {}),
  }
}

async function endpointKey(
  written: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  secrets: Secrets | undefined,
): Promise<string | undefined> {
  if (written === undefined) return secrets?.get(ENDPOINT_KEY)
  const key = await withPlaceholderValues(written, { env, secrets }, 'model.endpoint.apiKey')
  return key === '' ? undefined : key
}

/** On first use: most engines never need models. */
export interface LoadModels {
  /** Rejects with BAD_INPUT if the user's model list is invalid. */
  load(): Promise<Models>
  close(): Promise<void>
}

export function createLoadModels(options: Parameters<typeof modelsOptions>[0]): LoadModels {
  let loading: Promise<Models> | undefined
  const open = async (): Promise<Models> => {
    const { createModels } = await import('./models.ts')
    return createModels(modelsOptions(options))
  }
  return {
    load: () => {
      if (loading) return loading
      const opening = open()
      loading = opening
      // The user may correct the cause.
      opening.catch(() => (loading = undefined))
      return opening
    },
    close: async () => {
      const models = await loading?.catch(() => undefined)
      await models?.close()
    },
  }
}
