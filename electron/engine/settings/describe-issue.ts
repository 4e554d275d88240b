import type { z } from 'zod'
import { didYouMean } from '../ground/nearest.ts'
import { keyByMeaning, knownKeys } from './known-keys.ts'
import type { SettingsPath } from './settings-problem.ts'

export interface DescribedIssue {
  readonly path: SettingsPath
  readonly atKey: boolean
  readonly message: string
}

export function describeIssue(
  issue: z.core.$ZodIssue,
  valueAt: (path: SettingsPath) => unknown,
): DescribedIssue[] {
  // Paths of JSON contain no symbols.
  const path = issue.path as SettingsPath
  switch (issue.code) {
    case 'unrecognized_keys':
      // Already reported as an invalid key.
      return issue.keys
        .filter((key) => key !== '__proto__')
        .map((key) => ({
          path: [...path, key],
          atKey: true,
          message: unknownKeyMessage(key, path),
        }))
    case 'invalid_key':
      return [{ path, atKey: true, message: badKeyMessage(String(path.at(-1)), issue) }]
    case 'invalid_type':
      return [{ path, atKey: false, message: wrongTypeMessage(issue.expected, valueAt(path)) }]
    case 'invalid_value': {
      const values = issue.values.map((value) => JSON.stringify(value))
      const found = valueAt(path)
      const hint = typeof found === 'string' ? didYouMean(found, issue.values.map(String)) : ''
      return [
        {
          path,
          atKey: false,
          message: `${JSON.stringify(found)} is not one of ${values.join(', ')}.${hint}`,
        },
      ]
    }
    case 'too_small':
      return [{ path, atKey: false, message: sizeMessage('at least', issue.minimum, issue) }]
    case 'too_big':
      return [{ path, atKey: false, message: sizeMessage('at most', issue.maximum, issue) }]
    default:
      return [{ path, atKey: false, message: issue.message }]
  }
}

function unknownKeyMessage(key: string, path: SettingsPath): string {
  const known = knownKeys(path)
  const meaning = keyByMeaning(key, path)
  const hint = meaning === undefined ? didYouMean(key, known) : ` ${meaning}`
  return `Unknown key "${key}".${hint === '' ? ` Known here: ${known.filter((name) => name !== '$schema').join(', ')}.` : hint}`
}

function badKeyMessage(key: string, issue: z.core.$ZodIssueInvalidKey): string {
  const reason = issue.issues[0]?.message ?? ''
  const better = toServerId(key)
  return `"${key}" can't be the id of a server. ${reason}${better === '' || better === key ? '' : ` For example "${better}".`}`
}

/** Close to the name, e.g. "github.com/acme/mcp tools" → "github.com-acme-mcp-tools". */
const toServerId = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/([._])[._]+/g, '$1')
    .replaceAll(/^[^A-Za-z0-9]+|[._-]+$/g, '')
    .slice(-40)
    .replace(/^[^A-Za-z0-9]+/, '')

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
}

function wrongTypeMessage(expected: string, found: unknown): string {
  const quoted =
    expected === 'string' && (typeof found === 'number' || typeof found === 'boolean')
      ? ` Write it in quotes: "${found}".`
      : ''
  return `Must be ${TYPE_NAMES[expected] ?? expected}, but is ${describeValue(found)}.${quoted}`
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

function sizeMessage(
  side: string,
  limit: number | bigint,
  issue: { origin: string; inclusive?: boolean },
): string {
  if (issue.origin === 'string')
    return limit === 1 ? 'Must not be empty.' : `Must have ${side} ${limit} characters.`
  const bound = issue.inclusive === false ? (side === 'at least' ? 'more than' : 'less than') : side
  return `Must be ${bound} ${limit}.`
}
