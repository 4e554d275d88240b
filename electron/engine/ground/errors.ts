/**
 * `code` is for programs, `message` for people: what happened, to what, and what to do. Errors between MCP peers are
 * `RpcError`s (protocol/json-rpc.ts).
 */
export type SluiceErrorCode =
  | 'SETTINGS_INVALID'
  | 'SETTINGS_EXISTS'
  | 'SETTINGS_CHANGED'
  | 'SERVER_UNKNOWN'
  | 'SERVER_UNAVAILABLE'
  | 'SERVER_LOST'
  | 'TOOL_UNKNOWN'
  | 'CALL_REFUSED'
  | 'MESSAGE_TOO_LARGE'
  | 'RESULT_UNKNOWN'
  | 'RESULT_EXPIRED'
  | 'BAD_INPUT'
  | 'LIMIT_REACHED'
  | 'STORE_FAILED'
  | 'DATABASE_NEWER'
  | 'DATABASE_DAMAGED'
  | 'DATABASE_LOCKED'
  | 'WORKER_FAILED'
  | 'ENGINE_FOREIGN'
  | 'ENGINE_UNREACHABLE'
  | 'ENGINE_RUNNING'
  | 'PORT_TAKEN'
  | 'UNAUTHORISED'
  | 'SIGN_IN_NEEDED'
  | 'SIGN_IN_FAILED'
  | 'CLIENT_FILE_MISSING'
  | 'CLIENT_FILE_INVALID'
  | 'CLIENT_FILE_UNREADABLE'
  | 'CLIENT_FILE_UNWRITABLE'
  | 'CLIENT_FILE_CHANGED'
  | 'MODEL_UNKNOWN'
  | 'MODEL_UNAVAILABLE'
  | 'MODEL_FAILED'
  | 'MODEL_LATE'
  | 'MODEL_FILE_INVALID'
  | 'DOWNLOAD_FAILED'

export class SluiceError extends Error {
  readonly code: SluiceErrorCode
  readonly data: Readonly<Record<string, unknown>>

  constructor(
    code: SluiceErrorCode,
    message: string,
    options: { data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'SluiceError'
    this.code = code
    this.data = options.data ?? {}
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Quotes nothing of a server, so the guard does not scan it. */
export const ownError = (
  code: SluiceErrorCode,
  message: string,
  data: Record<string, unknown> = {},
): SluiceError => new SluiceError(code, message, { data: { ...data, unquoted: message } })

/** As `ownError` marks it, or with all that a server said left out. */
export const quotesNothing = (error: unknown): boolean =>
  error instanceof SluiceError && error.data['unquoted'] === error.message

/** Without a server's unchecked output (`data.unquoted`). */
export function unquotedMessage(error: unknown): string {
  const unquoted = error instanceof SluiceError ? error.data['unquoted'] : undefined
  return typeof unquoted === 'string' ? unquoted : messageOf(error)
}

/** Fails compilation if a switch misses a case. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
