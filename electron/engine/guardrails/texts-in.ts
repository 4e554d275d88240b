import { atOnce, inSteps, type Steps } from '../ground/steps.ts'

export interface PlacedText {
  /** JSON pointer (RFC 6901); empty for the value itself. */
  readonly path: string
  readonly text: string
}

/** Longer than any field name: models read such keys as prose. */
const LONGEST_NAME = 40

/** In order, including keys with prose or unusual characters. Iterative, so no depth limit. */
export function textsIn(value: unknown): PlacedText[] {
  const texts: PlacedText[] = []
  atOnce(readTexts(value, texts))
  return texts
}

/** Yields to other work. */
export function textsInTurns(value: unknown): PlacedText[] | Promise<PlacedText[]> {
  const texts: PlacedText[] = []
  const reading = inSteps(readTexts(value, texts))
  return reading ? reading.then(() => texts) : texts
}

/** Takes less than a millisecond. */
export const VALUES_OF_STEP = 1000

interface Container {
  readonly path: string
  readonly members: readonly unknown[] | Readonly<Record<string, unknown>>
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined
  /** Keys precede values. */
  nextKey: number
  next: number
}

export function* readTexts(value: unknown, texts: PlacedText[]): Steps<void> {
  const open: Container[] = []
  const seen = new Set<object>()
  const enter = (member: unknown, path: string): void => {
    if (typeof member === 'string') texts.push({ path, text: member })
    else if (typeof member === 'object' && member !== null && !seen.has(member)) {
      seen.add(member)
      const keys = Array.isArray(member) ? undefined : Object.keys(member)
      open.push({ path, members: member as Container['members'], keys, nextKey: 0, next: 0 })
    }
  }
  const readOne = (container: Container): void => {
    const { path, keys } = container
    if (keys === undefined) {
      const list = container.members as readonly unknown[]
      if (container.next >= list.length) open.pop()
      else {
        const item = list[container.next++]
        if (isRead(item)) enter(item, shortened(`${path}/${container.next - 1}`))
      }
    } else if (container.nextKey < keys.length) {
      const key = keys[container.nextKey++] ?? ''
      if (!isPlainName(key)) texts.push({ path: childPath(path, key), text: key })
    } else if (container.next < keys.length) {
      const key = keys[container.next++] ?? ''
      const item = (container.members as Readonly<Record<string, unknown>>)[key]
      if (isRead(item)) enter(item, childPath(path, key))
    } else open.pop()
  }
  enter(value, '')
  for (let read = 1; open.length > 0; read++) {
    const container = open.at(-1)
    if (container) readOne(container)
    if (read % VALUES_OF_STEP === 0) yield
  }
}

/** Numbers etc. need no path. */
const isRead = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)

/** ASCII without white space. */
function isPlainName(key: string): boolean {
  if (key.length > LONGEST_NAME) return false
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    if (code <= 0x20 || code > 0x7e) return false
  }
  return true
}

/** Deep paths are cut at the front, because each level repeats the path (quadratic). */
const LONGEST_PATH = 500

function childPath(path: string, key: string): string {
  const short = key.length > LONGEST_PATH ? key.slice(0, LONGEST_PATH) : key
  return shortened(
    `${path}/${/[~/]/.test(short) ? short.replaceAll('~', '~0').replaceAll('/', '~1') : short}`,
  )
}

const shortened = (path: string): string =>
  path.length <= LONGEST_PATH ? path : `…${path.slice(-LONGEST_PATH)}`
