import { inSteps, type Steps } from '../../ground/steps.ts'
import { stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import { plainTemplate, plainUri } from './plain-uri.ts'

/** Listed resources by their plain spelling, worked out once for each list. */
export class SpelledResources {
  #list: readonly JsonObject[] | undefined
  #bySpelling = new Map<string, JsonObject[]>()

  /** Those that a server may take this URI for. */
  async alike(list: readonly JsonObject[], uri: string): Promise<readonly JsonObject[]> {
    const bySpelling = this.#list === list ? this.#bySpelling : await inSteps(spelled(list))
    this.#list = list
    this.#bySpelling = bySpelling
    return bySpelling.get(plainUri(uri)) ?? []
  }
}

function* spelled(list: readonly JsonObject[]): Steps<Map<string, JsonObject[]>> {
  const bySpelling = new Map<string, JsonObject[]>()
  for (const resource of list) {
    const plain = plainUri(stringIn(resource, 'uri'))
    const others = bySpelling.get(plain)
    if (others) others.push(resource)
    else bySpelling.set(plain, [resource])
    yield
  }
  return bySpelling
}

const asItIs = (text: string): string => text
const SPELLINGS = [
  { of: asItIs, ofTemplate: asItIs },
  { of: plainUri, ofTemplate: plainTemplate },
]

/**
 * The blocked template that a URI matches, and no approved one. It is judged as it is and in its plain spelling: a way around a
 * blocked template must be open in both.
 */
export async function blockedTemplate(
  uri: string,
  templates: readonly JsonObject[],
  isApproved: (template: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  const approved = new Set(templates.filter(isApproved))
  if (approved.size === templates.length) return undefined
  // Loaded here, because the SDK's client is large and is seldom needed.
  const { UriTemplate } = await import('@modelcontextprotocol/client')
  for (const { of, ofTemplate } of SPELLINGS) {
    const spelled = of(uri)
    const matches = (template: JsonObject): boolean => {
      try {
        return new UriTemplate(ofTemplate(stringIn(template, 'uriTemplate'))).match(spelled) !== null
      } catch {
        return false
      }
    }
    const blocked = templates.find((template) => !approved.has(template) && matches(template))
    if (blocked && ![...approved].some(matches)) return blocked
  }
  return undefined
}
