import { expect, test } from 'vitest'
import { quotedRepeats, splitParagraph } from '../../../../electron/engine/text/blocks/quotes.ts'
import { makeUnits } from '../../../../electron/engine/text/blocks/make-units.ts'
import { parseBlocks } from '../../../../electron/engine/text/blocks/parse-blocks.ts'

const said =
  'The cooler of the second trailer stopped twice on the way to the harbour and had to be started by hand. ' +
  'We ask for a credit note over the whole load, as agreed in the contract of last year. ' +
  'Please send the curve of the probe with it, because our insurer asks for it. ' +
  'The claim has to be with the insurer before the end of the month.'

test('each sentence of a quoted line keeps the mark', () => {
  const pieces = splitParagraph(`I see.\n> On Monday Ann wrote:\n> ${said}\n>\n> > Older still.`)
  expect(pieces.length).toBeGreaterThan(4)
  for (const piece of pieces.slice(1)) for (const line of piece.split('\n')) expect(line).toMatch(/^> /)
  expect(pieces.at(-1)).toBe('> > Older still.')
})

test('a sentence that goes on over the line break has marks on both lines', () => {
  const wrapped = said.replace(/(.{50,60}) /g, '$1\n')
  const pieces = splitParagraph(wrapped.replace(/^/gm, '> '))
  expect(pieces.length).toBeGreaterThan(2)
  expect(
    pieces
      .join('\n')
      .split('\n')
      .every((line) => line.startsWith('> ')),
  ).toBe(true)
})

test('quotations of what is written elsewhere repeat it, others do not', () => {
  const texts = [said, '> On Monday Ann wrote:', `> ${said}`, '> Only quoted here.', '>> Only quoted here.']
  expect([...quotedRepeats(texts)].sort((a, b) => a - b)).toEqual([1, 2, 4])
})

test('a mail is below its sender alone, and a signature apart', () => {
  const mail = (from: string, words: string) =>
    `From: ${from} <${from}@example.org>\nTo: all@example.org\nDate: Mon, 7 Jul 2025 08:26:00 +0200\nSubject: Load\n\n${words}\n\nRegards\n${from}\n-- \nSome firm, some street 5`
  const { units } = makeUnits(
    parseBlocks(`${mail('ann', `Plan of the week\n\n${said}`)}\n\n${mail('bob', said)}`),
  )
  const last = units.findLast(({ text }) => text.startsWith('The claim'))
  expect(last?.needs.map((need) => units[need]?.text)).toEqual(['From: bob <bob@example.org>'])
  expect(units.findLast(({ text }) => text.includes('Some firm'))?.isMeta).toBe(true)
})
