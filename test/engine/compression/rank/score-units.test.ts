import { expect, test } from 'vitest'
import { makeUnits } from '../../../../electron/engine/text/blocks/make-units.ts'
import { parseBlocks } from '../../../../electron/engine/text/blocks/parse-blocks.ts'
import { scoreUnits } from '../../../../electron/engine/compression/rank/score-units.ts'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'

const example = (said: string, n: number) => `${said}\n\n\`\`\`sh\nxyz get p${n}\nfine\n\`\`\`\n\n`

test('an example begins with what is said right before it, wherever several places fit', () => {
  const said = ['The disk is new.', ...Array.from({ length: 5 }, () => 'See that the mail answers.')]
  const document = makeUnits(parseBlocks(said.map(example).join('')))
  const values = scoreUnits(document, parseGoal('does the mail answer'))
  const valueOf = (text: string) => values[document.units.findIndex((unit) => unit.text === text)] ?? 0
  for (const n of [1, 2, 3, 4, 5]) expect(valueOf(`xyz get p${n}`)).toBeGreaterThan(valueOf('xyz get p0'))
})

test('what follows a colon is introduced by the sentence before it', () => {
  const text =
    'Such servers restart a crashed service:\n\n* Xanadu\n* Yonder\n\nOther things.\n\n* Zorro\n* Quince\n'
  const document = makeUnits(parseBlocks(text))
  const values = scoreUnits(document, parseGoal('which restart a crashed service'))
  const valueOf = (name: string) => values[document.units.findIndex((unit) => unit.text.includes(name))] ?? 0
  expect(valueOf('Xanadu')).toBeGreaterThan(2 * valueOf('Zorro'))
})

test('a table of contents counts for less than its sections', () => {
  const titles = ['Restart of the crane', 'Crane and light', 'The crane at night']
  const sections = titles.map((title) => `# ${title}\n\nThe crane is restarted by the master alone.\n`)
  const document = makeUnits(parseBlocks(`Contents\n\n${titles.join('\n')}\n\n${sections.join('\n')}`))
  const values = scoreUnits(document, parseGoal('restart the crane at night'))
  const listed = document.units.findIndex(
    ({ role, text }) => role === 'sentence' && text.includes('at night'),
  )
  const said = document.units.findLastIndex(({ text }) => text.includes('by the master'))
  expect(values[said]).toBeGreaterThan(values[listed] ?? 0)
})
