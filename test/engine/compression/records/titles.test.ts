import { describe, expect, test } from 'vitest'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'
import { recordsStrategy } from '../../../../electron/engine/compression/strategies/records.ts'

const TITLES = [
  'Paint the fence',
  'Order lamps',
  'Call the roofer',
  'Plant the hedge',
  'Sweep chimney',
  'Fix the gate',
  'Buy gravel',
  'Mow the lawn',
  'Oil the hinges',
  'Stack firewood',
]
const code = (i: number): string => `${((i + 3) * 7919).toString(16)}-${((i + 11) * 104_729).toString(16)}`

describe('a record that a code, a time or a number names comes with what says in words what it is', () => {
  test('the text of its only part', () => {
    const tasks = TITLES.map((title, i) => ({
      id: code(i),
      kind: 'card',
      fields: {
        About: { type: 'rich', spans: [{ style: 'plain', plain: title }] },
        Due: i === 6 ? null : { start: `2027-03-${10 + i}` },
        State: { label: ['open', 'done'][i % 2] },
      },
    }))
    const shown = jsonStrategy.compress({
      text: JSON.stringify({ cards: tasks }),
      goal: 'which card has no due date',
      budget: 120,
    })
    expect(shown?.text).toContain('Buy gravel')
  })

  test('the address of its request', () => {
    const deliveries = TITLES.map((_, i) => ({
      sentAt: `2027-01-04T08:${10 + i}:00Z`,
      took: 40 + ((i * 37) % 90),
      call: {
        verb: 'PUT',
        target: `https://hooks.example.net/${['stock', 'bills', 'mail'][i % 3]}/${'abcdefghij'[i]}`,
        size: 120 + i,
      },
      answer: { code: i === 4 ? 502 : 204, bytes: 0 },
    }))
    const shown = jsonStrategy.compress({
      text: JSON.stringify({ deliveries }),
      goal: 'which delivery failed',
      budget: 150,
    })
    expect(shown?.text).toContain('https://hooks.example.net/bills/e')
  })

  test('what tells them apart, not a name that all have', () => {
    const sensors = TITLES.map(
      (title, i) =>
        `sensor "probe" "inlet" {\n  checksum = "sha-${i}f${17 + i * 3}c${(i * 7919) % 97}"\n  node_address = "10.4.${i}.${17 + i * 3}"\n  marks = {\n    "Place" = "${title}"\n    "Floor" = "${i % 4}"\n  }\n\n  valve {\n    maker_name = "Klein"\n    stuck = ${i === 7}\n    bore = ${20 + i}\n  }\n}\n`,
    )
    const shown = recordsStrategy.compress({
      text: sensors.join('\n'),
      goal: 'which valve is stuck',
      budget: 85,
    })
    expect(shown?.text).toContain('Mow the lawn')
  })

  test('a host, not how far it is', () => {
    const rows = TITLES.map(
      (_, i) =>
        `${'*'.repeat(27)} ${i + 1}. row ${'*'.repeat(27)}\n  Read_Offset: ${481_222 + i * 9871}\n  Peer_Addr: 192.168.7.${20 + i}\n  Copy_Running: ${i === 3 ? 'No' : 'Yes'}\n  Lag: ${(i * 13) % 40}`,
    )
    const shown = recordsStrategy.compress({
      text: rows.join('\n'),
      goal: 'where is Copy_Running no',
      budget: 110,
    })
    expect(shown?.text).toContain('192.168.7.23')
  })
})

test('a record of a list in which messages repeat, so that none is a name, comes with its message', () => {
  const messages = ['Unused label', 'Label is too long', 'No label here']
  const findings = Array.from({ length: 300 }, (_, i) => ({
    message: messages[i % 3],
    file: `src/part-${i % 7}.ts`,
    marks: [{ span: { offset: (i * 7919) % 20_011, length: 1 + ((i * 31) % 400) } }],
  }))
  const shown = jsonStrategy.compress({ text: JSON.stringify({ findings }), goal: undefined, budget: 300 })
  const { findings: printed } = JSON.parse(shown?.text ?? '{}') as {
    findings: { message?: string; marks?: unknown }[]
  }
  expect(printed.length).toBeGreaterThan(2)
  for (const { message } of printed) expect(messages).toContain(message)
})
