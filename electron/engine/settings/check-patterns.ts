import { RE2JS } from 're2js'
import { messageOf } from '../ground/errors.ts'
import type { Remark } from './adapt-foreign.ts'
import { serverOf } from './config-text.ts'
import type { SettingsPath } from './settings-problem.ts'

/** Missing in the linear-time engine. */
const LOOKAROUND_OR_BACKREFERENCE = /\(\?<?[=!]|\\[1-9]|\\k</

/** By the engine that searches with them: JavaScript's allows others. In all `customPatterns`, at any depth. */
export function checkPatterns(value: unknown, path: SettingsPath = []): Remark[] {
  return entriesOf(value).flatMap(([key, inner]) => {
    const at = [...path, key]
    const own = key === 'customPatterns' ? entriesOf(inner) : []
    return [
      ...own.flatMap(([name, pattern]) => faultOf(name, pattern, [...at, name, 'regex'])),
      ...checkPatterns(inner, at),
    ]
  })
}

function faultOf(name: string, pattern: unknown, path: SettingsPath): Remark[] {
  const regex = Object.fromEntries(entriesOf(pattern))['regex']
  if (typeof regex !== 'string') return []
  try {
    RE2JS.compile(regex)
    return []
  } catch (error) {
    const why = LOOKAROUND_OR_BACKREFERENCE.test(regex)
      ? 'lookaround and back-references are not supported'
      : messageOf(error).replace(/^error parsing regexp: /, '')
    const message = `The pattern "${name}" is not a regular expression in RE2 syntax: ${why}. Correct it.`
    return [{ path, message, serverId: serverOf(path) }]
  }
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
