import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Where and when a server speaks: what it says of these is another word in another project, and no other meaning. */
export interface Surroundings {
  readonly folder: string | undefined
  readonly home: string | undefined
  /** Unix milliseconds. */
  readonly now: number
}

/** What stands in the place of such words, in what is compared and in what is shown. */
export const FOLDER_MARK = '⟨working folder⟩'
export const HOME_MARK = '⟨home folder⟩'
export const TIME_MARK = '⟨time⟩'

export type MarkWords = (definition: unknown) => unknown

/** Texts that people and models read; elsewhere a date may be a value that a program acts on. */
const READ_KEYS = new Set(['description', 'title', 'instructions'])
/** Dates name no zone: a day and two hours around now. */
const NEAR_MS = 26 * 3600_000

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const DAY = '(?:Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)'
const CLOCK =
  '\\d{1,2}:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?: ?[AP]M)?(?: ?(?:Z|UTC|GMT)(?:[+-]\\d{4})?| ?[+-]\\d\\d:?\\d\\d)?'
const DATE = `\\d{4}-\\d\\d-\\d\\d|\\d{1,2}/\\d{1,2}/\\d{4}|(?:${DAY},? )?(?:${MONTH} \\d{1,2},? \\d{4}|\\d{1,2} ${MONTH} \\d{4})`
const TIME = new RegExp(`(?<![\\w./-])(${DATE})(?:(?:T|,? (?:at )?)${CLOCK})?(?![\\w/-])`, 'g')

/**
 * Puts marks in the place of this folder, the home folder and the present time, wherever texts of a definition name them.
 * Gives the same value back where there is nothing to mark. Only these words: all else of a text stays as it is.
 */
export function createMarkWords({ folder, home, now }: Surroundings): MarkWords {
  const paths = [...namesOf(folder, FOLDER_MARK), ...namesOf(home, HOME_MARK)]
  const marks = new Map(paths.toReversed())
  const isPath =
    paths.length === 0
      ? undefined
      : new RegExp(
          `(?<![\\w.~/\\\\-])(?:${[...marks.keys()]
            .toSorted((one, other) => other.length - one.length)
            .map((path) => RegExp.escape(path))
            .join('|')})(?![\\w-]|\\.\\w)`,
          'g',
        )
  const markText = (text: string, isRead: boolean): string => {
    const placed = isPath ? text.replace(isPath, (path) => marks.get(path) ?? path) : text
    if (!isRead || !/\d{4}/.test(placed)) return placed
    return placed.replace(TIME, (time: string, date: string) =>
      Math.abs(
        Date.parse(`${date.replace(/^[A-Z][a-z]+day,? |^[A-Z][a-z]{2},? (?=\d|[A-Z])/, '')} UTC`) - now,
      ) <= NEAR_MS
        ? TIME_MARK
        : time,
    )
  }
  const mark = (value: unknown, isRead: boolean): unknown => {
    if (typeof value === 'string') return markText(value, isRead)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const marked = entries.map(([key, item]) => [key, mark(item, READ_KEYS.has(key))] as const)
    if (marked.every(([, item], index) => item === entries[index]?.[1])) return value
    return Array.isArray(value) ? marked.map(([, item]) => item) : Object.fromEntries(marked)
  }
  return (definition) => mark(definition, true)
}

/** A folder's path in the forms in which programs write it. None for what is no folder of anybody's, such as the root. */
function namesOf(folder: string | undefined, mark: string): [string, string][] {
  if (folder === undefined || folder.replaceAll(/[\\/]|^[A-Za-z]:/g, '').length < 2) return []
  const bare = folder.replace(/[\\/]+$/, '')
  const paths = [bare, realOf(bare)]
  const names = new Set(paths.flatMap((name) => [name, name.replaceAll('\\', '/'), pathToFileURL(name).href]))
  return [...names].map((name) => [name, mark])
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
