import { expect, test } from 'vitest'
import { loadCompressor } from '../../../electron/engine/compression/load-compressor.ts'
import {
  ask,
  EVENT_QUESTIONS,
  eventTexts,
  RECORD_QUESTIONS,
  recordTexts,
  type Question,
} from '../../cases/forms/ask-in-forms.ts'

const compress = await loadCompressor()

/** What no reader reads yet; `npm run score:forms` tells what of it is lost. */
const UNREAD = new Set([
  'insert statements',
  'semicolons, decimal commas',
  'json, column by column',
  'event stream',
  'python list',
  'go struct',
  'javascript object',
  'elixir map',
  'hcl',
  'yaml in flow',
  'html list',
  'no header',
  'pods',
])

const lost = (text: string, questions: readonly Question[]) =>
  questions
    .filter(({ goal }) => goal !== '')
    .filter((question) => !ask(compress, text, question, 1000).kept)
    .map(({ goal }) => goal)

const read = (texts: readonly [string, string][]) => texts.filter(([form]) => !UNREAD.has(form))

test.each(read(recordTexts()))('records as %s keep what is asked for', (_form, text) => {
  expect(lost(text, RECORD_QUESTIONS)).toEqual([])
})

test.each(read(eventTexts()))('events as %s keep what is asked for', (_form, text) => {
  expect(lost(text, EVENT_QUESTIONS)).toEqual([])
})
