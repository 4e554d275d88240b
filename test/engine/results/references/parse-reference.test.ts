import { describe, expect, it } from 'vitest'
import {
  isReference,
  parseReference,
} from '../../../../electron/engine/results/references/parse-reference.ts'

describe('the address of a kept result', () => {
  it('names the whole, a part, a JSON pointer or lines', () => {
    expect(parseReference('sluice://r_c938b3')).toEqual({
      id: 'r_c938b3',
      parts: undefined,
      fragment: undefined,
    })
    expect(parseReference(' sluice://r_c938b3/2-4\n')).toMatchObject({ id: 'r_c938b3', parts: [2, 4] })
    expect(parseReference('sluice://r_c938b3#/items/0/a b').fragment).toEqual({ pointer: '/items/0/a b' })
    expect(parseReference('sluice://r_c938b3/1#lines=10-80')).toMatchObject({
      parts: [1, 1],
      fragment: { lines: [10, 80] },
    })
    expect(parseReference('sluice://r_c938b3#lines=7').fragment).toEqual({ lines: [7, 7] })
    expect(parseReference('sluice://r_c938b3#lines=7-').fragment).toEqual({ lines: [7, undefined] })
  })

  it('is only a text that has nothing else in it', () => {
    for (const text of [
      'see sluice://r_c938b3',
      'sluice://r_c938b3 is the page',
      '"sluice://r_c938b3"',
      'sluice://r_c938b3\nsluice://r_aaaaaa',
      'sluice:docs:file:///r_c938b3',
      'sluice://docs',
      'r_c938b3',
      `sluice://r_c938b3#/${'x'.repeat(2_000)}`,
    ])
      expect(isReference(text), text).toBe(false)
    expect(isReference('sluice://q_c938b3')).toBe(true)
    expect(parseReference('Sluice://r_c938b3').id).toBe('r_c938b3')
    expect(isReference('SLUICE://R_C938B3')).toBe(true)
    expect(() => parseReference('SLUICE://R_C938B3')).toThrow('names no kept result')
  })

  it.each([
    ['sluice://r_', 'names no kept result'],
    ['sluice://r_XYZXYZ', 'names no kept result'],
    ['sluice://r_c938b3/one', 'names no kept result'],
    ['sluice://r_c938b3#items', 'after "#"'],
    ['sluice://r_c938b3#lines=a', 'after "#"'],
    ['sluice://r_c938b3#lines=0-3', 'count from 1'],
    ['sluice://r_c938b3#lines=9-3', 'count from 1'],
  ])('is refused with advice where it is no good: %s', (text, why) => {
    expect(isReference(text)).toBe(true)
    expect(() => parseReference(text)).toThrow(new RegExp(why, 'i'))
  })
})
