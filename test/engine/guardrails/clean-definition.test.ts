import { describe, expect, it } from 'vitest'
import { cleanDefinition } from '../../../electron/engine/guardrails/clean-definition.ts'

const HIDDEN = 'a\u001b[2Jb\u202ec'

describe('a definition for a client', () => {
  it('is the very same object where nothing is hidden in it', () => {
    const tool = { name: 'a', description: 'Plain. العربية', inputSchema: { type: 'object' } }
    expect(cleanDefinition(tool, 'strip')).toBe(tool)
    const lawful = { name: 'a', description: 'می‌خواهم, 👨‍👩‍👧' }
    expect(cleanDefinition(lawful, 'strip')).toEqual(lawful)
    expect(cleanDefinition({ description: HIDDEN }, 'keep')).toEqual({ description: HIDDEN })
  })

  it('CP fault: shows everything it says, at any depth', () => {
    const tool = {
      name: 'a',
      title: HIDDEN,
      inputSchema: { properties: { [HIDDEN]: { description: HIDDEN, enum: [HIDDEN] } } },
      annotations: { title: HIDDEN },
    }
    expect(cleanDefinition(tool, 'strip')).toEqual({
      name: 'a',
      title: 'abc',
      inputSchema: { properties: { abc: { description: 'abc', enum: ['abc'] } } },
      annotations: { title: 'abc' },
    })
    expect(cleanDefinition(tool, 'visualise')['title']).toBe('a␛[2Jb⟨RLO⟩c')
  })

  it('is called by what the server calls it', () => {
    expect(cleanDefinition({ name: HIDDEN, title: HIDDEN }, 'strip')).toEqual({ name: HIDDEN, title: 'abc' })
    expect(cleanDefinition({ uri: HIDDEN, name: HIDDEN }, 'strip')).toEqual({ uri: HIDDEN, name: 'abc' })
    expect(cleanDefinition({ uriTemplate: HIDDEN, name: HIDDEN }, 'strip')).toEqual({
      uriTemplate: HIDDEN,
      name: 'abc',
    })
  })
})
