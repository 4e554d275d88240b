import { inSteps, type Steps } from '../../ground/steps.ts'
import { stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import { plainTemplate, plainUri } from './plain-uri.ts'

export class SpelledResources {
  #list: readonly JsonObject[] | undefined
  #bySpelling = new Map<string, JsonObject[]>()

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

/** Undefined if an approved template matches, too. Checked as written and in plain spelling: both must be allowed. */
export async function blockedTemplate(
  uri: string,
  templates: readonly JsonObject[],
  isApproved: (template: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  const approved = new Set(templates.filter(isApproved))
  if (approved.size === templates.length) return undefined
  // The SDK's client is large and seldom needed.
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
