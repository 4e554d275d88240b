/**
 * `npm run score:forms`: the same records in every format and the same events under every line layout, with the same
 * questions. What is kept must not hang on the form: one that differs from the others shows a missing reader.
 */
import { parseArgs } from 'node:util'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import {
  ask,
  EVENT_QUESTIONS,
  eventTexts,
  RECORD_QUESTIONS,
  recordTexts,
  type Question,
} from '../cases/forms/ask-in-forms.ts'

const { values: options } = parseArgs({
  options: {
    budget: { type: 'string', default: '1000' },
    /** Prints the outputs that lost an answer, of this form alone. */
    show: { type: 'string' },
  },
})

const compress = await loadCompressor()
print('records', recordTexts(), RECORD_QUESTIONS)
print('events', eventTexts(), EVENT_QUESTIONS)

function print(what: string, texts: readonly [string, string][], questions: readonly Question[]): void {
  console.log(
    `\n| ${what} | ${questions.map(({ goal, answer }) => goal || `no goal: ${answer}`).join(', ')} | strategies |`,
  )
  console.log('|---|---|---|')
  for (const [form, text] of texts) {
    const asked = questions.map((question) => ask(compress, text, question, Number(options.budget)))
    const strategies = new Set(asked.map(({ strategy }) => strategy))
    console.log(
      `| ${form} | ${asked.map(({ kept }) => (kept ? '+' : '·')).join('')} | ${[...strategies].join(', ')} |`,
    )
    if (form !== options.show) continue
    for (const [at, { kept, output }] of asked.entries())
      if (!kept) console.log(`--- ${questions[at]?.goal || 'no goal'}\n${output}\n`)
  }
}
