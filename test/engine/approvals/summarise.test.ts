import { describe, expect, it } from 'vitest'
import type { Change, PendingChange } from '../../../electron/engine/approvals/pin.ts'
import type { PinnedKind } from '../../../electron/engine/approvals/pinned-item.ts'
import { summarise } from '../../../electron/engine/approvals/summarise.ts'

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
