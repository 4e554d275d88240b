import { expect, test } from 'vitest'
import { withPlace, variableFor } from '../../../../electron/engine/ground/secrets/moved-values.ts'

test('a variable is named after the place of its value, in letters that every system takes', () => {
  expect(variableFor('header', 'X-Api.Key')).toBe('SLUICE_HEADER_X_API_KEY')
  expect(variableFor('cwd', '')).toBe('SLUICE_CWD')
})

test('arguments are counted from one in words', () => {
  expect(['KEY', variableFor('arg', '0'), variableFor('cwd', '')].map(withPlace)).toEqual([
    'KEY',
    'SLUICE_ARG_0 (argument 1)',
    'SLUICE_CWD',
  ])
})
