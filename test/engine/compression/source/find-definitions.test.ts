import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { detectLanguage } from '../../../../electron/engine/compression/source/detect-language.ts'
import { findDefinitions } from '../../../../electron/engine/compression/source/find-definitions.ts'
import { grammarOf, prepareStrategies } from '../../../../electron/engine/compression/source/grammars.ts'
import { languages, type LanguageId } from '../../../../electron/engine/compression/source/languages.ts'
import { outlineByLines } from '../../../../electron/engine/compression/source/outline-by-lines.ts'

const sample = (name: string) =>
  readFileSync(new URL(`../../../fixtures/compression/code/${name}.txt`, import.meta.url), 'utf8')

const samples: readonly (readonly [file: string, language: string, names: readonly string[]])[] = [
  [
    'inventory.ts',
    'typescript',
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
  ['Panel.tsx', 'tsx', ['PanelProps', 'Panel', 'Badge', 'Dashboard']],
  [
    'geometry.py',
    'python',
    ['Point', 'distance_to', 'Polygon', 'perimeter', 'render', 'is_convex', 'bounding_box'],
  ],
  ['queue.go', 'go', ['Job', 'Handler', 'Queue', 'New', 'Push', 'Drain', 'Map']],
  [
    'parser.rs',
    'rust',
    ['ParseError', 'Visitor', 'visit', 'Node', 'new', 'depth', 'parse_number', 'tests', 'numbers_are_read'],
  ],
  ['Ledger.java', 'java', ['Ledger', 'Side', 'Entry', 'book', 'balanceOf', 'Auditor', 'largest']],
  ['ring.cpp', 'cpp', ['store', 'Ring', 'push', 'full', 'Sample', 'average', 'compare_samples']],
  ['list.c', 'cpp', ['list_push', 'list_length', 'list_free', 'main']],
  ['Orders.cs', 'csharp', ['IOrderStore', 'FindAsync', 'Order', 'OrderService', 'Add', 'TotalFor']],
  ['mailer.rb', 'ruby', ['Acme', 'Mailer', 'initialize', 'deliver', 'from_env', 'quiet?', 'version']],
  ['Cart.php', 'php', ['Priced', 'Cart', '__construct', 'add', 'price', 'lookup_price']],
  ['deploy.sh', 'bash', ['log', 'build_image', 'roll_out']],
  ['Session.kt', 'kotlin', ['User', 'SessionState', 'Session', 'keepAlive', 'close']],
  ['timer.lua', 'lua', ['Timer.new', 'Timer:update', 'clamp']],
  ['schema.sql', 'sql', ['customers', 'orders', 'orders_by_customer', 'best_customers']],
]

describe('without a grammar', () => {
  test.each(samples)('%s: the lines show the definitions', (file, _, names) => {
    const found = outlineByLines(sample(file)).definitions.map(({ name }) => name)
    // A property or a one-line arrow may hide from the lines; four of five must not.
    const seen = names.filter((name) => found.some((other) => other === name || other.endsWith(`.${name}`)))
    expect(seen.length / names.length, `found ${found.join(' ')}`).toBeGreaterThanOrEqual(0.8)
  })

  test('a brace that is never closed does not swallow what follows', () => {
    const functions = ['first', 'second', 'third'].map(
      (name) => `int ${name}(int n) {\n    for (;;) {\n        n++;\n    }\n    return n;\n}\n`,
    )
    const broken = functions.join('\n').replace('    }\n    return', '    return')
    const { definitions, isPlain } = outlineByLines(broken)
    expect(definitions.map(({ name, depth }) => `${name} ${depth}`)).toEqual([
      'first 0',
      'second 0',
      'third 0',
    ])
    expect(isPlain).toBe(true)
  })
})

describe('with grammars', () => {
  beforeAll(prepareStrategies)

  test.each(Object.keys(languages))('the grammar and query of %s load', (id) => {
    expect(grammarOf(id as LanguageId)).toBeDefined()
  })

  test.each(samples)('%s is %s', (file, language) => {
    expect(detectLanguage(sample(file))).toBe(language)
  })

  test.each(samples)('%s: every definition is found, with its body', (file, language, names) => {
    const text = sample(file)
    const { definitions } = findDefinitions(text)
    const found = definitions.map(({ name }) => name)
    const isExact = language in languages
    const missed = names.filter((name) => !found.includes(name))
    expect(isExact ? missed : missed.slice(1)).toEqual([])
    for (const { start, bodyStart, end } of definitions) {
      expect(start === 0 || text[start - 1] === '\n').toBe(true)
      expect(bodyStart).toBeGreaterThanOrEqual(start)
      expect(end).toBeGreaterThanOrEqual(bodyStart)
    }
  })

  test('a definition begins with its comment and its decorators', () => {
    const text = sample('Ledger.java')
    const book = findDefinitions(text).definitions.find(({ name }) => name === 'book')
    expect(text.slice(book?.start, book?.end).trim()).toMatch(
      /^\/\*\* Books one entry[^]*BigDecimal::add\);\n {4}\}$/,
    )
  })

  test('methods know their class', () => {
    const { definitions } = findDefinitions(sample('geometry.py'))
    const perimeter = definitions.find(({ name }) => name === 'perimeter')
    expect(definitions[perimeter?.parent ?? -1]?.name).toBe('Polygon')
  })

  test('source that no longer parses still shows its definitions', () => {
    const broken = `${sample('inventory.ts')}\n<<<<<<< HEAD\nexport function (((\n=======\n>>>>>>> other\n${sample('inventory.ts')}`
    expect(findDefinitions(broken).definitions.map(({ name }) => name)).toContain('applyDiscount')
  })

  test('prose has no language', () => {
    expect(detectLanguage('The quick brown fox jumps over the lazy dog. '.repeat(50))).toBeUndefined()
  })
})
