import { describe, expect, test } from 'vitest'
import { proseStrategy } from '../../../../electron/engine/compression/strategies/documents.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const towns = ['Arnfeld', 'Bruckau', 'Celling', 'Dornach', 'Eschtal', 'Furtwies', 'Grabenau', 'Hochstein']
const article = (town: string, i: number) =>
  `${town}

${town} is a market town on the river Lumm. It was first mentioned in the year ${1100 + i * 37}, when the abbey of Saint Odo bought two mills there. The town hall dates from the age of the great fires, and its tower can be seen from the whole valley.

In ${1800 + i * 11} the railway reached the town, and a cannery was opened by Ida Berger-${i}. Its sardines were sold as far as Lisbon. Today some ${1000 * (i + 2)} people live there. Most of them work in the glass factory or commute to the coast.`
const text = towns.map(article).join('\n\n---\n\n')

describeStrategyContract(proseStrategy, {
  texts: [text, text.replaceAll('\n\n', '\n'), text.replaceAll('\n', ' ')],
  goals: ['Who opened the cannery in Dornach?', 'how many people live in Furtwies'],
})

const compress = (goal: string | undefined, budget = 160) =>
  proseStrategy.compress({ text, goal, budget })?.text ?? ''

describe('prose', () => {
  test('keeps the sentence that answers the goal, under its title', () => {
    const short = compress('Who opened the cannery in Dornach?')
    expect(short).toContain('Ida Berger-3')
    expect(short.indexOf('Dornach')).toBeLessThan(short.indexOf('Ida Berger-3'))
  })

  test('finds a sentence that does not repeat its subject through the title above it', () => {
    expect(compress('when was Eschtal first mentioned')).toContain('1248')
  })

  test('keeps what is said next after the place that fits best', () => {
    const guide = `${text}\n\n---\n\nTroubleshooting\n\nThe kiln may stop with the error ENOSPC.\n\nThere are two reasons for that.\n\nMost often the ash pan is full and must be emptied into the grey bin.`
    const short = proseStrategy.compress({ text: guide, goal: 'error ENOSPC of the kiln', budget: 160 })
    expect(short?.text).toContain('the ash pan is full')
  })

  test('marks what is left out', () => {
    const output = proseStrategy.compress({ text, goal: 'cannery in Celling', budget: 120 })
    expect(output?.text).toContain('…')
    expect(output?.omitted).toMatch(/^\d+ of \d+ passages/)
  })

  test('a short notice in one line of a script without blanks is cut between its sentences', () => {
    const text =
      '图书馆通知如下，请各位读者注意。主楼从下个月一号起因装修闭馆两个月。所有图书的还书期限延长到三月十五日。已经预约的书可以在分馆的窗口领取。停车场在装修期间不能使用。请勿把书放在门外的台阶上面。分馆的开放时间是上午九点到下午五点。'
    const output = proseStrategy.compress({ text, goal: '还书期限是哪天', budget: 75 })
    expect(output?.text).toContain('还书期限延长到三月十五日。')
    expect(output?.text).not.toContain('闭馆')
  })

  test('without a goal, shows how every part begins', () => {
    const short = compress(undefined, 200)
    for (const town of towns) expect(short).toContain(town)
  })

  test.each([
    ['├─┬ ', '│ ├─┬ ', '│ │ └── '],
    ['+- ', '|  +- ', '|  |  \\- '],
    ['+-- ', '| +-- ', '| | `-- '],
  ])('a hit in a tree brings what it hangs on, up to the root: %s', (outer, middle, inner) => {
    const branch = (i: number) =>
      `${outer}root-${i}@1\n${middle}inside-${i}@2\n${inner}${i === 37 ? 'colour-name' : `leaf-${i}`}@3`
    const tree = `shop@1.0.0\n${Array.from({ length: 80 }, (_, i) => branch(i)).join('\n')}`
    const short = proseStrategy.compress({ text: tree, goal: 'who needs colour-name', budget: 80 })?.text
    expect(short).toContain(`${outer}root-37@1\n${middle}inside-37@2\n${inner}colour-name@3`)
  })
})
