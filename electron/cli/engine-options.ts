import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EngineOptions } from '../engine/engine.ts'
import type { RootLogger } from '../engine/ground/logger.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { headlessSecrets } from './headless-secrets.ts'

export type EnginePlace = Pick<CliContext, 'env' | 'platform' | 'homeDir' | 'tempDir' | 'now' | 'version'>

export function engineOptions(
  { env, platform, homeDir, tempDir, now, version }: EnginePlace,
  { dataDir }: Pick<CommonOptions, 'dataDir'>,
  logger: RootLogger,
): EngineOptions {
  const screensFolder = findScreens()
  const screens = screensFolder === undefined ? {} : { screensFolder }
  const secrets = headlessSecrets(dataDir, (message) => logger.warn(message))
  const nodeTrusts = env['NODE_EXTRA_CA_CERTS']
  return { dataDir, logger, env, platform, homeDir, tempDir, now, version, secrets, nodeTrusts, ...screens }
}

/** From sources: the last build's. */
function findScreens(): string | undefined {
  const fromSources = import.meta.url.endsWith('.ts')
  const folder = resolve(import.meta.dirname, fromSources ? '../../dist/renderer' : '../../renderer')
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}
