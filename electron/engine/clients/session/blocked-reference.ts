import type { Offer, PinnedKind } from '../../approvals/pinned-item.ts'
import { isJsonObject, stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import { plainTemplate } from './plain-uri.ts'

export function blockedReference(
  ref: unknown,
  { prompts, templates }: Offer,
  allows: (kind: PinnedKind, item: JsonObject) => boolean,
): { readonly kind: PinnedKind; readonly name: string } | undefined {
  if (!isJsonObject(ref)) return undefined
  const isPrompt = ref['type'] === 'ref/prompt'
  const [kind, field] = isPrompt ? (['prompt', 'name'] as const) : (['template', 'uriTemplate'] as const)
  const name = stringIn(ref, isPrompt ? 'name' : 'uri')
  const listed = (isPrompt ? prompts : templates).find((each) => each[field] === name)
  if (listed) return allows(kind, listed) ? undefined : { kind, name }
  if (isPrompt) return undefined
  const plain = plainTemplate(name)
  const blocked = templates.find(
    (each) => plainTemplate(stringIn(each, field)) === plain && !allows(kind, each),
  )
  return blocked && { kind, name: stringIn(blocked, field) }
}
