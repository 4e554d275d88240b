import { describe, expect, it } from 'vitest'
import type { Change, PendingChange } from '../../../electron/engine/approvals/pin.ts'
import type { PinnedKind } from '../../../electron/engine/approvals/pinned-item.ts'
import { summarise, warningsOf, WORTH_A_WARNING } from '../../../electron/engine/approvals/summarise.ts'

const waits = (kind: PinnedKind, name: string, change: Change = 'new'): PendingChange => ({
  identity: 'i',
  serverId: 's',
  kind,
  name,
  change,
  hash: 'h',
  definition: '{}',
  at: 0,
  deniedAt: undefined,
  before: undefined,
})

describe('what waits, in one sentence', () => {
  it.each<[string, PendingChange[]]>([
    ['Server "s": nothing waits.', []],
    ['Server "s": 1 tool is new (a).', [waits('tool', 'a')]],
    [
      'Server "s": the server itself is new; its instructions are new; 2 tools are new (a, b); 1 prompt is gone (p).',
      [
        waits('server', ''),
        waits('instructions', ''),
        waits('tool', 'a'),
        waits('tool', 'b'),
        waits('prompt', 'p', 'removed'),
      ],
    ],
    [
      'Server "s": it is started in another way, or from another package; its instructions have changed; 1 tool is changed (a).',
      [waits('server', '', 'changed'), waits('instructions', '', 'changed'), waits('tool', 'a', 'changed')],
    ],
    [
      'Server "s": 7 tools are new (t0, t1, t2, t3, t4, … 2 more).',
      Array.from({ length: 7 }, (_, index) => waits('tool', `t${index}`)),
    ],
  ])('%s', (sentence, changes) => {
    expect(summarise('s', changes)).toBe(sentence)
  })

  it('a name can neither steer a terminal nor pretend to be part of the sentence', () => {
    const name = 'a); all of it is safe\u001b[2J\u202e (b'
    expect(summarise('s', [waits('tool', name)])).toBe(
      'Server "s": 1 tool is new ("a); all of it is safe?[2J? (b").',
    )
    expect(summarise('s', [waits('tool', 'x'.repeat(500))]).length).toBeLessThan(130)
  })
})

describe('warnings of what changed', () => {
  const found = (...scores: number[]) => scores.map((score) => ({ reason: `reason ${score}`, score }))

  it('come with the highest score first, from the least score on', () => {
    const changes = [waits('tool', 'a'), waits('instructions', '')]
    expect(warningsOf(changes, [found(0.49, WORTH_A_WARNING), found(0.97)])).toEqual([
      'instructions: reason 0.97 (97 %)',
      'tool a: reason 0.5 (50 %)',
    ])
  })

  it('are five at most, with the number of the others', () => {
    const warnings = warningsOf([waits('tool', 'a')], [found(0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)])
    expect(warnings.at(0)).toContain('(99 %)')
    expect(warnings.slice(4)).toEqual(['tool a: reason 0.7 (70 %)', 'and 2 more'])
  })

  it('cut a name of more than 80 characters', () => {
    const nameOf = (length: number): string => summarise('s', [waits('tool', 'x'.repeat(length))])
    expect(nameOf(80)).toContain(`(${'x'.repeat(80)})`)
    expect(nameOf(81)).toContain(`${'x'.repeat(79)}…`)
  })
})
