import { describe, expect, test } from 'vitest'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import type { Reading } from '../../../../electron/engine/text/readers/reading.ts'
import { valuesOf } from '../../../../electron/engine/text/readers/reading-values.ts'
import {
  endOf,
  isLeaf,
  keyOf,
  NODE,
  sourceOf,
  valueOf,
} from '../../../../electron/engine/text/tree/json-document.ts'
import { RECORD_FORMS } from '../../../cases/forms/records-in-forms.ts'
import { kindSamples, recordsOf } from '../../../helpers/kind-samples.ts'
import { resolve } from 'node:path'

const leavesOf = ({ document }: Reading): number[] => {
  const leaves: number[] = []
  for (let node = document.root; node < document.count; node++) if (isLeaf(document, node)) leaves.push(node)
  return leaves
}

/** `key=value` of each leaf with a key of the records. */
const pairsOf = (reading: Reading, keys: ReadonlySet<string>): string[] =>
  leavesOf(reading).flatMap((leaf) => {
    const key = reading.document.keyNames[keyOf(reading.document, leaf)] ?? ''
    return keys.has(key) ? [`${key}=${valueOf(reading.document, leaf)}`] : []
  })

const FORMS = [
  'csv',
  'tsv',
  'pipes',
  'json lines',
  'yaml',
  'yaml documents',
  'toml',
  'xml elements',
  'xml attributes',
]
const DRAWN = ['markdown', 'aligned', 'psql', 'boxes', 'blocks of keys', 'expanded rows']

test.each([...FORMS, ...DRAWN])('%s gives the values of its records', (form) => {
  for (const seed of [1, 2, 3]) {
    const records = recordsOf(seed)
    const reading = readText(RECORD_FORMS[form]?.(records) ?? '')
    const wanted = records.flatMap((record) =>
      Object.entries(record).map(([key, value]) => `${key}=${value}`),
    )
    expect(reading && pairsOf(reading, new Set(Object.keys(records[0] ?? {})))).toEqual(wanted)
  }
})

describe('of every format', () => {
  const samples = kindSamples(resolve(import.meta.dirname, '../../../fixtures/compression/reports'))
  const readings = samples.flatMap(({ format, text }) => {
    const reading = readText(text)
    return reading === undefined ? [] : [{ format, text, reading }]
  })

  test('each value is at its place in the source, in document order', () => {
    for (const { format, reading } of readings) {
      const { document } = reading
      let before = 0
      for (const leaf of leavesOf(reading)) {
        const start = document.starts[leaf] ?? -1
        const stop = document.stops[leaf] ?? -1
        expect(start, format).toBeGreaterThanOrEqual(before)
        expect(stop, format).toBeGreaterThanOrEqual(start)
        before = start
        if (document.kinds[leaf] === NODE.text && document.values?.has(leaf) !== true)
          expect(valueOf(document, leaf)).toBe(sourceOf(document, leaf))
      }
      for (let node = document.root; node < document.count; node++)
        expect(endOf(document, node), format).toBeGreaterThan(node)
    }
  })

  test('what is printed of all leaves has every value, each word of which is in the source', () => {
    for (const { format, text, reading } of readings) {
      const leaves = leavesOf(reading)
      const printed = reading.print(leaves, (node) => valueOf(reading.document, node))
      const words = new Set(text.match(/[\p{L}\p{N}_]+/gu))
      for (const word of printed.match(/[\p{L}\p{N}_]+/gu) ?? [])
        expect(words.has(word) || text.includes(word) || /^column\d+$/.test(word), `${format}: ${word}`).toBe(
          true,
        )
      for (const leaf of leaves) {
        const value = sourceOf(reading.document, leaf).trim()
        if (!value.includes('\n')) expect(printed, format).toContain(value)
      }
    }
  })

  test('a cut text keeps what is before the cut', () => {
    for (const form of [...FORMS, 'csv', 'psql', 'markdown']) {
      const text = RECORD_FORMS[form]?.(recordsOf(2, 30)) ?? ''
      const whole = readText(text)
      const keys = new Set(['name', 'owner', 'size'])
      for (const share of [0.5, 0.71, 0.93]) {
        const cut = text.slice(0, Math.floor(text.length * share))
        const reading = readText(cut)
        const kept = reading === undefined ? [] : pairsOf(reading, keys)
        const sure = Math.floor(kept.length * 0.9)
        expect(kept.length, `${form} ${share}`).toBeGreaterThan(30)
        expect(kept.slice(0, sure)).toEqual(whole && pairsOf(whole, keys).slice(0, sure))
      }
    }
  })
})

