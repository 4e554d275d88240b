import { expect, test } from 'vitest'
import { createMakeForms, formsMemory } from '../../../electron/engine/replay/make-forms.ts'
import type { Shortener } from '../../../electron/engine/replay/shortener.ts'

const TEXT = 'a line of the log\n'.repeat(1_000)

test('the same text is counted and shortened once for a goal, over sessions and apps', () => {
  const asked: (string | undefined)[] = []
  const shortener: Shortener = {
    name: 'test',
    shorten: ({ goal }) => {
      asked.push(goal)
      return { text: `for ${goal}`, tokens: 10 }
    },
  }
  let counted = 0
  const options = {
    treatmentOf: () => ({
      threshold: 100,
      budget: 50,
      strategy: undefined,
      hint: {},
      leastSaved: { tokens: 1, share: 0 },
    }),
    strategies: [shortener],
    tokensOf: (text: string) => (counted++, text.length / 4),
    kindOf: () => 'log',
    memory: formsMemory(),
  }
  const formOf = (app: 'codex' | 'claude-code', goal: string, text = TEXT): string | undefined => {
    const result = { tool: 'Bash', input: { command: 'log' }, isError: false, text, isOwn: false }
    return createMakeForms(app, options)(result, { goal, request: undefined }).forms?.[0]?.text
  }
  expect(formOf('claude-code', 'one')).toBe('for one')
  expect(formOf('codex', 'one')).toBe('for one')
  expect(formOf('claude-code', 'two')).toBe('for two')
  expect({ asked, counted }).toEqual({ asked: ['one', 'two'], counted: 1 })
  formOf('codex', 'one', `${TEXT}more`)
  expect({ asked: asked.length, counted }).toEqual({ asked: 3, counted: 2 })
})
