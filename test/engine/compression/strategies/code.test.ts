import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { codeStrategy } from '../../../../electron/engine/compression/strategies/code.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const folder = new URL('../../../fixtures/compression/code/', import.meta.url)
const samples = new Map(
  readdirSync(folder).map((file) => [file.replace('.txt', ''), readFileSync(new URL(file, folder), 'utf8')]),
)
const sample = (name: string) => samples.get(name) ?? ''
const long = (name: string) =>
  Array.from({ length: 4 }, (_, i) => sample(name).replaceAll('total', `total${i}`)).join('\n')

describeStrategyContract(codeStrategy, {
  texts: ['inventory.ts', 'geometry.py', 'queue.go', 'parser.rs', 'Ledger.java', 'list.c', 'timer.lua'].map(
    long,
  ),
  goals: ['How is the average computed?', 'which function frees the list'],
})

const compress = (text: string, budget: number, goal?: string) => {
  const output = codeStrategy.compress({ text, goal, budget })
  if (!output) throw new Error('nothing came out')
  return output
}

describe('source code without a goal', () => {
  test('no heading where nothing is defined, and no word of no lines where long ones are cut', () => {
    const { text, omitted } = compress(`${'{"a":'.repeat(900)}"end"${'}'.repeat(900)}`, 200)
    expect(text).not.toContain('Definitions')
    expect(omitted).toBe('parts of long lines')
  })

  test('signatures come first where they fit', () => {
    const { text, omitted } = compress(sample('queue.go'), 260)
    expect(text).toContain('func (q *Queue) Push(job Job) error\n')
    expect(text).toContain('func Map[T, U any](items []T, convert func(T) U) []U')
    expect(omitted).toMatch(/^\d+ of 70 lines$/)
  })

  test('names where signatures do not', () => {
    const names = compress(sample('inventory.ts'), 100).text
    expect(names).toMatch(/^Definitions: /)
    for (const name of ['Article', 'Inventory', 'withdraw', 'applyDiscount', 'loadInventory'])
      expect(names).toContain(name)
  })

  test('members stand in braces after their class', () => {
    expect(compress(sample('geometry.py'), 90).text).toMatch(/Polygon \{ __init__ perimeter render/)
  })
})

describe('source code with a goal', () => {
  test.each([
    ['inventory.ts', 'How are goods taken out of stock?', 'quantity: item.quantity - amount'],
    ['geometry.py', 'How is the perimeter of a polygon computed?', 'total += a.distance_to(b)'],
    ['queue.go', 'What happens when a job is pushed to a closed queue?', 'return ErrClosed'],
    ['parser.rs', 'Show how a number is parsed', 'BadNumber(text.to_string())'],
    ['Ledger.java', 'How is an entry booked?', 'balances.merge(entry.account(), change, BigDecimal::add)'],
    ['ring.cpp', 'average of the samples', 'return sum / samples.size();'],
    ['list.c', 'Where does the list free its memory?', 'free(head->text);'],
    ['Orders.cs', 'Why are negative totals rejected?', 'negative total'],
    ['mailer.rb', 'How is a mail delivered?', 'smtp.send_message'],
    ['Cart.php', 'lookup of a price', 'fetch_price($sku)'],
    ['deploy.sh', 'Where are hosts restarted?', 'systemctl restart app'],
    ['Session.kt', 'keep the session alive', 'delay(interval)'],
  ])('%s: %s', (file, goal, wanted) => {
    expect(compress(sample(file), 220, goal).text).toContain(wanted)
  })

  test('a body comes whole, with its comment, and gaps are marked', () => {
    const { text } = compress(sample('Ledger.java'), 250, 'Where are entries booked and balances merged?')
    expect(text).toContain('/** Books one entry and returns the new balance. */')
    expect(text).toContain('\n…\n')
    expect(text).toMatch(/public BigDecimal book\(Entry entry\)[^]*BigDecimal::add\);\n {4}\}/)
  })

  test('asked for a name, it lists names before bodies', () => {
    const source = Array.from(
      { length: 120 },
      (_, i) => `def helper_${i}(value):\n    return value * ${i} + 1\n\n`,
    ).join('')
    const { text } = compress(
      `${source}def sum_of_squares(values):\n    return sum(v * v for v in values)\n`,
      400,
      'Which function adds up squares?',
    )
    expect(text).toContain('sum_of_squares')
    expect(text.split('\n')[0]?.split(' ').length).toBeGreaterThan(60)
  })

  test('a name with the goal inside of it is found', () => {
    const source = Array.from(
      { length: 60 },
      (_, i) => `function iscuber${i === 40 ? '' : 'x'.repeat(0)}helper${i}(a) {\n  return a + ${i}\n}\n`,
    ).join('')
    expect(
      compress(
        `${source}function ispalindromic(t) {\n  return t === reverse(t)\n}\n`,
        200,
        'test for a palindrome',
      ).text,
    ).toContain('reverse(t)')
  })
})

