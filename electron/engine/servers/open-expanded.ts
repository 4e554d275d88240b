import { sureSecrets } from './keep-secrets.ts'
import type { KnownSecrets } from '../ground/secrets/known-secrets.ts'
import type { Logger } from '../ground/logger.ts'
import { resolveSecrets } from './resolve-secrets.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import { expandServer, placeholderValuesOf, secretsOf } from '../settings/expand-env.ts'
import type { OpenLink, OpenLinkOptions } from '../protocol/link.ts'

/**
 * The same opener for settings as they are written: variables and secrets are put in, and kept out of the log. Async, so
 * that one that is missing fails this server's promise and not the whole session.
 */
export const createOpenExpanded =
  (options: {
    openLink: OpenLink
    env: Readonly<Record<string, string>>
    secrets: Pick<Secrets, 'get'> | undefined
    logger: Logger & { redact(values: Iterable<string>): void }
    /** Gets what may not come back from any server. */
    known: KnownSecrets
  }): OpenLink =>
  async (asked) => {
    const { openLink, logger, known } = options
    const wanted = asked.settings.shared ? ofNobody(asked) : asked
    const secrets = await resolveSecrets(wanted.settings, options.secrets)
    logger.redact(Object.values(secrets))
    const env = wanted.env ?? options.env
    logger.redact(placeholderValuesOf(wanted.settings, env))
    const expanded = expandServer(wanted.serverId, wanted.settings, env, secrets)
    const named = secretsOf(expanded)
    logger.redact(named)
    known.add(sureSecrets([...named, ...Object.values(secrets)]))
    return openLink({ ...wanted, settings: expanded })
  }

/** A process for several clients has the engine's environment and folder, not those of the first who came. */
function ofNobody({ cwd: _cwd, env: _env, ...options }: OpenLinkOptions): OpenLinkOptions {
  return options
}
