import {
  assert,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
  subarray,
} from '../../helpers/properties.ts'
import { expect, test } from 'vitest'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'
import { COLUMNS, TABLE_FORMS } from '../../helpers/tables-of-persons.ts'

const masked = (text: string): string => maskText(text, { types: DEFAULT_PERSONAL_DATA_TYPES }).text

const SENTENCES = [
  'Our people, as of today:',
  'These are the ones. They joined in spring.',
  'Result',
  'Here it is,',
]
/** What may stand around rows. */
const surround = oneof(
  constant((rows: string) => rows),
  record({
    sentence: constantFrom(...SENTENCES),
    end: constantFrom('', '\nThat is all of them.', '\n\nBye.'),
  }).map(
    ({ sentence, end }) =>
      (rows: string) =>
        `${sentence}\n${rows}${end}`,
  ),
  record({ fence: constantFrom('```', '~~~', '````'), kind: constantFrom('', 'csv', 'text') }).map(
    ({ fence, kind }) =>
      (rows: string) =>
        `Look:\n\n${fence}${kind}\n${rows}\n${fence}\nAnything else?`,
  ),
)
const OTHERS = ['id', 'name', 'city', 'team', 'joined'] as const
const TEXT_FORMS = [
  'csv',
  'csv with quotes',
  'tsv',
  'semicolons',
  'markdown',
  'aligned',
  'psql',
  'box',
] as const
const others = subarray([...OTHERS], { minLength: 1 })
const CELLS: Readonly<Record<(typeof OTHERS)[number], string>> = {
  id: '104',
  name: 'Cleo',
  city: 'Ulm',
  team: 'north',
  joined: 'spring',
}

test('a column of persons is hidden in any table, whatever stands around it and however many rows it has', () => {
  assert(
    property(
      constantFrom(...COLUMNS),
      constantFrom(...TEXT_FORMS),
      others,
      integer({ min: 1, max: 3 }),
      nat({ max: 4 }),
      surround,
      ([header, values], form, beside, count, place, around) => {
        const put = <Item>(list: readonly Item[], item: Item): Item[] => list.toSpliced(place, 0, item)
        const shown = values.slice(0, count)
        const rows = [
          put(beside, header),
          ...shown.map((value) =>
            put(
              beside.map((name) => CELLS[name]),
              value,
            ),
          ),
        ]
        const text = around(TABLE_FORMS[form]?.(rows) ?? '')
        const hidden = masked(text)
        for (const value of shown) expect(hidden, text).not.toContain(value)
        for (const name of beside) expect(hidden).toContain(CELLS[name])
      },
    ),
    { numRuns: 1500 },
  )
})

test('a sentence below that joins two columns and divides a third hides none of them', () => {
  const rows = [
    ['id', 'Mobile', 'joined'],
    ['104', '98765 43210', 'spring'],
    ['104', '98111 22333', 'spring'],
    ['104', '98000 12345', 'spring'],
  ]
  const text = `${TABLE_FORMS['aligned']?.(rows)}\nThat is all of them.`
  expect(masked(text)).not.toMatch(/98765|22333|12345/)
})

test('other columns label nothing there', () => {
  const columns = [
    ['sku', '123-45-6789'],
    ['firmware', '10.22.33.4'],
    ['Version', '12.3.44.5'],
    ['released', '2026-01-31'],
    ['mobile', '1234'],
    ['tokens', '12345678'],
    ['serial', '555-123-4567'],
  ] as const
  assert(
    property(
      constantFrom(...columns),
      constantFrom(...TEXT_FORMS),
      others,
      integer({ min: 1, max: 3 }),
      surround,
      ([header, value], form, beside, count, around) => {
        const row = [...beside.map((name) => CELLS[name]), value]
        const text = around(
          TABLE_FORMS[form]?.([[...beside, header], ...Array.from({ length: count }, () => row)]) ?? '',
        )
        expect(masked(text)).toBe(text)
      },
    ),
    { numRuns: 500 },
  )
})

test('lines of code and prose with commas are no tables', () => {
  for (const text of [
    'SELECT id, password\nFROM users, logins2x!',
    'Bring your passport, phone\nand the letter A1234567, 5551234567890123',
    'call(user, password)\ncall(other, hunter2!x)',
    '    name, token,\n    host, a1b2c3d4e5f60718293a4b5c',
  ])
    expect(masked(text)).toBe(text)
})