describe('what breaks outlines', () => {
  test('one function of thousands of lines gives its fitting part', () => {
    const body = Array.from({ length: 2000 }, (_, i) =>
      i === 1500 ? '  if (retries > limit) throw new Error("gave up")' : `  step${i}(value${i})`,
    )
    const source = `function main() {\n${body.join('\n')}\n}\n`
    expect(compress(source, 300, 'when does it give up after retries?').text).toContain('gave up')
  })

  test('a file without definitions gives the fitting lines', () => {
    const source = Array.from(
      { length: 300 },
      (_, i) => `set_option("key_${i}", ${i});${i % 7 === 0 ? '\n' : ''}`,
    ).join('\n')
    expect(compress(`${source}\nset_timeout("database", 30);`, 200, 'database timeout').text).toContain(
      'set_timeout("database", 30);',
    )
  })
})

describe('source of long lines', () => {
  const minified = `${Array.from({ length: 400 }, (_, i) => `setOption(keyNumber${i},valueNumber${i})`).join(',')};`
  const { text } = compress(`${minified}\n`, 300, 'setOption keyNumber250')

  test('a line is cut between words, and both ends of a part are marked', () => {
    const parts = text.split('\n').filter((line) => line.includes('keyNumber'))
    expect(parts.join('')).toContain('keyNumber250')
    for (const part of parts) {
      const [, before, inner, after] = /^(… |)(.*?)( …|)$/u.exec(part) ?? []
      const at = minified.indexOf(inner ?? '')
      expect(at).not.toBe(-1)
      expect(before).toBe(at > 0 ? '… ' : '')
      expect(after).toBe(minified.endsWith(inner ?? '') ? '' : ' …')
      expect(`${minified[at - 1] ?? ' '} ${inner?.[0]}`).not.toMatch(/\w \w/)
    }
  })
})

describe('what a goal asks for in source code', () => {
  test('of a comment longer than the budget above a long function the part that fits comes out', () => {
    const notes = Array.from({ length: 80 }, (_, i) => `// note ${i} on what callers may pass here`)
    notes[50] = '// The mailbox is swept each morning.'
    const body = Array.from({ length: 60 }, (_, i) => `  store(${i}, parcels[${i}])`).join('\n')
    const source = `${notes.join('\n')}\nfunction tidy() {\n${body}\n}\n`
    expect(compress(source, 300, 'when is the mailbox swept').text).toContain('swept each morning')
  })
})

test('a dense function is cut into pieces that a small budget has room for', () => {
  const functions = Array.from({ length: 40 }, (_, f) => {
    const fields = Array.from({ length: 30 }, (_, k) => `'key_${f}_${k}': ${(f * 37 + k * 91) % 1000}`)
    return `def handler_${f}(event):\n    payload = {${fields.join(', ')}}\n    return payload\n`
  })
  const { text } = compress(`import json\n\n${functions.join('\n')}`, 400, 'key_22_17')
  expect(text).toContain(`'key_22_17': ${(22 * 37 + 17 * 91) % 1000}`)
})
