export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/** Never writes to stdout: on stdio that is the protocol's channel. */
export interface Logger {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** The same logger with fields that every line of it carries. */
  child(fields: Readonly<Record<string, unknown>>): Logger
}

export const silentLogger: Logger = {
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  child: () => silentLogger,
}
