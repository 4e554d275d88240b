import { createLogger } from '../../engine/ground/logger.ts'
import type { Models } from '../../engine/models/models.ts'
import type { SettingsStore } from '../../engine/settings/settings-store.ts'
import { useNetwork } from '../../engine/network/create-network.ts'
import type { CliContext, CommonOptions } from '../cli-context.ts'
import { headlessSecrets } from '../headless-secrets.ts'

export async function withModels(
  context: CliContext,
  { dataDir, verbose }: CommonOptions,
  work: (models: Models, settings: SettingsStore) => Promise<void> | void,
  use?: string,
): Promise<void> {
  const [{ modelsOptions }, { createModels }, { openSoundSettings }] = await Promise.all([
    import('../../engine/models/create-models.ts'),
    import('../../engine/models/models.ts'),
    import('../sound-settings.ts'),
  ])
  const { stderr, now, env, platform } = context
  const logger = createLogger({ level: verbose ? 'debug' : 'error', stderr, now })
  const settings = await openSoundSettings({ dataDir })
  await useNetwork(settings.current, { env, warn: (message) => logger.error(message) })
  const options = modelsOptions({
    dataDir,
    settings,
    secrets: headlessSecrets(dataDir, (message) => logger.warn(message)),
    env,
    platform,
    fork: undefined,
    now,
    logger,
    events: undefined,
  })
  const models = createModels({
    ...options,
    settings: () => ({ ...settings.current.model, ...(use === undefined ? {} : { use }) }),
  })
  try {
    await work(models, settings)
  } finally {
    await models.close()
    settings.close()
  }
}
