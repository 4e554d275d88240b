import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { showRecords } from '../../../../electron/engine/compression/records/show-records.ts'
import { detectKind } from '../../../../electron/engine/text/kinds/detect-kind.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import { sqlReader } from '../../../../electron/engine/text/readers/sql.ts'
import { valuesOf } from '../../../../electron/engine/text/readers/reading-values.ts'

interface Row {
  readonly id: number
  readonly name: string
  readonly note: string
}
const CREATE =
  'CREATE TABLE `part` (\n  id int NOT NULL,\n  name varchar(40),\n  note text,\n  PRIMARY KEY (id)\n);\n'
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const tuple = ({ id, name, note }: Row): string => `(${id},${quoted(name)},${quoted(note)})`
const forms: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  'one statement a row': (rows) =>
    CREATE + rows.map((row) => `INSERT INTO part VALUES${tuple(row)};\n`).join(''),
  'many rows a statement': (rows) =>
    `${CREATE}LOCK TABLES part WRITE;\nINSERT INTO \`part\` VALUES ${rows.map(tuple).join(',')};\nUNLOCK TABLES;\n`,
  'columns in the statement': (rows) =>
    rows.map((row) => `INSERT INTO public.part (id, "name", note) VALUES ${tuple(row)};\n`).join(''),
  'COPY of PostgreSQL': (rows) =>
    `SET client_encoding = 'UTF8';\n\nCOPY public.part (id, name, note) FROM stdin;\n${rows
      .map(({ id, name, note }) => `${id}\t${name}\t${note}\n`)
      .join('')}\\.\n`,
}
const words = fc.stringMatching(/^[a-z]{2,9}( [a-z'(),;]{1,8}){0,3}[a-z]$/)
const rows = fc
  .array(fc.record({ name: words, note: words }), { minLength: 12, maxLength: 80 })
  .map((list): Row[] => list.map((row, id) => ({ id, ...row })))

describe.each(Object.entries(forms))('a dump with %s', (_, write) => {
  test('has the rows of its tables, with the names of their columns', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const reading = readText(write(list))
        expect(JSON.stringify(reading && valuesOf(reading))).toContain(
          JSON.stringify(list.map(({ id, name, note }) => ({ id: `${id}`, name, note }))),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('is shortened to whole cells below the names of their columns', () => {
    const list = Array.from({ length: 200 }, (__, id) => ({
      id,
      name: `part ${(id * 7919) % 1009}`,
      note: id === 130 ? 'cracked, then welded' : 'in order',
    }))
    const text = write(list)
    expect(detectKind(text)).toBe('table')
    const shown = showRecords(readText(text)!, 'which part was welded', 120)?.text.split('\n') ?? []
    expect(shown).toContain('id | name | note')
    expect(shown).toContain(`130 | part ${(130 * 7919) % 1009} | cracked, then welded`)
  })
})

test('statements without rows, and several in one line, are no dump', () => {
  const queries = Array.from({ length: 30 }, (_, i) => `SELECT name FROM part WHERE id = ${i};\n`).join('')
  expect(sqlReader.read(queries)).toBeUndefined()
  const one = "INSERT INTO a VALUES(1,'x'); INSERT INTO b VALUES(2,'y'); INSERT INTO a VALUES(3,'z');\n"
  expect(sqlReader.read(one.repeat(20))).toBeUndefined()
})
