import { beforeAll, expect, it } from 'vitest'
import { linesStrategy } from '../../../../electron/engine/compression/strategies/log.ts'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'
import { seededRandom } from '../../../train/seeded-random.ts'

type Compressor = Awaited<ReturnType<typeof loadCompressor>>
let compress: Compressor
beforeAll(async () => {
  compress = await loadCompressor()
})

const random = seededRandom(7)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const TOPICS = ['mutex', 'printer', 'gasket', 'ferry', 'violin', 'harbour', 'copper', 'lantern', 'orchard']

/** Lines of up to four levels, each with words of its own; no two are alike. */
function outline(lines: number): string {
  let depth = 0
  return Array.from({ length: lines }, (_, n) => {
    depth = n === 0 ? 0 : Math.max(0, Math.min(3, depth + pick([-2, -1, 0, 0, 1, 1])))
    const verb = ['site', 'rack', 'slot', 'uses'][depth]
    return `${' '.repeat(2 * depth)}${verb} ${pick(TOPICS)}-${n} ${pick(['spare', 'mixed', 'blue', 'round'])} no ${n}`
  }).join('\n')
}

const indentOf = (line: string): number => line.search(/\S/)
const parentAt = (lines: readonly string[], at: number): string | undefined =>
  lines.slice(0, at).findLast((line) => indentOf(line) < indentOf(lines[at] ?? ''))

it.each([200, 400, 900])('a line is printed below the lines that it is below, in %d tokens', (budget) => {
  for (let turn = 0; turn < 20; turn++) {
    const text = outline(300)
    const source = text.split('\n')
    const shown = compress({ text, goal: `which ${pick(TOPICS)} is ${pick(['spare', 'blue'])}`, budget })
      .text.split('\n')
      .slice(2)
      .map((line) => line.replace(/^×[\d,]+ (?:in all )?(?:like )?/, ''))
    expect(shown.length).toBeGreaterThan(4)
    for (const [at, line] of shown.entries()) {
      const place = source.indexOf(line)
      // The last one that fits is cut.
      if (place < 0) expect(line).toMatch(/…$/)
      else expect(parentAt(shown, at)).toBe(parentAt(source, place))
    }
  }
})

it('keeps how deep lines are, far to the right, too', () => {
  const steps = Array.from({ length: 160 }, (_, n) => {
    const depth = 4 + ((n * 7) % 12)
    return `${' '.repeat(6 * depth)}${TOPICS[n % 9]} step ${n} takes ${TOPICS[(n * 5) % 7]} (${n * 31} ms)`
  })
  const depths = new Map(steps.map((step) => [step.trim(), indentOf(step)]))
  const output = linesStrategy.compress({
    text: steps.join('\n'),
    goal: 'violin and ferry steps',
    budget: 600,
  })
  const printed = (output?.text ?? '').split('\n').filter((line) => depths.has(line.trim()))
  expect(printed.length).toBeGreaterThan(5)
  for (const line of printed) expect(indentOf(line)).toBe(depths.get(line.trim()))
})
