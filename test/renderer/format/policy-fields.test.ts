import { expect, test } from 'vitest'
import { ServerSettings, ToolSettings } from '../../../shared/settings.ts'
import { policyFields, policyValue, readPolicy, withPolicy } from '../../../renderer/format/policy-fields.ts'

test.each(
  policyFields
    .filter(({ choices, isSet }) => choices && !isSet)
    .map((field) => [`${field.part}.${field.key}`, field] as const),
)('every choice of %s is one that the engine takes', (_name, field) => {
  for (const [value] of field.choices ?? []) {
    const policies = withPolicy({}, field, readPolicy(field, value))
    const read = field.isOfServer
      ? ServerSettings.safeParse({ command: 'x', ...policies })
      : ToolSettings.safeParse(policies)
    expect(read.success, value).toBe(true)
    expect(String(policyValue(policies, field))).toBe(value)
  }
})

test('numbers, words and sets are taken, too', () => {
  const fields = Object.fromEntries(policyFields.map((field) => [field.key, field]))
  const { tokenThreshold, threshold, types, customInstructions } = fields
  if (!tokenThreshold || !threshold || !types || !customInstructions) throw new Error('A field is gone.')
  expect(withPolicy({}, tokenThreshold, readPolicy(tokenThreshold, '500'))).toEqual({
    compression: { tokenThreshold: 500 },
  })
  expect(withPolicy({}, threshold, readPolicy(threshold, '0.7'))).toEqual({ guard: { threshold: 0.7 } })
  expect(withPolicy({}, customInstructions, readPolicy(customInstructions, '7 lines'))).toEqual({
    compression: { customInstructions: '7 lines' },
  })
  const policies = withPolicy(
    {},
    types,
    types.choices?.map(([value]) => value),
  )
  expect(ToolSettings.safeParse(policies).success).toBe(true)
})

test('an emptied field goes, and the part with its last one', () => {
  const field = policyFields.find(({ key }) => key === 'strategy')
  if (!field) throw new Error('There are no fields.')
  const policies = { compression: { strategy: 'off' as const, resources: false } }
  expect(withPolicy(policies, field, readPolicy(field, ''))).toEqual({ compression: { resources: false } })
  expect(withPolicy({ compression: { strategy: 'off' } }, field, undefined)).toEqual({
    compression: undefined,
  })
})
