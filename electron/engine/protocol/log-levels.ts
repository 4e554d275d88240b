/** The levels of log messages, the most talkative first. */
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

/** Whether a message of this level is heard by who asked for `wanted`; an unknown wish hears all that has a level. */
export const isAtLeast = (level: string, wanted: string): boolean =>
  LEVELS.indexOf(level) >= Math.max(0, LEVELS.indexOf(wanted))

/** The most talkative of these; undefined where there is none. */
export const mostTalkative = (levels: Iterable<string>): string | undefined => {
  const wanted = new Set(levels)
  return LEVELS.find((level) => wanted.has(level))
}
