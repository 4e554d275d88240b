import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'

/** Rows below "Forms" in the document: type, masked forms, forms left alone. */
const [, section = ''] = readFileSync(resolve('docs/masking.md'), 'utf8').split('\n### Forms\n')
const rows = section
  .split('\n### ')[0]
  ?.split('\n')
  .filter((line) => /^\| [^-]/.test(line))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
const formsIn = (cell = ''): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, form = '']) => form)

describe('the table of forms in docs/masking.md', () => {
  it.each(rows ?? [])('%s %s', (_, type, hidden, open) => {
    const isHidden = (text: string): boolean =>
      maskText(text, { types: DEFAULT_PERSONAL_DATA_TYPES }).text !== text
    expect(formsIn(hidden).length, type).toBeGreaterThan(0)
    expect(formsIn(hidden).filter((form) => !isHidden(form))).toEqual([])
    expect(formsIn(open).filter(isHidden)).toEqual([])
  })

  it('has rows', () => expect(rows?.length).toBeGreaterThan(5))
})
