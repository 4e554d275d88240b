import { messageOf } from '../ground/errors.ts'
import type { Remark } from './adapt-foreign.ts'
import { serverOf } from './config-text.ts'
import type { SettingsPath } from './settings-problem.ts'

/** Missing in the linear-time engine. */
const LOOKAROUND_OR_BACKREFERENCE = /\(\?<?[=!]|\\[1-9]|\\k</

let compile: ((regex: string) => void) | undefined

/** Loads the engine of expressions, which is larger than the rest of the settings: before a text with patterns is parsed. */
export async function preparePatterns(text: string | undefined): Promise<void> {
  if (compile || text?.includes('customPatterns') !== true) return
  const { RE2JS } = await import('re2js')
  compile = (regex) => void RE2JS.compile(regex)
}

/**
 * By the engine that searches with them: JavaScript's allows others. In all `customPatterns`, at any depth. Without
 * `preparePatterns` the first search refuses instead.
 */
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
    compile?.(regex)
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
