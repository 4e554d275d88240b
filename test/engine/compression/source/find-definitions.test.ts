import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findDefinitions } from '../../../../electron/engine/compression/source/find-definitions.ts'

const sample = (name: string) =>
  readFileSync(new URL(`../../../fixtures/compression/code/${name}.txt`, import.meta.url), 'utf8')

const samples: readonly (readonly [file: string, names: readonly string[]])[] = [
  [
    'inventory.ts',

    [
      'Article',
      'PriceList',
      'Inventory',
      'withdraw',
      'total',
      'onChange',
      'parsePriceList',
      'applyDiscount',
      'loadInventory',
    ],
  ],
  ['Panel.tsx', ['PanelProps', 'Panel', 'Badge', 'Dashboard']],
  [
    'geometry.py',

    ['Point', 'distance_to', 'Polygon', 'perimeter', 'render', 'is_convex', 'bounding_box'],
  ],
  ['queue.go', ['Job', 'Handler', 'Queue', 'New', 'Push', 'Drain', 'Map']],
  [
    'parser.rs',

    ['ParseError', 'Visitor', 'visit', 'Node', 'new', 'depth', 'parse_number', 'tests', 'numbers_are_read'],
  ],
  ['Ledger.java', ['Ledger', 'Side', 'Entry', 'book', 'balanceOf', 'Auditor', 'largest']],
  ['ring.cpp', ['store', 'Ring', 'push', 'full', 'Sample', 'average', 'compare_samples']],
  ['list.c', ['list_push', 'list_length', 'list_free', 'main']],
  ['Orders.cs', ['IOrderStore', 'FindAsync', 'Order', 'OrderService', 'Add', 'TotalFor']],
  ['mailer.rb', ['Acme', 'Mailer', 'initialize', 'deliver', 'from_env', 'quiet?', 'version']],
  ['Cart.php', ['Priced', 'Cart', '__construct', 'add', 'price', 'lookup_price']],
  ['deploy.sh', ['log', 'build_image', 'roll_out']],
  ['Session.kt', ['User', 'SessionState', 'Session', 'keepAlive', 'close']],
  ['timer.lua', ['Timer.new', 'Timer:update', 'clamp']],
  ['schema.sql', ['customers', 'orders', 'orders_by_customer', 'best_customers']],
]

describe('findDefinitions', () => {
  test.each(samples)('%s: the lines show the definitions', (file, names) => {
    const found = findDefinitions(sample(file)).map(({ name }) => name)
    // A property or a one-line arrow may hide from the lines; four of five must not.
    const seen = names.filter((name) => found.some((other) => other === name || other.endsWith(`.${name}`)))
    expect(seen.length / names.length, `found ${found.join(' ')}`).toBeGreaterThanOrEqual(0.8)
  })

  test('a brace that is never closed does not swallow what follows', () => {
    const functions = ['first', 'second', 'third'].map(
      (name) => `int ${name}(int n) {\n    for (;;) {\n        n++;\n    }\n    return n;\n}\n`,
    )
    const broken = functions.join('\n').replace('    }\n    return', '    return')
    expect(findDefinitions(broken).map(({ name, depth }) => `${name} ${depth}`)).toEqual([
      'first 0',
      'second 0',
      'third 0',
    ])
  })

  test.each(samples)('%s: parts are in order', (file) => {
    const text = sample(file)
    for (const { start, bodyStart, end } of findDefinitions(text)) {
      expect(start === 0 || text[start - 1] === '\n').toBe(true)
      expect(bodyStart).toBeGreaterThanOrEqual(start)
      expect(end).toBeGreaterThanOrEqual(bodyStart)
    }
  })

  test('a definition begins with its comment and its decorators', () => {
    const text = sample('Ledger.java')
    const book = findDefinitions(text).find(({ name }) => name === 'book')
    expect(text.slice(book?.start, book?.end).trim()).toMatch(
      /^\/\*\* Books one entry[^]*BigDecimal::add\);\n {4}\}$/,
    )
  })

  test('methods know their class', () => {
    const definitions = findDefinitions(sample('geometry.py'))
    const perimeter = definitions.find(({ name }) => name === 'perimeter')
    expect(definitions[perimeter?.parent ?? -1]?.name).toBe('Polygon')
  })

  test('source that no longer parses still shows its definitions', () => {
    const broken = `${sample('inventory.ts')}\n<<<<<<< HEAD\nexport function (((\n=======\n>>>>>>> other\n${sample('inventory.ts')}`
    expect(findDefinitions(broken).map(({ name }) => name)).toContain('applyDiscount')
  })
})
