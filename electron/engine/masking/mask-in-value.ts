import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import { maskTexts, replaceSpans, restoreText, type FindInTexts } from './mask-texts.ts'
import { stringsInValue } from './strings-in-value.ts'
import type { Vault } from './vault.ts'

/** A copy of a JSON value with stand-ins in its strings. Keys, numbers and encoded data stay as they are. */
export async function maskInValue<Value>(
  value: Value,
  vault: Vault,
  policy: MaskingPolicy,
  find: FindInTexts,
): Promise<Value> {
  const strings = stringsInValue(value)
  return strings.rebuild(await maskTexts(strings.texts, vault, policy, find)) as Value
}

/** The way back, for a value of any origin. */
export function restoreInValue<Value>(value: Value, vault: Vault): Value {
  if (vault.size === 0) return value
  const { texts, rebuild } = stringsInValue(value)
  return rebuild(texts.map(({ text }) => restoreText(text, vault))) as Value
}

/** Puts the stand-in wherever one of the vault's values stands, and looks for nothing new. */
export function hideKnownInValue<Value>(value: Value, vault: Vault): Value {
  if (vault.size === 0) return value
  const { texts, rebuild } = stringsInValue(value)
  const hidden = texts.map(({ text }) =>
    replaceSpans(text, vault.all.find(text), (span) => vault.placeholderFor(span.type, span.value)),
  )
  return rebuild(hidden) as Value
}
