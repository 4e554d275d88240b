import { array, assert, constantFrom, property, string } from '../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { labelIndex } from '../../../electron/engine/masking/finders/label-index.ts'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'

const masked = (text: string): string => maskText(text, { types: DEFAULT_PERSONAL_DATA_TYPES }).text

/** Numbers that only their name tells, by language. */
const NUMBERS: readonly (readonly [label: string, value: string])[] = [
  ['Sozialversicherungsnummer', '65 170839 J 003'],
  ['Steuernummer', '93/815/08152'],
  ['Kontonummer', '1234567890'],
  ['Bankkontonummer', '1234567890'],
  ['Krankenversichertennummer', 'A123456780'],
  ['Personalausweisnummer', 'L01X00T47'],
  ['Führerscheinnummer', 'B072RRE2I55'],
  ['numéro de sécurité sociale', '1 85 05 78 006 084 36'],
  ['numéro de compte', '00012345678'],
  ['n° de permis de conduire', '12AB34567'],
  ['número de la seguridad social', '281234567840'],
  ['número de cuenta', '2100 0418 45 0200051332'],
  ['permiso de conducir', '12345678'],
  ['número de contribuinte', '123456789'],
  ['número da conta', '123456-7'],
  ['carteira de identidade', '12.345.678-9'],
  ['numero di conto corrente', '000000123456'],
  ['patente di guida', 'U1A123456B'],
  ['carta d’identità', 'CA00000AA'],
  ['numer dowodu osobistego', 'ABC123456'],
  ['numer konta', '61 1090 1014 0000 0712 1981 2874'],
  ['СНИЛС', '112-233-445 95'],
  ['ИНН', '500100732259'],
  ['номер паспорта', '4509 123456'],
  ['номер счёта', '40817810099910004312'],
  ['водительское удостоверение', '99 12 345678'],
  ['基礎年金番号', '1234-567890'],
  ['運転免許証番号', '123456789012'],
  ['口座番号', '1234567'],
  ['계좌번호', '110-123-456789'],
  ['bank account number', '12345678'],
  ['account number', '12345678'],
]

const camel = (label: string): string =>
  label.replaceAll(/[ ’](\p{L})/gu, (_, letter: string) => letter.toUpperCase())
/** Ways to write a label. */
const SPELLINGS: readonly ((label: string) => string)[] = [
  (label) => label,
  (label) => label.toUpperCase(),
  (label) => label.charAt(0).toUpperCase() + label.slice(1),
  (label) => label.replaceAll(/[ ’]/g, '_'),
  (label) => label.replaceAll(' ', '-'),
  (label) =>
    label
      .normalize('NFD')
      .replaceAll(/(?<=[a-z])\p{M}/giu, '')
      .normalize('NFC'),
  camel,
  (label) =>
    label
      .replace(/nummer$/, '-Nr.')
      .replace(/^num[eé]ro /, 'n° ')
      .replace(/^número /, 'nº '),
]
const CARRIERS: Readonly<Record<string, (label: string, value: string) => string>> = {
  prose: (label, value) => `${label}: ${value}\nand more.`,
  unmarked: (label, value) => `Her ${label} ${value}, as told.`,
  json: (label, value) => JSON.stringify({ id: 7, [label]: value, city: 'Ulm' }),
  csv: (label, value) => `name,${label}\nAnn,${value}`,
  markdown: (label, value) => `| name | ${label} |\n|---|---|\n| Ann | ${value} |`,
}

describe('a number of a person is told by its name in several languages', () => {
  test('however the name is spelled, and wherever it stands', () => {
    assert(
      property(
        constantFrom(...NUMBERS),
        constantFrom(...SPELLINGS),
        constantFrom(...Object.values(CARRIERS)),
        ([label, value], spell, write) => {
          const text = write(spell(label), value)
          expect(masked(text), text).not.toContain(value)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('other words with the same beginnings tell nothing', () => {
    for (const text of [
      'Steuern 12345678',
      'Die Kontonummern fehlen seit 12345 Tagen',
      'account balance 12345678',
      'no 12345678',
      'node 12345678',
      'sin 12345678',
      'nr 12345678',
      'Versicherung 12345678',
      'Konto 12345678 ist kein Name',
      'numéro de version 12345678',
      'número de pedido 12345678',
      'номер заказа 12345678',
      '注文番号 12345678',
      'Kontonummer vom 12.05.2026',
      'konto_id_map[12]',
      'account number 1234',
      'numer zamówienia 12345678',
      'passerelle 12345678',
      'numero di serie 12345678',
    ])
      // prettier-ignore
      expect(masked(text)).toBe(text)
  })
})

test('an index finds its phrases in any text, and nothing else', () => {
  const index = labelIndex([
    ['a', 'zebra fish|zét'],
    ['b', '*fish #|zebra fish'],
  ] as const)
  const words = ['zebra fish', 'ZEBRA_FISH', 'zebrafish', 'zet', 'Zét', 'goldfishnr.', 'fish number'] as const
  assert(
    property(
      array(constantFrom(...words, '日本', 'x', '\n', 'zeb')),
      string({ unit: 'binary', maxLength: 20 }),
      (parts, noise) => {
        const text = parts.join(' | ')
        const found = index
          .find(`${text} ; ${noise.replaceAll(/[zf]/gi, '')}`)
          .map(({ start, end }) => text.slice(start, end))
        const wanted = parts.filter((part) => (words as readonly string[]).includes(part))
        expect([...new Set(found)].toSorted()).toEqual(
          [...new Set(wanted.map((part) => (part === 'goldfishnr.' ? 'fishnr.' : part)))].toSorted(),
        )
      },
    ),
  )
  const long = `${'x '.repeat(40_000)}zebra fish${' y'.repeat(50_000)} zet`
  expect(index.find(long).map(({ start }) => start)).toEqual([80_000, 80_000, long.length - 3])
})
