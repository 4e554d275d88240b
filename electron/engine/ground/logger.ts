import { createRedactor } from './secrets/redact.ts'
import { openRotatingFile } from './files/rotating-file.ts'
import type { RotatingFileOptions } from './files/rotating-file.ts'

export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

type Fields = Readonly<Record<string, unknown>>

/** Never writes to stdout, stdio's protocol channel. */
export interface Logger {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  child(fields: Readonly<Record<string, unknown>>): Logger
}

export const silentLogger: Logger = {
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  child: () => silentLogger,
}

/** One per process. */
export interface RootLogger extends Logger {
  /** Secret values in later lines. */
  redact(values: Iterable<string>): void
  /** Removes personal data from later text. */
  hideBy(hide: (text: string) => string): void
  setLevel(level: LogLevel): void
  /** Redacted. Returns the stop. */
  onLine(listener: (line: WrittenLine) => void): () => void
  cleanText(text: string): string
  close(): void
}

export interface WrittenLine {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly level: LogLevel
  readonly message: string
  readonly fields: Fields
}

export interface LoggerOptions {
  level: LogLevel
  /** Short readable lines; usually process.stderr. */
  stderr?: { write(text: string): unknown } | undefined
  /** Default: `level`. */
  stderrLevel?: LogLevel | undefined
  /** JSON lines. */
  file?: RotatingFileOptions | undefined
  /** Unix milliseconds. */
  now: () => number
}

const RANK: Record<LogLevel, number> = { error: 0, warn: 1, info: 2, debug: 3 }

/** Never throws: a full disk must not fail a call. */
export function createLogger(options: LoggerOptions): RootLogger {
  const { stderr, stderrLevel = 'debug', now } = options
  const file = options.file && openRotatingFile(options.file)
  const redactor = createRedactor()
  const listeners = new Set<(line: WrittenLine) => void>()
  let level = options.level

  const write = (lineLevel: LogLevel, message: string, inherited: Fields, own: Fields | undefined): void => {
    if (RANK[lineLevel] > RANK[level]) return
    try {
      const fields = { ...inherited, ...own }
      const clean = redactor.clean({ message, fields })
      const at = new Date(now()).toISOString()
      file?.write(JSON.stringify({ at, level: lineLevel, message: clean.message, ...clean.fields }) + '\n')
      if (RANK[lineLevel] <= RANK[stderrLevel])
        stderr?.write(readableLine(at, lineLevel, clean.message, clean.fields))
      for (const listener of listeners) listener({ at, level: lineLevel, ...clean })
    } catch {
      // No output left to report on.
    }
  }

  const withFields = (inherited: Fields): Logger => ({
    error: (message, fields) => write('error', message, inherited, fields),
    warn: (message, fields) => write('warn', message, inherited, fields),
    info: (message, fields) => write('info', message, inherited, fields),
    debug: (message, fields) => write('debug', message, inherited, fields),
    child: (fields) => withFields({ ...inherited, ...fields }),
  })

  return {
    ...withFields({}),
    redact: (values) => redactor.add(values),
    hideBy: (hide) => redactor.hideBy(hide),
    setLevel: (next) => {
      level = next
    },
    onLine: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    cleanText: (text) => redactor.clean({ text }).text,
    close: () => file?.close(),
  }
}

/** `12:03:44 warn  the message  server=github ms=12`; control characters visible, because terminals obey them. */
function readableLine(at: string, level: LogLevel, message: string, fields: Fields): string {
  const extras = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const line = [at.slice(11, 19), level.padEnd(5), message, ...extras].join(' ')
  return `${visible(line)}\n`
}

const visible = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
