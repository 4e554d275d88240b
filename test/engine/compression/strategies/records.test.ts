import { describe, expect, test } from 'vitest'
import { recordsStrategy } from '../../../../electron/engine/compression/strategies/records.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'
import { readOwnCases } from '../../../helpers/own-cases.ts'

const textOf = (name: string): string => readOwnCases().find(({ document }) => document === name)?.text ?? ''
const pods = textOf('kubectl-describe-pods.txt')
const nodes = textOf('kubectl-describe-nodes.txt')

const machine = (
  n: number,
  changes: Partial<Record<'fan' | 'state' | 'disk', string>> = {},
) => `Machine:  m-${n}
  Room:   ${n % 5}
  Fan:    ${changes.fan ?? 'on'}
  State:  ${changes.state ?? 'Running'}
  Disks:
    sd${String.fromCodePoint(97 + (n % 20))}:
      Size:  ${100 + n} GB
${changes.disk === undefined ? '' : `      Note:  ${changes.disk}\n`}`
const machines = Array.from({ length: 40 }, (_, n) =>
  machine(n, n === 17 ? { disk: 'sector 99 unreadable' } : n === 23 ? { fan: 'off' } : {}),
).join('\n')

describeStrategyContract(recordsStrategy, {
  texts: [nodes, machines],
  goals: ['kubelet of node-c', 'size of the disk of m-31'],
})

describe('records', () => {
  const compress = (text: string, goal: string | undefined, budget: number): string =>
    recordsStrategy.compress({ text, goal, budget })?.text ?? ''

  test('what differs from the other records is shown first, under what it belongs to', () => {
    const short = compress(machines, undefined, 120)
    expect(short).toMatch(/m-17\n(?:.*\n)*? {2}Disks:\n {4}sdr:\n(?:.*\n)*? {6}Note: {2}sector 99 unreadable/)
    expect(short).toMatch(/m-23\n(?:.*\n)*? {2}Fan: {4}off/)
  })

  test('the record that is asked for, and in it what is unusual', () => {
    expect(compress(machines, 'size of the disk of m-31', 60)).toMatch(/m-31\n(?:.*\n)*.*Size: {2}131 GB/)
    const why = compress(pods, 'why does payments crash', 350)
    expect(why).toContain('config: key stripe.webhook_secret is missing')
    expect(why).toContain('Back-off restarting failed container payments')
  })

  test('everything where it fits', () => {
    expect(
      recordsStrategy.compress({ text: machines, goal: undefined, budget: 20_000 })?.omitted,
    ).toBeUndefined()
  })

  test.each([
    'Note: one\n\nNote: two',
    'Question: who?\nSome prose follows and goes on.\nMore of it.\nAnd more still.\n\n'.repeat(5),
    'no key at all\n'.repeat(20),
  ])('other texts are left to others', (text) => {
    expect(recordsStrategy.compress({ text, goal: undefined, budget: 100 })).toBeUndefined()
  })
})
