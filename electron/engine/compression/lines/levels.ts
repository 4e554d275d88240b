/**
 * Names of levels in the logging libraries and system services of common languages, with their severity: 3: the program
 * ends, 2: failure, 1: warning, 0: anything else that a program states as a level.
 */
const LEVELS: readonly (readonly [severity: number, names: string])[] = [
  [
    0,
    'trace debug verbose info information informational notice log statement detail hint fine finer finest config',
  ],
  [1, 'warn warning'],
  [2, 'error err severe'],
  [3, 'fatal panic crit critical alert emerg emergency'],
]

const byName = new Map(
  LEVELS.flatMap(([severity, names]) => names.split(' ').map((name) => [name, severity])),
)
const LETTERS: Readonly<Record<string, number>> = { F: 3, E: 2, W: 1, I: 0, D: 0, V: 0, T: 0 }

export const isLevelWord = (word: string): boolean => word.length <= 13 && byName.has(word.toLowerCase())

/** Of a field in a column of levels; marks around it don't count. */
export function levelOf(field: string): number | undefined {
  if (field.length > LONGEST) return undefined
  const known = fields.get(field)
  if (known !== undefined) return known < 0 ? undefined : known
  const word = field.replace(/^[A-Za-z_]+=/, '').replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '')
  const level = byName.get(word.toLowerCase()) ?? LETTERS[word]
  if (fields.size >= MOST_FIELDS) fields.clear()
  fields.set(field, level ?? -1)
  return level
}

/** By field as written, -1 for none. */
const fields = new Map<string, number>()
const MOST_FIELDS = 1000
const LONGEST = 40

/** Numeric levels of JSON loggers, 10 to 60. */
export const severityOfNumber = (level: number): number =>
  level >= 60 ? 3 : level >= 50 ? 2 : level >= 40 ? 1 : 0
