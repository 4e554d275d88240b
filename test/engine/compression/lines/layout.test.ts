import { beforeAll, expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'
import { matchShared } from '../../../../electron/engine/compression/lines/share-of-kind.ts'
import { logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'
import { seededRandom } from '../../../train/seeded-random.ts'

beforeAll(async () => {
  await loadCompressor()
})

const random = seededRandom(11)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const WORDS = ['mutex', 'gasket', 'ferry', 'violin', 'harbour', 'copper', 'lantern', 'orchard', 'pulley']
const COUNTED = /^×([\d,]+) (in all )?(like )?(.*)$/

const indentOf = (line: string): number => line.search(/\S/)
const parentAt = (lines: readonly string[], at: number): string | undefined =>
  lines.slice(0, at).findLast((line) => line.trim() !== '' && indentOf(line) < indentOf(lines[at] ?? ''))

const shorten = (text: string, budget: number, goal?: string): string[] =>
  (logStrategy.compress({ text, budget, goal })?.text ?? '').split('\n')

/** Headings with details below them, in the layout of one of many programs. */
function report(blocks: number, depth: number): string {
  const isParted = random() < 0.5
  const details = ['held by', 'opens with', 'last seen near', 'carried on']
  const block = (n: number, level: number): string[] => {
    const blanks = '  '.repeat(level)
    const own = [`${blanks}${pick(WORDS)} ${pick(WORDS)} [${n}-${level}]`]
    for (let i = 0; i < 1 + Math.floor(random() * 4); i++)
      own.push(`${blanks}  ${pick(details)} ${pick(WORDS)} ${pick(WORDS)}`)
    if (random() < 0.6) own.push(`${blanks}  checked: yes`)
    if (level < depth && random() < 0.7) own.push(...block(n, level + 1))
    return own
  }
  return Array.from({ length: blocks }, (_, n) => block(n, 0).join('\n')).join(isParted ? '\n\n' : '\n')
}

it.each([
  [200, undefined],
  [500, undefined],
  [1000, undefined],
  [250, 'which copper is carried on a ferry'],
  [600, 'where is the violin'],
])('in %d tokens, goal %s, no line is below a heading that is another one’s', (budget, goal) => {
  for (let turn = 0; turn < 12; turn++) {
    const text = report(120, turn % 6)
    const source = text.split('\n')
    const shown = shorten(text, budget, goal)
    const bare = shown.map((line) => line.replace(COUNTED, '$4'))
    for (const [at, line] of shown.entries()) {
      if (line.includes('…') || COUNTED.exec(line)?.[2] !== undefined) continue
      const places = source.flatMap((each, place) => (each === bare[at] ? [place] : []))
      if (places.length === 0) continue
      const above = parentAt(bare, at)
      const isBelowItsOwn = places.some((place) => parentAt(source, place) === above)
      if (!isBelowItsOwn) expect(`${above} / ${line}`).toMatch(/^ *… \//)
    }
  }
})

it('a count of lines below several headings is one of all', () => {
  const text = report(150, 1)
  const source = text.split('\n')
  const counts = shorten(text, 900).flatMap((line) => {
    const [, , inAll, like, said = ''] = COUNTED.exec(line) ?? []
    return like === undefined && said !== '' ? [{ inAll, said }] : []
  })
  expect(counts.length).toBeGreaterThan(0)
  for (const { inAll, said } of counts) {
    const isSaid = matchShared(said)
    const heads = new Set(source.flatMap((line, at) => (isSaid(line) ? [parentAt(source, at)] : [])))
    expect(inAll !== undefined || heads.size < 2 || heads.has(undefined), said).toBe(true)
  }
})

it('a count of lines with gaps counts all lines that are so', () => {
  const named = (n: number): string =>
    `${pick(WORDS)}${pick(['', '-dev', '-doc data', ':amd64', ' common'])} (${n}.2)`
  for (let turn = 0; turn < 10; turn++) {
    const source = Array.from(
      { length: 300 },
      (_, n) => `${pick(['Unpacking', 'Setting up', 'Removing'])} ${named(n)} ...`,
    )
    const shown = shorten(source.join('\n'), 200)
    for (const line of shown) {
      const [, count = '', , like, said = ''] = COUNTED.exec(line) ?? []
      if (count === '' || like !== undefined || said.endsWith('…')) continue
      const isSaid = matchShared(said)
      const alone = shown.filter((each) => isSaid(each)).length
      expect([said, Number(count) + alone]).toEqual([said, source.filter(isSaid).length])
    }
  }
})

it('numbers that end below each other are one column, whatever their length', () => {
  const text = Array.from(
    { length: 200 },
    (_, n) => `${String((n * 37) % 1200).padStart(7)} ${pick(WORDS)}/${pick(WORDS)}_${n} ${pick(WORDS)}`,
  ).join('\n')
  for (const goal of [undefined, 'which violin'])
    expect(shorten(text, 400, goal).map((line) => line.trim())).not.toContain('…')
})

it('quoted lines without a number are beside those with one', () => {
  const text = Array.from({ length: 40 }, (_, n) =>
    [
      `${pick(WORDS)} is off, ${n}`,
      `${n + 90} | let ${pick(WORDS)} = ${n}`,
      `    |     ^^^ ${pick(WORDS)} ${n}`,
    ].join('\n'),
  ).join('\n')
  expect(shorten(text, 300, 'violin').map((line) => line.trim())).not.toContain('…')
})

it('a file before each of its places is no heading that they need', () => {
  const files = Array.from({ length: 30 }, (_, n) => `src/${pick(WORDS)}_${n}.ts`)
  const text = files
    .map((file) =>
      [file, ...[3, 14, 159].map((at) => `  ${file}:${at}: ${pick(WORDS)} is unused`)].join('\n'),
    )
    .join('\n')
  const shown = shorten(text, 300, 'gasket unused')
  expect(shown.length).toBeGreaterThan(5)
  expect(shown.map((line) => line.trim())).not.toContain('…')
})

it('paragraphs stay apart', () => {
  const text = Array.from({ length: 80 }, (_, n) =>
    [
      `>> ${pick(WORDS)} in the ${pick(WORDS)}, no ${n}`,
      `${n} = open(${pick(WORDS)})`,
      `${n} closes after ${pick(WORDS)}`,
    ].join('\n'),
  ).join('\n\n')
  const source = text.split('\n')
  const shown = shorten(text, 400, 'harbour in the copper')
  expect(shown.length).toBeGreaterThan(8)
  for (const [at, line] of shown.entries()) {
    const before = source.indexOf(shown[at - 1] ?? '-')
    const place = source.indexOf(line)
    if (line !== '' && shown[at - 1] !== '' && before >= 0 && place >= 0)
      expect(source.slice(before, place)).not.toContain('')
  }
})
