import { expect, it } from 'vitest'
import { createLogger } from '../../../electron/engine/ground/logger.ts'
import { keepRecentLines } from '../../../electron/engine/ground/recent-lines.ts'

const messagesOf = (text: string): string[] =>
  text.split('\n').map((line) => (JSON.parse(line) as { message: string }).message)

it('keeps the last lines, in number and in length', () => {
  const logger = createLogger({ level: 'info', now: () => 0 })
  const few = keepRecentLines(logger, { mostLines: 2 })
  const short = keepRecentLines(logger, { mostCharacters: 250 })
  expect(few.text()).toBe('')
  for (const name of ['one', 'two', 'three']) logger.info(name, { server: 's', words: 'w'.repeat(20) })
  logger.debug('not written')
  expect(messagesOf(few.text())).toEqual(['two', 'three'])
  expect(messagesOf(short.text())).toEqual(['two', 'three'])
  expect(JSON.parse(few.text().split('\n')[0] ?? '')).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    level: 'info',
    message: 'two',
    server: 's',
    words: 'w'.repeat(20),
  })
  // A line longer than the total limit is still the last one.
  logger.warn('w'.repeat(1000))
  expect(messagesOf(short.text())).toEqual(['w'.repeat(1000)])
})
