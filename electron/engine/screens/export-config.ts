import { stripComments } from 'jsonc-parser'
import { SECRET_MARK } from '../../../shared/api/settings.ts'
import { markConfigText } from './marked-config.ts'

/** For another machine: secrets become `${env:NAME}`, named after their keys. `variables`: those that are in effect, not in comments. */
export function exportConfigText(text: string): { text: string; variables: string[] } {
  const variables = new Set<string>()
  const name = (key: string): string => {
    const base =
      key
        .replaceAll(/\W+/g, '_')
        .replace(/^[_\d]+/, '')
        .toUpperCase() || 'SECRET'
    let variable = base
    for (let number = 2; variables.has(variable); number++) variable = `${base}_${number}`
    variables.add(variable)
    return `\${env:${variable}}`
  }
  const mark = escapeForPattern(SECRET_MARK)
  const exported = markConfigText(text)
    // "KEY": "••••"
    .replaceAll(
      new RegExp(`("([\\w.-]+)"\\s*:\\s*)"${mark}"`, 'g'),
      (_, before: string, key: string) => `${before}"${name(key)}"`,
    )
    // --key=•••• or ?key=••••
    .replaceAll(
      new RegExp(`([\\w.-]+)(=|: )${mark}`, 'g'),
      (_, key: string, between: string) => `${key}${between}${name(key)}`,
    )
    .replaceAll(SECRET_MARK, () => name('SECRET'))
  const inEffect = stripComments(exported)
  return { text: exported, variables: [...variables].filter((each) => inEffect.includes(`\${env:${each}}`)) }
}

const escapeForPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