test.each([
  ['one line', 'a: '.repeat(500_000)],
  ['one character a line', 'x\n'.repeat(200_000)],
  ['brackets', '['.repeat(300_000)],
  ['objects that fail', '{"a": [1,\n'.repeat(60_000) + 'x'],
  ['unclosed quotes', 'a: "x\nb: \'y\n'.repeat(50_000)],
  ['unclosed flow', 'a: {x\n'.repeat(100_000)],
  ['tags', '<a>'.repeat(100_000)],
  ['closing tags', `<a>${'</b>'.repeat(200_000)}`],
  ['dashes', `${'-'.repeat(500_000)}\n`.repeat(2)],
  ['bars', `${'|'.repeat(100_000)}\n`.repeat(5)],
  ['indentation', Array.from({ length: 1500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ['equals', 'a=b\n'.repeat(200_000)],
  ['delimiters', ','.repeat(300_000)],
  ['quoted cells', '"a,"\n'.repeat(100_000)],
  ['blanks', `${' '.repeat(1000)}\n`.repeat(500)],
])('hostile text of %s is read or refused in linear time', (_, text) => {
  const reading = readText(text)
  if (reading !== undefined) valuesOf(reading)
  expect(true).toBe(true)
})

test('settings, YAML and XML are values by their keys', () => {
  const value = (text: string): unknown => {
    const reading = readText(text)
    return reading && valuesOf(reading)
  }
  const wanted = { web: { port: 80, host: 'a.example' }, db: { port: 5432, host: 'b.example' } }
  expect(value('web:\n  port: 80\n  host: a.example\ndb:\n  port: 5432\n  host: "b.example"\n')).toEqual(
    wanted,
  )
  expect(value('[web]\nport = 80\nhost = "a.example"\n\n[db]\nport = 5432\nhost = "b.example"\n')).toEqual(
    wanted,
  )
  expect(value('# c\n[web]\nport=80\nhost=a.example\n; d\n[db]\nport=5432\nhost=b.example\n')).toEqual(wanted)
  expect(
    value(
      '<?xml version="1.0"?>\n<c><web><port>80</port><host>a</host></web><db port="5432"><!-- x --></db></c>',
    ),
  ).toEqual({ c: { web: { port: '80', host: 'a' }, db: { port: '5432' } } })
})

// The open record was rolled back and stayed the open one: the reader never ended.
test('metrics whose last line is cut are read', () => {
  const series = Array.from(
    { length: 12 },
    (_, at) => `# TYPE work_${at} gauge\nwork_${at}{host="a"} ${at}.5`,
  )
  const reading = readText(`${series.join('\n')}\n# TYPE work_12 gauge\nwork_1`)
  expect(reading?.format).toBe('metrics')
  const values = reading ? leavesOf(reading).map((leaf) => valueOf(reading.document, leaf)) : []
  expect(values).toEqual(expect.arrayContaining(['11.5', 'work_1']))
})

test('settings that are comments have their values, and what is said above them', () => {
  const names = ['port', 'host', 'prefetch', 'cache_size', 'log_level', 'user', 'timeout', 'retries', 'proxy']
  for (const [between, sign] of [
    [' = ', '#'],
    [': ', '# '],
    [' ', '#'],
  ]) {
    const text = names.map(
      (name, i) => `# About the ${name} of it, in words.\n${sign}${name}${between}${i}\n`,
    )
    const reading = readText(text.join('\n'))
    expect(reading && pairsOf(reading, new Set(names))).toEqual(names.map((name, i) => `${name}=${i}`))
    expect([...(reading?.comments?.values() ?? [])]).toContain('About the prefetch of it, in words.')
  }
})
