import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { get } from './routes.ts'

export const LogLevel = z.enum(['error', 'warn', 'info', 'debug'])

export const LogLine = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  level: LogLevel,
  message: z.string(),
  server: z.string().optional(),
  session: z.string().optional(),
  /** Other fields of the line. */
  fields: z.record(z.string(), z.unknown()),
})
export type LogLine = z.infer<typeof LogLine>

export const LogFilter = z.object({
  /** Minimum. */
  level: LogLevel.default('debug'),
  server: z.string().optional(),
  session: z.string().optional(),
  /** Anywhere in the line, case-insensitive. */
  text: z.string().max(200).optional(),
})
export type LogFilter = z.infer<typeof LogFilter>

export const logsContract = {
  tail: get('/logs', 'The last lines, the oldest first')
    .input(LogFilter.extend({ lines: z.coerce.number().int().min(1).max(5000).default(500) }))
    .output(z.array(LogLine)),
  stream: get('/logs/stream', 'Each line as it is written, after the last few')
    .input(LogFilter.extend({ last: z.coerce.number().int().min(0).max(1000).default(100) }))
    .output(eventIterator(LogLine)),
}
