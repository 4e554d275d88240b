import { RE2JS } from 're2js'
import type { CustomPattern } from '../../../shared/masking-policy.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'
import type { Found } from './personal-data.ts'

export interface CompiledPattern {
  readonly placeholder: string
  find(text: string): Found[]
}

/** For a linear-time engine, so that none can block a call. */
export const compilePatterns = (patterns: Readonly<Record<string, CustomPattern>>): CompiledPattern[] =>
  Object.entries(patterns).map(([name, { regex, placeholder }]) => {
    const compiled = compile(name, regex)
    return { placeholder, find: (text) => matchesOf(compiled, text) }
  })

function compile(name: string, regex: string): RE2JS {
  try {
    return RE2JS.compile(regex)
  } catch (error) {
    throw new SluiceError(
      'SETTINGS_INVALID',
      `The masking pattern "${name}" can't be used: ${messageOf(error)}. Correct it in config.json under masking.customPatterns.`,
      { cause: error },
    )
  }
}

function matchesOf(pattern: RE2JS, text: string): Found[] {
  const found: Found[] = []
  const matcher = pattern.matcher(text)
  while (matcher.find()) {
    if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() })
  }
  return found
}
