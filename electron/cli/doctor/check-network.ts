import { proxiesOf, proxyWords } from '../../engine/network/proxies.ts'
import { useNetwork } from '../../engine/network/create-network.ts'
import type { Settings } from '../../../shared/settings.ts'
import type { CliContext } from '../cli-context.ts'
import type { Finding } from './finding.ts'
import { ok, problem } from './finding.ts'

export async function checkNetwork(
  settings: Pick<Settings, 'network'>,
  { env }: Pick<CliContext, 'env'>,
): Promise<Finding[]> {
  const wrong: Finding[] = []
  await useNetwork(settings, { env, warn: (message) => wrong.push(problem('network', message)) })
  const proxies = proxiesOf(env)
  const files = [env['NODE_EXTRA_CA_CERTS'], settings.network.caFile].filter((file) => file)
  const way = proxies
    ? `Other machines are reached by ${proxyWords(proxies)}.`
    : 'Other machines are reached directly: neither HTTPS_PROXY nor HTTP_PROXY is set.'
  const trust = files.length === 0 ? '' : ` Certificates of ${files.join(' and ')} are trusted, too.`
  return wrong.length > 0 ? wrong : [ok('network', way + trust)]
}
