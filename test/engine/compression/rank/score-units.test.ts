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
