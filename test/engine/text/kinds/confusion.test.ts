import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { detectKind } from '../../../../electron/engine/text/kinds/detect-kind.ts'
import { kindSamples } from '../../../helpers/kind-samples.ts'

const samples = kindSamples(resolve(import.meta.dirname, '../../../fixtures/compression/reports'))

test('a text of any of 100 formats is taken for what it is', () => {
  expect(new Set(samples.map(({ format }) => format)).size).toBeGreaterThan(100)
  const confused = samples.flatMap(({ format, kinds, text }) => {
    const kind = detectKind(text)
    return kinds.includes(kind) ? [] : [`${format}: ${kind}`]
  })
  expect(confused).toEqual([])
})

test('a column of any content changes no kind of a table', () => {
  const cells = ['2026-11-24T10:00:00Z', 'ERROR failed: it', 'a/b/c.ts', '# note', 'x = 1;', '<p>']
  for (const cell of cells) {
    const rows = Array.from({ length: 9 }, (_, i) => `${i},name ${i},"${cell}",${i * 3}`)
    expect(detectKind(['id,name,extra,count', ...rows].join('\n'))).toBe('table')
  }
})

test('comments before data change no kind', () => {
  for (const text of [
    'name: a\nsize: 2\nlist:\n  - x\n  - y\n',
    '[a]\nb = 1\nc = d e\n',
    'A=1\nB=two\nC=3\n',
  ])
    expect(detectKind(`# About\n# this file.\n\n${text}`)).toBe('data')
})

test('addresses are no keys, and a name in angle brackets that nothing closes is no element', () => {
  const code = Array.from(
    { length: 12 },
    (_, i) => `    1${i}d${i}:\tmov    %rdx,%r${i}\n    1${i}e${i}:\tret`,
  )
  expect(detectKind(`00000000000010d0 <_start>:\n${code.join('\n')}\n`)).not.toBe('data')
  const complaints = Array.from({ length: 9 }, (_, i) => `<stdin>:${i}:7: Warnung: Wert »k${i}« [-Wunused]`)
  expect(detectKind(`<stdin>: In Funktion »summe«:\n${complaints.join('\n')}\n`)).not.toBe('data')
})

test('a column of marks without a name leaves a table a table', () => {
  const rows = Array.from(
    { length: 9 },
    (_, i) =>
      `${i % 3 === 0 ? '✓' : '✗'} Protect${'ABCDEFGHI'[i]}=             Service may use call ${i}        0.${i}`,
  )
  expect(
    detectKind(['  NAME                  DESCRIPTION                   EXPOSURE', ...rows].join('\n')),
  ).toBe('table')
})
