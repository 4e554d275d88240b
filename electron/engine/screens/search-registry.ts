import type { Answers } from './http/answers.ts'
import { entryOfRegistry } from '../client-configs/registry-entry.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'
import { cleanText } from '../guardrails/control-characters.ts'
import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import type { ScreensOptions } from './screens-options.ts'

/** The official one. SLUICE_REGISTRY names another, such as a company's. */
const OFFICIAL = 'https://registry.modelcontextprotocol.io'
const MOST_FOUND = 20
const ANSWER_MS = 10_000
const LONGEST_ABOUT = 300

/** Asks only when its user searches; sends the words alone. */
export function createSearchRegistry({
  env,
}: Pick<ScreensOptions, 'env'>): Answers['servers']['searchRegistry'] {
  const base = env['SLUICE_REGISTRY'] ?? OFFICIAL
  return async ({ text }) => {
    const query = new URLSearchParams({ search: text, limit: String(MOST_FOUND), version: 'latest' })
    const found = await ask(`${base.replace(/\/$/, '')}/v0.1/servers?${query.toString()}`)
    const servers = Array.isArray(found['servers']) ? found['servers'].filter(isJsonObject) : []
    return {
      registry: new URL(base).host,
      servers: servers.flatMap((each) => {
        const server = isJsonObject(each['server']) ? each['server'] : each
        const entry = entryOfRegistry(server)
        if (!entry) return []
        const [name, launch] = entry
        return [
          {
            title: cleanText(stringIn(server, 'name'), 'visualise'),
            about: cleanText(stringIn(server, 'description'), 'visualise').slice(0, LONGEST_ABOUT),
            snippet: JSON.stringify({ mcpServers: { [name]: launch } }, null, 2),
          },
        ]
      }),
    }
  }
}

async function ask(url: string): Promise<JsonObject> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    if (!answer.ok) throw new Error(`It answered with status ${answer.status}.`)
    const value: unknown = await answer.json()
    if (isJsonObject(value)) return value
    throw new Error('It answered with something other than a list of servers.')
  } catch (error) {
    throw new SluiceError(
      'SERVER_UNAVAILABLE',
      `The registry ${new URL(url).host} could not be searched, so nothing is listed. ${messageOf(error)} Paste a configuration, a command or an address instead.`,
    )
  }
}
