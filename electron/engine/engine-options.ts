import type { Launcher, NoLauncher } from './client-configs/entries/sluice-entry.ts'
import type { Answers } from './screens/http/answers.ts'
import type { RootLogger } from './ground/logger.ts'
import type { ForkModelProcess } from './models/local/model-process.ts'
import type { Secrets } from './ground/secrets/secrets.ts'
import type { Surroundings } from './ground/surroundings.ts'

/** `env` is inherited by stdio servers and resolves `${env:NAME}`, for clients without an environment of their own. */
export interface EngineOptions extends Surroundings {
  /** All data of Sluice; created if missing. */
  readonly dataDir: string
  readonly logger: RootLogger
  /** Follow config.json while running. Default: true. */
  readonly watchSettings?: boolean
  /** The NODE_EXTRA_CA_CERTS file that Node read at start; reading it again costs 100 ms. */
  readonly nodeTrusts?: string | undefined
  /** The built screens (`dist/renderer`); without them HTTP serves clients only. */
  readonly screensFolder?: string
  /** What clients' configurations start; without it the screens don't change them. */
  readonly launcher?: Launcher | NoLauncher
  /** For `${secret:NAME}` and a model's key; without it keys come from the environment only. */
  readonly secrets?: Secrets
  /** Starts the model process. Default: on this Node. */
  readonly forkModelProcess?: ForkModelProcess
  /** The desktop app's answers, if there is one. */
  readonly desktop?: Answers['desktop']
}
