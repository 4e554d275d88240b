import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import { SluiceError } from '../ground/errors.ts'
import { isNumberAgain, maskTexts, replaceSpans, restoreText, type FindInTexts } from './mask-texts.ts'
import { BUILT_IN_NAMES, writtenPlaceholders } from './placeholders.ts'
import { stringsInValue, type WrittenNumber } from './strings-in-value.ts'
import { leavesOf, type LabelledText } from './text-leaves.ts'
import type { Vault } from './vault.ts'

/** Keys, numbers under other keys and encoded data stay. */
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
  return rebuild(texts.map((text) => restored(text, vault))) as Value
}

function restored({ text, label }: LabelledText, vault: Vault): string | WrittenNumber {
  const value = vault.hasNumbers && isNumberAgain({ text, label }, vault) ? vault.valueOf(text) : undefined
  return value === undefined ? restoreText(text, vault, label) : { number: value }
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
  return vault.size === 0 ? value : (rebuild(texts.map((text) => restored(text, vault))) as Value)
}

/** Doesn't search for new ones. */
export function hideKnownInValue<Value>(value: Value, vault: Vault): Value {
  if (vault.size === 0) return value
  const { texts, rebuild } = stringsInValue(value)
  const hidden = texts.map(({ text }) =>
    vault.hasNumbers ? hideKnownNumbers(text, vault) : hideKnown(text, vault),
  )
  return rebuild(hidden) as Value
}

const hideKnown = (text: string, vault: Vault): string =>
  replaceSpans(text, vault.all.find(text), ({ type, value }) => vault.placeholderFor(type, value))

/** In JSON, numbers become strings. */
function hideKnownNumbers(text: string, vault: Vault): string {
  const quotes = new Map(
    leavesOf({ text }, { all: true }).flatMap((leaf) =>
      leaf.quotes === undefined ? [] : [[leaf.toSource(0), leaf.quotes] as const],
    ),
  )
  return replaceSpans(text, vault.all.find(text), ({ type, value, start }) => {
    const marks = quotes.get(start)
    const placeholder =
      vault.givenFor(value, marks !== undefined) ?? vault.placeholderFor(type, value, marks !== undefined)
    return `${marks ?? ''}${placeholder}${marks ?? ''}`
  })
}
