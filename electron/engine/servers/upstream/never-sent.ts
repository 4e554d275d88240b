const NO_CONNECTION: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETDOWN',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Nothing was sent, so repeating is safe. */
export function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(wasNeverSent)
  if ('code' in error && NO_CONNECTION.has(error.code)) return true
  if ('code' in error && error.code === 'ETIMEDOUT' && 'syscall' in error && error.syscall === 'connect')
    return true
  return error.cause !== undefined && wasNeverSent(error.cause)
}
