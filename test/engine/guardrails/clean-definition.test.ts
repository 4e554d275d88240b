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

  it('passes as it came where it only holds what editors and web pages leave behind', () => {
    const tool = { name: 'a', description: '\ufeffA so\u00adft zero\u200bwidth \u001b[1mword\u001b[0m.\f' }
    expect(cleanDefinition(tool, 'strip')).toBe(tool)
  })

  it('CP fault: shows everything it says, at any depth, and says what was taken out', () => {
    const tool = {
      name: 'a',
      title: HIDDEN,
      description: 'Does it.',
      inputSchema: { properties: { [HIDDEN]: { description: HIDDEN, enum: [HIDDEN] } } },
      annotations: { title: HIDDEN },
    }
    expect(cleanDefinition(tool, 'strip')).toEqual({
      name: 'a',
      title: 'abc',
      description:
        'Does it.\n[Sluice took out what hides text here: 5 terminal sequences that erase, conceal or act, 5 characters that reverse the order of reading. "sluice review --approved" shows the user the original.]',
      inputSchema: { properties: { abc: { description: 'abc', enum: ['abc'] } } },
      annotations: { title: 'abc' },
    })
    expect(cleanDefinition(tool, 'visualise')).toMatchObject({
      title: 'a␛[2Jb⟨RLO⟩c',
      description: expect.stringMatching(/^Does it\.\n\[Sluice put marks such as ⟨RLO⟩ or ␛ /) as string,
    })
  })

  it('says so where there was no description, and in the instructions of an introduction', () => {
    const note = expect.stringMatching(/^\[Sluice took out what hides text here: /) as string
    expect(cleanDefinition({ name: 'a', title: HIDDEN }, 'strip')).toEqual({
      name: 'a',
      title: 'abc',
      description: note,
    })
    expect(cleanDefinition({ serverInfo: { name: HIDDEN } }, 'strip')).toEqual({
      serverInfo: { name: 'abc' },
      instructions: note,
    })
    expect(cleanDefinition({ instructions: HIDDEN }, 'strip')).toEqual({
      instructions: expect.stringMatching(/^abc\n\[Sluice took out /) as string,
    })
  })

  it('is called by what the server calls it', () => {
    const cleaned = (definition: { [key: string]: unknown }) => {
      const { description: _note, ...rest } = cleanDefinition({ ...definition, title: HIDDEN }, 'strip')
      return rest
    }
    expect(cleaned({ name: HIDDEN })).toEqual({ name: HIDDEN, title: 'abc' })
    expect(cleaned({ uri: HIDDEN, name: HIDDEN })).toEqual({ uri: HIDDEN, name: 'abc', title: 'abc' })
    expect(cleaned({ uriTemplate: HIDDEN, name: HIDDEN })).toEqual({
      uriTemplate: HIDDEN,
      name: 'abc',
      title: 'abc',
    })
    expect(cleanDefinition({ name: HIDDEN, title: 'plain' }, 'strip')).toEqual({
      name: HIDDEN,
      title: 'plain',
    })
  })
})
