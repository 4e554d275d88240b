import type { Launcher, NoLauncher } from './client-configs/entries/sluice-entry.ts'
import type { Answers } from './screens/http/answers.ts'
import type { RootLogger } from './ground/logger.ts'
import type { ForkModelProcess } from './models/local/model-process.ts'
import type { Secrets } from './ground/secrets/secrets.ts'
import type { Surroundings } from './ground/surroundings.ts'

/** `env` is what stdio servers inherit, and where `${env:NAME}` looks, for clients that bring no environment of their own. */
export interface EngineOptions extends Surroundings {
  /** Holds everything that Sluice keeps; made when missing. */
  readonly dataDir: string
  readonly logger: RootLogger
  /** Follow config.json while running. Default: true. */
  readonly watchSettings?: boolean
  /** The file of NODE_EXTRA_CA_CERTS that Node read when this process started; reading it again costs a start 100 ms. */
  readonly nodeTrusts?: string | undefined
  /** The built screens (`dist/renderer`); without them HTTP serves clients only. */
  readonly screensFolder?: string
  /** What clients' configurations start; without it the screens change none of them. */
  readonly launcher?: Launcher | NoLauncher
  /** For `${secret:NAME}` and the key of a model; without it keys come from the environment only. */
  readonly secrets?: Secrets
  /** Starts the model process. Default: with the Node that runs this. */
  readonly forkModelProcess?: ForkModelProcess
  /** Answers for the desktop app around the engine; without it there is none. */
  readonly desktop?: Answers['desktop']
}
