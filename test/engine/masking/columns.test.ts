import { describe, expect, it, test } from 'vitest'
import { findInTexts } from '../../../electron/engine/masking/find-in-texts.ts'
import { maskInValue, restoreInValue } from '../../../electron/engine/masking/mask-in-value.ts'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { countFromOne, Vault } from '../../../electron/engine/masking/vault.ts'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'
import { tablesOfPersons, TABLE_FORMS } from '../../helpers/tables-of-persons.ts'

const types = DEFAULT_PERSONAL_DATA_TYPES
const masked = (text: string): string => maskText(text, { types }).text

describe("a column's header labels the cells below it", () => {
  it.each(tablesOfPersons())('$form: $header', ({ values, text }) => {
    const hidden = masked(text)
    for (const value of values) expect(hidden).not.toContain(value)
    expect(hidden).toContain('Cleo')
    expect(hidden).toContain('103')
  })

  test('of values that are no texts, too, and they come back', async () => {
    const value = {
      table: [
        ['name', 'ssn'],
        ['Ann', '123456789'],
      ],
      columns: ['name', 'passport'],
      data: [['Ben', 'X1234567']],
    }
    const vault = new Vault(countFromOne())
    const hidden = await maskInValue(
      value,
      vault,
      { direction: 'from-model', types, customPatterns: {} },
      async (input) => findInTexts(input),
    )
    expect(JSON.stringify(hidden)).not.toMatch(/123456789|X1234567/)
    expect(restoreInValue(hidden, vault)).toEqual(value)
  })
})

test.each(Object.entries(TABLE_FORMS))('%s: other columns label nothing', (_, write) => {
  const text = write([
    ['sku', 'released', 'desktop', 'mobile', 'tokens', 'sin', 'born'],
    ['123456789', '2026-01-31', '1234', '998', '12345678', '0.51', 'yes'],
    ['536221234', '2026-02-01', '5678', '1204', '7654321', '0.98', 'no'],
    ['401558796', '2026-02-02', '91011', '77', '9999999', '0.12', 'no'],
  ])
  expect(masked(text)).toBe(text)
})

test('a row of another width than the names has no labels', () => {
  const text = JSON.stringify({ wanted: ['phone', 'fax'], points: [['5551234', '5559876', '1']] })
  expect(masked(text)).toBe(text)
})
