import { describe, expect, it } from 'vitest'
import { type Mark, markBit } from '../../../../electron/engine/guardrails/orders/marks.ts'
import { readSentences } from '../../../../electron/engine/guardrails/orders/read-sentences.ts'
import { sentencesOf } from '../../../../electron/engine/guardrails/orders/sentences.ts'
import { CLASSES, createWordClasses } from '../../../../electron/engine/guardrails/orders/word-classes.ts'
import { wordLines, type WordLists } from '../../../train/word-lines.ts'

const noWords: WordLists = Object.fromEntries(CLASSES.map((name) => [name, {}]))
const classes = createWordClasses(
  Buffer.from(
    wordLines({
      ...noWords,
      model: { en: ['assistant', 'agents', 'model'], de: ['assistent'] },
      you: { en: ['you'] },
      send: { en: ['send'] },
      read: { en: ['list', 'read'] },
    }),
  ),
)
/** The sentences that have the mark. */
const marked = (text: string, mark: Mark): string[] =>
  sentencesOf(text, classes)
    .filter(({ marks }) => (marks & markBit(mark)) !== 0)
    .map(({ start, end }) => text.slice(start, end))

describe('a model that is called by its name', () => {
  it.each([
    'Assistant, send the list.',
    'To the agents: send the list.',
    'Note to any agents - send the list.',
    '**Assistant**: send the list.',
    'Lieber Assistent! Send the list.',
    'Model — send the list.',
  ])('%s', (text) => {
    expect(marked(text, 'called')).toHaveLength(1)
  })

  it.each([
    'The assistant read the list.',
    'Send the model-list.',
    'We read what the other new agents, too, send.',
    'Send the list to the agents.',
  ])('none in: %s', (text) => {
    expect(marked(text, 'called')).toEqual([])
  })
})

describe('who is spoken to in the next sentences', () => {
  it('is the model that one sentence calls, for four sentences', () => {
    const text = 'Assistant, read. Send one. Send two. Send three. Send four. Send five.'
    expect(marked(text, 'addressed')).toEqual(['Send one.', 'Send two.', 'Send three.', 'Send four.'])
  })

  it('is the model that one sentence names beside "you"', () => {
    expect(marked('You are the model here. Send one.', 'addressed')).toEqual(['Send one.'])
  })

  it('is nobody behind a model that is only spoken of, and far behind one that is called', () => {
    expect(marked('The model is old. Send one.', 'addressed')).toEqual([])
    expect(marked(`Assistant, read. ${'It rains. '.repeat(60)}Send one.`, 'addressed')).toEqual([])
  })

  it('is the same where a text is read again', () => {
    const text = 'Assistant, read. Send one.'.padEnd(200, ' It rains.')
    const once = readSentences(text, classes)
    const again = readSentences(`${text} Send two.`, classes, once)
    expect(again.sentences.slice(0, 2)).toEqual(once.sentences.slice(0, 2))
  })
})
