import type { Settings } from '../../../shared/settings.ts'
import { ENDPOINT } from '../../../shared/model-settings.ts'
import { SluiceError, messageOf } from '../../engine/ground/errors.ts'
import { createLogger } from '../../engine/ground/logger.ts'
import type { Models } from '../../engine/models/models.ts'
import type { Secrets } from '../../engine/ground/secrets/secrets.ts'
import type { CliContext } from '../cli-context.ts'
import type { Finding } from './finding.ts'
import { ok, problem, warning } from './finding.ts'

const SUBJECT = 'model'

export async function checkModel(
  settings: Settings,
  { dataDir, offline, secrets }: { dataDir: string; offline: boolean; secrets: Secrets },
  context: Pick<CliContext, 'env' | 'platform' | 'now' | 'stderr'>,
): Promise<Finding[]> {
  const { use } = settings.model
  const wanting = placesWithModel(settings)
  if (use === undefined) {
    if (wanting.length === 0) return []
    return [
      problem(
        SUBJECT,
        `${wanting[0]} is "model", but no model is in use, so results are shortened without one. \`sluice models list\` shows what there is, \`sluice models use ID\` chooses one.`,
      ),
    ]
  }
  const unused =
    wanting.length > 0
      ? []
      : [
          warning(
            SUBJECT,
            'No strategy asks it. Set compression.strategy to "model", for all servers or for some.',
          ),
        ]
  const [{ modelsOptions }, { createModels }] = await Promise.all([
    import('../../engine/models/create-models.ts'),
    import('../../engine/models/models.ts'),
  ])
  const { env, platform, now, stderr } = context
  // No retries.
  const { endpoint } = settings.model
  const model = { ...settings.model, ...(endpoint && { endpoint: { ...endpoint, retries: 0 } }) }
  let models: Models | undefined
  try {
    const options = modelsOptions({
      dataDir,
      settings: { current: { ...settings, model }, update: () => {} },
      secrets,
      env,
      platform,
      fork: undefined,
      now,
      logger: createLogger({ level: 'error', stderr, now }),
      events: undefined,
    })
    models = createModels(options)
    const found =
      use === ENDPOINT
        ? await checkEndpoint(models, settings, { offline, apiKey: options.apiKey })
        : await checkFile(models, use)
    return [found, ...unused]
  } catch (error) {
    return [problem(SUBJECT, `${messageOf(error)} Until then results are shortened without it.`), ...unused]
  } finally {
    await models?.close()
  }
}

async function checkFile(models: Models, id: string): Promise<Finding> {
  const { readGgufHeader } = await import('../../engine/models/gguf/read-gguf-header.ts')
  const { name, path } = models.library.get(id)
  await readGgufHeader(path)
  return ok(SUBJECT, `${name} is in use. \`sluice models test\` loads it and measures it.`)
}

async function checkEndpoint(
  models: Models,
  settings: Settings,
  { offline, apiKey }: { offline: boolean; apiKey: () => Promise<string | undefined> },
): Promise<Finding> {
  const { timeLimitSeconds, endpoint } = settings.model
  const model = models.current()
  await apiKey()
  const name = `The model "${endpoint?.model ?? ''}" at ${endpoint?.baseUrl ?? ''}`
  if (offline || !model) return ok(SUBJECT, `${name} is in use; it was not asked (--offline).`)
  try {
    const { ms } = await model.complete({
      system: 'You answer with one word.',
      prompt: 'Say: ok',
      maxTokens: 16,
      timeLimitMs: timeLimitSeconds * 1000,
    })
    return ok(SUBJECT, `${name} is in use and answers (${Math.round(ms)} ms).`)
  } catch (error) {
    if (!(error instanceof SluiceError && error.code === 'MODEL_LATE')) throw error
    return warning(
      SUBJECT,
      `${name} did not answer within ${timeLimitSeconds} s. While it is so slow, results go out without its words; model.timeLimitSeconds gives it longer.`,
    )
  }
}

function placesWithModel({ compression, servers }: Settings): string[] {
  const places: string[] = []
  const look = (policy: { strategy?: string | undefined } | undefined, where: string): void => {
    if (policy?.strategy === 'model') places.push(`${where}compression.strategy`)
  }
  look(compression, '')
  for (const [id, server] of Object.entries(servers)) {
    if (server.disabled === true) continue
    look(server.compression, `servers.${id}.`)
    for (const [tool, own] of Object.entries(server.tools ?? {}))
      look(own.compression, `servers.${id}.tools.${tool}.`)
  }
  return places
}
