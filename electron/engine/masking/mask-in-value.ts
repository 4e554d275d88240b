import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import { SluiceError } from '../ground/errors.ts'
import { maskTexts, replaceSpans, restoreText, type FindInTexts } from './mask-texts.ts'
import { BUILT_IN_NAMES, writtenPlaceholders } from './placeholders.ts'
import { stringsInValue } from './strings-in-value.ts'
import type { Vault } from './vault.ts'

/** Keys, numbers and encoded data stay. */
export async function maskInValue<Value>(
  value: Value,
  vault: Vault,
  policy: MaskingPolicy,
  find: FindInTexts,
): Promise<Value> {
  const strings = stringsInValue(value)
  return strings.rebuild(await maskTexts(strings.texts, vault, policy, find)) as Value
}

/** For a value of any origin. */
export function restoreInValue<Value>(value: Value, vault: Vault): Value {
  if (vault.size === 0) return value
  const { texts, rebuild } = stringsInValue(value)
  return rebuild(texts.map(({ text }) => restoreText(text, vault))) as Value
}

/** Throws BAD_INPUT for an unknown placeholder, which the server would take for the value. */
export function restoreForServer<Value>(value: Value, vault: Vault, policy: MaskingPolicy): Value {
  const { texts, rebuild } = stringsInValue(value)
  const custom = Object.values(policy.customPatterns).map(({ placeholder }) => placeholder)
  const names = new Set([...BUILT_IN_NAMES, ...vault.customNames, ...custom])
  const unknown = texts.flatMap(({ text }) =>
    writtenPlaceholders(text).filter(
      ({ placeholder, name }) => names.has(name) && vault.valueOf(placeholder) === undefined,
    ),
  )
  if (unknown.length > 0) {
    const [{ placeholder } = { placeholder: '' }] = unknown
    throw new SluiceError(
      'BAD_INPUT',
      `${placeholder} stands for no value that is known here: it was never given out, or an earlier session of this client gave it out. Read the value again, and use the placeholder that comes with it.`,
    )
  }
  return vault.size === 0 ? value : (rebuild(texts.map(({ text }) => restoreText(text, vault))) as Value)
}

/** Doesn't search for new ones. */
export function hideKnownInValue<Value>(value: Value, vault: Vault): Value {
  if (vault.size === 0) return value
  const { texts, rebuild } = stringsInValue(value)
  const hidden = texts.map(({ text }) =>
    replaceSpans(text, vault.all.find(text), (span) => vault.placeholderFor(span.type, span.value)),
  )
  return rebuild(hidden) as Value
}
