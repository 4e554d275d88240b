import type { LogLine } from '../../../shared/api/logs.ts'
import type { Answers } from './http/answers.ts'
import { follow } from './live-events.ts'
import type { LogBook } from './log-book.ts'

export const createLogsAnswers = (book: LogBook): Answers['logs'] => ({
  tail: (filter) => book.tail(filter),
  stream: ({ last, ...filter }, { signal }) =>
    follow<LogLine>({
      signal,
      first: () => (last === 0 ? [] : book.tail({ ...filter, lines: last })),
      subscribe: (listener) => book.onLine(filter, listener),
    }),
})
