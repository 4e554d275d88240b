/** Most verbose first. */
const LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

export const isLogLevel = (level: unknown): level is string =>
  typeof level === 'string' && LEVELS.includes(level)

/** An unknown `wanted` passes all known levels. */
export const isAtLeast = (level: string, wanted: string): boolean =>
  LEVELS.indexOf(level) >= Math.max(0, LEVELS.indexOf(wanted))

export const mostTalkative = (levels: Iterable<string>): string | undefined => {
  const wanted = new Set(levels)
  return LEVELS.find((level) => wanted.has(level))
}
