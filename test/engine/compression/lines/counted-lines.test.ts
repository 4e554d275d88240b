import { beforeAll, describe, expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'
import { logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'
import { readCases } from '../../../cases/read-cases.ts'
import { seededRandom } from '../../../train/seeded-random.ts'

let compress: Awaited<ReturnType<typeof loadCompressor>>
beforeAll(async () => {
  compress = await loadCompressor()
})

const random = seededRandom(11)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const fold = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Printed lines that claim more equal lines than the source has; `…` stands for anything. */
function falseCounts(text: string, shown: string): string[] {
  const source = text.split('\n').map(fold)
  return shown.split('\n').filter((line) => {
    const [, count, said = ''] = /^×([\d,]+) (?!(?:in all )?like )(?:in all )?(.*)$/.exec(line) ?? []
    if (count === undefined || said.startsWith('{')) return false
    const pattern = new RegExp(
      fold(said)
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('…', '.*'),
    )
    return source.filter((each) => pattern.test(each)).length < Number(count.replaceAll(',', ''))
  })
}

const GOALS = ['Kern', 'Delft', 'Lucca Alta', 'Porto', 'Zug']
const templates: readonly (() => string)[] = [
  () =>
    `${pick(['TGV', 'S1', 'EC']).padEnd(4)}${pick([7, 88, 1234])}  ${pick(GOALS).padEnd(14)}Gate ${pick([1, 2, 3])}`,
  () =>
    `- ${pick(['Ada', 'Ben', 'Cy'])}: ${pick(['ok', 'yes', 'later', 'see you at the mill', 'haha', 'thanks!'])}`,
  () =>
    `==71==    ${pick(['at', 'by'])} 0x${pick(['4A1F', '5B22C0'])}: ${pick(GOALS)}${pick(['::run(int)', '(x.c:11)', '(y.c:7)'])}`,
  () =>
    `| ${pick(['out', 'in'])}(${pick(['long', 'bool', 'unsigned int'])} n) at ${pick(GOALS)}.h:${pick([1, 20, 333])}`,
  () =>
    `${pick(['2024-05-01', '2024-05-02'])} ${pick(GOALS)}   assets:${pick(['bank', 'cash'])}  ${pick([10, 2.5, 300])} EUR`,
]

it('a count without "like" is of lines that say the text but for its gaps', () => {
  for (let turn = 0; turn < 60; turn++) {
    const used = templates.filter(() => random() < 0.6)
    const text = Array.from({ length: 120 }, () => pick(used.length === 0 ? templates : used)()).join('\n')
    for (const goal of [undefined, 'which go to Lucca Alta', 'ok'])
      expect(falseCounts(text, logStrategy.compress({ text, goal, budget: 400 })?.text ?? '')).toEqual([])
  }
})

const documents = Map.groupBy(readCases(), ({ family }) => family)
describe('the cases', () => {
  it.each(
    ['valgrind', 'debian-packages', 'shellcheck', 'iptables', 'x509'].filter((name) => documents.has(name)),
  )('of %s have no false count', (family) => {
    for (const document of new Set(documents.get(family)?.map((each) => each.document)))
      expect(falseCounts(document, compress({ text: document, budget: 500 }).text)).toEqual([])
  })
})

it('of lines that share few words, one is printed in place of what they share', () => {
  const of = ['brass', 'copper', 'tin', 'zinc', 'lead', 'steel']
  const things = ['kettle', 'bell', 'lamp', 'nail', 'spoon', 'wheel']
  const text = Array.from({ length: 140 }, () => `${pick(of)} ${pick([3, 7, 12])} ${pick(things)} sold`)
  const shown = compress({ text: text.join('\n'), budget: 60 }).text
  expect(shown).toMatch(/^×\d+ (?:in all )?like [a-z]+ \d+ [a-z]+ sold/m)
})
