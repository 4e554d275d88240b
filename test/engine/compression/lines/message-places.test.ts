import { expect, it } from 'vitest'
import { logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'

const things = ['lantern', 'anchor', 'rudder', 'compass', 'hammock', 'galley', 'bilge', 'winch']
const text = things
  .flatMap((thing, i) => [
    `error[L${100 + i}]: cannot stow the ${thing}`,
    ` --> src/hold_${i % 3}.lad:${10 + i}:${i + 1}`,
    '  |',
    `${10 + i} | stow(${thing}, deck);`,
    '  | ^^^^ this is full',
    '',
  ])
  .join('\n')

it('an error is printed with its place, and a line below it with both', () => {
  for (const goal of ['list all errors with their files', 'stow(bilge', 'what can not be stowed?']) {
    const shown = logStrategy.compress({ text, goal, budget: 300 })?.text.split('\n') ?? []
    for (const [at, line] of shown.entries()) {
      const [, thing] = /cannot stow the (\w+)|stow\((\w+), deck/.exec(line)?.filter(Boolean) ?? []
      if (thing === undefined || at >= shown.length - 1) continue
      const i = things.indexOf(thing)
      expect(shown.join('\n')).toContain(`cannot stow the ${thing}`)
      if (line.startsWith('error')) expect(shown[at + 1]).toContain(`src/hold_${i % 3}.lad:${10 + i}`)
    }
  }
})
