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

it.each([
  ['dni', '12345678Z'],
  ['geburtsdatum', '1978-11-03'],
  ['fecha_nacimiento', '1978-11-03'],
  ['Date de naissance', '03.11.1978'],
  ['steuerId', '86095742719'],
  ['personalausweisnummer', 'L01X00T471'],
  ['movil', '612345678'],
])('a label is known as a key, too: "%s"', (key, value) => {
  const hide = (text: string): string => maskText(text, { types: DEFAULT_PERSONAL_DATA_TYPES }).text
  expect(hide(JSON.stringify([{ [key]: value }]))).not.toContain(value)
  const other = JSON.stringify([
    { created_at: '2026-11-03', orderNumber: '86095742719', version: '12345678Z' },
  ])
  expect(hide(other)).toBe(other)
})

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
