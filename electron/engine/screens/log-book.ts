import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { LogLevel, type LogFilter, type LogLine } from '../../../shared/api/logs.ts'
import type { RootLogger, WrittenLine } from '../ground/logger.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { RecentLines } from '../ground/recent-lines.ts'

/** The log file, or else this process's last lines. */
export interface LogBook {
  tail(filter: LogFilter & { readonly lines: number }): Promise<LogLine[]>
  onLine(filter: LogFilter, listener: (line: LogLine) => void): () => void
}

const READ_BYTES = 4_000_000

export function createLogBook(options: {
  dataDir: string
  logger: RootLogger
  recentLines: RecentLines
}): LogBook {
  const { dataDir, logger, recentLines } = options
  const path = join(dataDir, 'logs', 'sluice.log')
  return {
    tail: async ({ lines, ...filter }) => {
      const texts = [await endOf(`${path}.1`), await endOf(path)].filter((text) => text !== undefined)
      const all = (texts.length > 0 ? texts : [recentLines.text()]).flatMap(parseLines)
      return all.filter((line) => fits(line, filter)).slice(-lines)
    },
    onLine: (filter, listener) =>
      logger.onLine((written) => {
        const line = toLine(written)
        if (fits(line, filter)) listener(line)
      }),
  }
}

async function endOf(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - READ_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const text = buffer.toString('utf8', 0, bytesRead)
    // The first line may be cut.
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    await file.close()
  }
}

const parseLines = (text: string): LogLine[] => text.split('\n').flatMap((line) => parseLine(line) ?? [])

function parseLine(line: string): LogLine | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (!isJsonObject(value)) return undefined
    const { at, level, message, ...fields } = value
    const known = LogLevel.safeParse(level)
    if (typeof at !== 'string' || typeof message !== 'string' || !known.success) return undefined
    return toLine({ at, level: known.data, message, fields })
  } catch {
    return undefined
  }
}

function toLine({ at, level, message, fields }: WrittenLine): LogLine {
  const { server, session, ...rest } = fields
  return {
    at,
    level,
    message,
    ...(typeof server === 'string' ? { server } : {}),
    ...(typeof session === 'string' ? { session } : {}),
    fields: rest,
  }
}

function fits(line: LogLine, { level, server, session, text }: LogFilter): boolean {
  const levels = LogLevel.options
  if (levels.indexOf(line.level) > levels.indexOf(level)) return false
  if (server !== undefined && line.server !== server) return false
  if (session !== undefined && line.session !== session) return false
  return text === undefined || JSON.stringify(line).toLowerCase().includes(text.toLowerCase())
}
