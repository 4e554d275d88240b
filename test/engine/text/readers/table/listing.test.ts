import { expect, it } from 'vitest'
import { readListing } from '../../../../../electron/engine/text/readers/table/listing.ts'
import { fileListStrategy } from '../../../../../electron/engine/compression/strategies/file-list.ts'

const name = (i: number): string => `part-${i}.bin`
const forms: readonly (readonly [string, (size: number, i: number) => string])[] = [
  [
    'ls -l',
    (size, i) => `-rw-r--r-- 1 root staff ${String(size).padStart(9)} Mar ${(i % 20) + 1} 10:07 ${name(i)}`,
  ],
  [
    'tar -tv',
    (size, i) => `-rw-r--r-- root/root ${String(size).padStart(9)} 2026-03-11 10:07 src/${name(i)}`,
  ],
  ['find -ls', (size, i) => `  ${5000 + i}  8 -rw-r--r--  1 root root ${size} Apr 10  2022 /srv/${name(i)}`],
  ['find -printf', (size, i) => `${size} 2026-03-11 /srv/${name(i)}`],
  [
    'zipinfo',
    (size, i) =>
      `-rw-r--r--  3.0 unx ${String(size).padStart(8)} ${i % 3 ? 'tx' : 'bx'} defN 26-Nov-28 16:28 src/${name(i)}`,
  ],
  ['du', (size, i) => `${size}\t/srv/${name(i)}`],
]

it.each(forms)('%s: the largest file is found, asked for or not', (_, line) => {
  const sizes = Array.from({ length: 200 }, (__, i) => (i === 137 ? 98_765_432 : 1000 + ((i * 7919) % 5000)))
  const text = `${sizes.map(line).join('\n')}\n`
  for (const goal of ['largest file', undefined]) {
    const shown = fileListStrategy.compress({ text, goal, budget: 300 })?.text ?? ''
    expect(shown).toContain(name(137))
    expect(shown).toContain('98765432')
  }
})

it('folders of `ls -lR` are titles of their rows, and other text is no listing', () => {
  const text = `lib:\ntotal 8\n${[1, 2, 3, 4, 5, 6].map((i) => forms[0]![1](100 * i, i)).join('\n')}\n\nbin:\ntotal 4\n${forms[0]![1](7, 9)}\n`
  const reading = readListing(text)
  const all = reading?.document
  expect(all?.keyNames).toEqual(expect.arrayContaining(['lib', 'bin', 'size', 'modified', 'name']))
  expect(readListing('one\ntwo -rw-r--r-- 1\nthree\n')).toBeUndefined()
})

it('columns have their names, before and behind the mode', () => {
  const rows = [1, 2, 3, 4, 5, 6].map(
    (i) => `25157${i} 4 -rw-r--r-- 1 root staff ${i * 11} Nov 28 16:28 ./f${i}`,
  )
  const names = readListing(`${rows.join('\n')}\n`)?.document.keyNames
  expect(names?.filter((key) => /\w/.test(key))).toEqual(
    'inode blocks mode links owner group size modified name'.split(' '),
  )
})

it('takes linear time on long lines', () => {
  expect(readListing(`-rw-r--r-- ${'1 '.repeat(2_000_000)}\n`)).toBeUndefined()
})

it('a file server’s listing: sizes behind names are values, and folders have none', () => {
  const lines = Array.from({ length: 90 }, (_, i) =>
    i % 3 === 0
      ? `[DIR] ${`folder ${i}`.padEnd(30)}`
      : `[FILE] ${`part ${i}.bin`.padEnd(30)} ${i === 41 ? '7.25 MB' : `${(i * 37) % 900}.5 KB`}`,
  )
  const text = [...lines, '', 'Total: 60 files, 30 directories', 'Combined size: 31.2 MB'].join('\n')
  for (const goal of ['largest file', undefined]) {
    const shown = fileListStrategy.compress({ text, goal, budget: 250 })?.text ?? ''
    expect(shown).toMatch(/part 41\.bin +(?:\| )?7\.25 MB/)
    if (goal === undefined) expect(shown).toContain('Combined size: 31.2 MB')
  }
})

it('folders of which nothing is listed have no count, and count as named', () => {
  const text = Array.from({ length: 60 }, (_, i) => (i < 50 ? `[DIR] d${i}` : `[FILE] f${i}.txt`)).join('\n')
  const shown = fileListStrategy.compress({ text, goal: undefined, budget: 600 })
  expect(shown?.text).not.toMatch(/\/ 0$/m)
  expect(shown?.omitted).toContain('about 0 of 60')
})

it('sizes before paths are values, behind words that all lines begin with', () => {
  const lines = Array.from({ length: 60 }, (_, i) => `npm notice ${(i * 37) % 90}.5kB src/part${i}/index.ts`)
  lines[33] = 'npm notice 177.1kB src/core/schemas.ts'
  const text = ['npm notice Tarball Contents', ...lines].join('\n')
  for (const goal of ['Which is the biggest file?', undefined]) {
    const shown = fileListStrategy.compress({ text, goal, budget: 250 })?.text
    expect(shown).toContain('npm notice 177.1kB src/core/schemas.ts')
  }
})

it('a line that tells numbers of a listing is not its name', () => {
  const rows = Array.from(
    { length: 400 },
    (_, i) => `-rw-r--r--  2.0 unx ${(i * 37) % 900} bl defN 21-Dec-12 23:35 org/file${i}.class`,
  )
  const text = `Archive:  core.jar\nZip file size: 178956 bytes, number of entries: 400\n${rows.join('\n')}\n`
  const shown = fileListStrategy.compress({ text, goal: undefined, budget: 400 })
  expect(shown?.omitted).toContain('Of all: records 400 (')
})
