import type { SettingsFault } from '../../shared/api/settings.ts'
import { isRecord } from '../../shared/is-record.ts'

export interface ImportPlan {
  readonly isPossible: boolean
  readonly words: string
  readonly faults: readonly string[]
  readonly diff: string
}

/**
 * Effect of an imported text: with servers it replaces config.json; otherwise its parts replace those with the same
 * names.
 */
export async function describeImport(
  text: string,
  present: string,
  check: (text: string) => Promise<{ valid: boolean; problems: readonly SettingsFault[] }>,
): Promise<ImportPlan> {
  // Both are large and seldom needed.
  const [{ parse }, { createTwoFilesPatch }] = await Promise.all([import('jsonc-parser'), import('diff')])
  const value: unknown = parse(text, [], { allowTrailingComma: true })
  if (!isRecord(value)) {
    return {
      isPossible: false,
      words: 'This file holds no settings: it should be a JSON object.',
      faults: [],
      diff: '',
    }
  }
  const { valid, problems } = await check(text)
  const faults = problems.map(({ line, message }) => `Line ${line}: ${message}`)
  if (!valid) return { isPossible: false, words: 'These settings can’t be taken:', faults, diff: '' }
  if (!('servers' in value)) {
    const names = Object.keys(value)
    const words =
      names.length === 0
        ? 'This file is empty: nothing would change.'
        : `These take the place of the present ones: ${names.join(', ')}. Everything else stays.`
    return { isPossible: names.length > 0, words, faults, diff: '' }
  }
  return {
    isPossible: true,
    words: 'This replaces your config.json. What it does not contain is removed.',
    faults,
    diff: createTwoFilesPatch('config.json', 'config.json', present, text, '', '', { context: 2 })
      .split('\n')
      .slice(4)
      .join('\n'),
  }
}
