import { expect, test } from 'vitest'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { describeImport } from '../../../renderer/format/describe-import.ts'

const PRESENT = '{\n  "servers": { "one": { "command": "one" } }\n}\n'
const check = async (text: string) => {
  const { settings, problems } = parseSettings(text)
  return { valid: settings !== undefined, problems: [...problems] }
}

test('a whole file is shown as a difference to the present one', async () => {
  const plan = await describeImport(
    '// mine\n{ "servers": { "two": { "command": "two" } }, }',
    PRESENT,
    check,
  )
  expect(plan.isPossible).toBe(true)
  expect(plan.diff).toContain('-  "servers": { "one"')
  expect(plan.diff).toContain('+// mine')
})

test('a part takes the place of that part only, and says so', async () => {
  const plan = await describeImport('{ "compression": { "strategy": "off" } }', PRESENT, check)
  expect(plan).toMatchObject({ isPossible: true, diff: '' })
  expect(plan.words).toContain('compression')
})

test.each([
  ['[1]', 'no settings'],
  ['nonsense', 'no settings'],
  ['{}', 'nothing would change'],
])('%s is not taken', async (text, words) => {
  const plan = await describeImport(text, PRESENT, check)
  expect(plan.isPossible).toBe(false)
  expect(plan.words).toContain(words)
})
