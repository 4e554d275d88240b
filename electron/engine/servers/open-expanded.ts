import { sureSecrets } from './keep-secrets.ts'
import type { KnownSecrets } from '../ground/secrets/known-secrets.ts'
import type { Logger } from '../ground/logger.ts'
import { resolveSecrets } from './resolve-secrets.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import { expandServer, placeholderValuesOf, secretsOf } from '../settings/expand-env.ts'
import type { OpenLink, OpenLinkOptions } from '../protocol/link.ts'

/** Keeps them out of the log. Async, so that a missing one fails only this server. */
export const createOpenExpanded =
  (options: {
    openLink: OpenLink
    env: Readonly<Record<string, string>>
    secrets: Pick<Secrets, 'get'> | undefined
    logger: Logger & { redact(values: Iterable<string>): void }
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

/** A shared process has the engine's environment and folder, not its first client's. */
function ofNobody({ cwd: _cwd, env: _env, ...options }: OpenLinkOptions): OpenLinkOptions {
  return options
}
