import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { canonicalJson } from '../protocol/canonical-json.ts'

export interface Surroundings {
  readonly folder: string | undefined
  readonly home: string | undefined
  readonly now: number
}

/** Replacements, in comparisons and on display. */
const FOLDER_MARK = '⟨working folder⟩'
const HOME_MARK = '⟨home folder⟩'
const TIME_MARK = '⟨time⟩'
/** Started in the home folder: either may be meant. */
const EITHER_MARK = '⟨working or home folder⟩'
const MARK_NAMES = [FOLDER_MARK, HOME_MARK, TIME_MARK, EITHER_MARK].map((mark) => mark.slice(1, -1)).join('|')
/** A server's own mark gets "literal" before it, once more than the server wrote. */
const WRITTEN_MARK = new RegExp(`⟨(?=(?:literal )*(?:${MARK_NAMES})⟩)`, 'g')

export const writesMarks = (definition: unknown): boolean =>
  (JSON.stringify(definition) ?? '').search(WRITTEN_MARK) >= 0

export interface MarkWords {
  (definition: unknown): unknown
  /** If the working folder is the home folder, is the root, or was the home folder at approval. */
  readonly isSameHere?: (approved: unknown, offered: unknown) => boolean
}

const READ_KEYS = new Set(['description', 'title', 'instructions'])
/** Dates without zone: a day and two hours around now. */
const NEAR_MS = 26 * 3600_000

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const DAY = '(?:Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)'
const CLOCK =
  '\\d{1,2}:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?: ?[AP]M)?(?: ?(?:Z|UTC|GMT)(?:[+-]\\d{4})?| ?[+-]\\d\\d:?\\d\\d)?'
const DATE = `\\d{4}-\\d\\d-\\d\\d|\\d{1,2}/\\d{1,2}/\\d{4}|(?:${DAY},? )?(?:${MONTH} \\d{1,2},? \\d{4}|\\d{1,2} ${MONTH} \\d{4})`
const TIME = new RegExp(`(?<![\\w./-])(${DATE})(?:(?:T|,? (?:at )?)${CLOCK})?(?![\\w/-])`, 'g')

/** Seconds or milliseconds since 1970. */
const EPOCH = /(?<![\w./-])\d{10}(?:\d{3})?(?![\w/-]|\.\d)/g

/** Only this folder, the home folder and the present time become marks. Returns the same value without them. */
export function createMarkWords({ folder, home, now }: Surroundings): MarkWords {
  const homes = namesOf(home, HOME_MARK)
  const homeNames = new Set(homes.map(([name]) => name))
  const folders = namesOf(folder, FOLDER_MARK)
  const isHome = folders.some(([name]) => homeNames.has(name))
  const paths = [...folders, ...homes].map(([name, mark]): [string, string] => [
    name,
    isHome ? EITHER_MARK : mark,
  ])
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
  // Markable times contain one of these years; the full pattern is slow.
  const years = [now - NEAR_MS, now + NEAR_MS].map((at) => String(new Date(at).getUTCFullYear()))
  const markText = (text: string, isRead: boolean): string => {
    const placed = isPath ? text.replace(isPath, (path) => marks.get(path) ?? path) : text
    if (!isRead || !/\d{4}/.test(placed)) return placed
    const counted = placed.replace(EPOCH, (count) =>
      Math.abs(Number(count.padEnd(13, '0')) - now) <= NEAR_MS ? TIME_MARK : count,
    )
    if (!years.some((year) => counted.includes(year))) return counted
    return counted.replace(TIME, (time: string, date: string) =>
      Math.abs(
        Date.parse(`${date.replace(/^[A-Z][a-z]+day,? |^[A-Z][a-z]{2},? (?=\d|[A-Z])/, '')} UTC`) - now,
      ) <= NEAR_MS
        ? TIME_MARK
        : time,
    )
  }
  const markOwn = (text: string, isRead: boolean): string =>
    markText(text.replace(WRITTEN_MARK, '⟨literal '), isRead)
  type MarkText = typeof markText
  const mark = (value: unknown, isRead: boolean, marked: MarkText = markOwn): unknown => {
    if (typeof value === 'string') return marked(value, isRead)
    if (typeof value !== 'object' || value === null) return value
    // A plain loop, because deep nesting needs the stack.
    const entries: [string, unknown][] = []
    let isSame = true
    for (const [key, item] of Object.entries(value)) {
      const shown = mark(item, READ_KEYS.has(key), marked)
      if (shown !== item) isSame = false
      entries.push([key, shown])
    }
    if (isSame) return value
    return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
  }
  const markWords = (definition: unknown): unknown => mark(definition, true)
  const isSameHere = (approved: unknown, offered: unknown): boolean => {
    const text = JSON.stringify(approved)
    if (!MARK.test(text)) return false
    const wanted = canonicalJson(offered)
    const merged = withTexts(offered, (part) => part.replaceAll(PLACE, EITHER_MARK))
    if (text.includes(EITHER_MARK) && canonicalJson(merged) === canonicalJson(approved)) return true
    return [FOLDER_MARK, HOME_MARK].some((folderMark) => {
      const read = withTexts(approved, (part) =>
        putFolders(part.replaceAll(EITHER_MARK, folderMark), folder, home),
      )
      return canonicalJson(mark(read, true, markText)) === wanted
    })
  }
  return Object.assign(markWords, { isSameHere })
}

const MARK = new RegExp([FOLDER_MARK, HOME_MARK, EITHER_MARK].join('|'))
const PLACE = new RegExp([FOLDER_MARK, HOME_MARK].join('|'), 'g')

const putFolders = (text: string, folder: string | undefined, home: string | undefined): string =>
  [[FOLDER_MARK, folder] as const, [HOME_MARK, home] as const].reduce(
    (rest, [mark, path]) =>
      path === undefined
        ? rest
        : rest.replaceAll(new RegExp(`${mark}(?=([\\\\/])?)`, 'g'), (_, slash?: string) =>
            slash === undefined ? path : path.replace(/[\\/]+$/, ''),
          ),
    text,
  )

function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, change)]))
}

/** Spellings of a path. None for shared folders such as the root. */
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
