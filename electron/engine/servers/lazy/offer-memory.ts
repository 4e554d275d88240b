import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../ground/errors.ts'
import { writeFileAtomically } from '../../ground/files/write-file-atomically.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ServerHello } from '../../protocol/era.ts'
import { parseMessage, stringifyMessage } from '../../protocol/exact-message.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'

/** `error`: the server announces such lists and has no such method. */
export interface RememberedList {
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string }
}

/** What a server said of itself when it last ran, as it came. */
export interface RememberedOffer {
  readonly hello: ServerHello
  /** Client capabilities. */
  readonly announced: JsonObject
  /** By method, all pages in one. */
  readonly lists: Readonly<Record<string, RememberedList>>
}

export interface OfferMemory {
  /** With how many starts in a row said the same. */
  get(key: string): { readonly offer: RememberedOffer; readonly starts: number } | undefined
  set(key: string, offer: RememberedOffer, isStart: boolean): void
  forget(key: string): void
}

/** Each value as a message of its own, which keeps it as it came. */
const Kept = z.object({
  version: z.literal(1),
  starts: z.int().positive(),
  hello: z.string(),
  announced: z.string(),
  lists: z.record(z.string(), z.string()),
})
type Texts = Omit<z.infer<typeof Kept>, 'version' | 'starts'>

const written = (result: object): string => stringifyMessage({ result })
const readBack = (text: string): JsonObject => (parseMessage(text) as { result: JsonObject }).result

const textsOf = ({ hello, announced, lists }: RememberedOffer): Texts => ({
  hello: written(hello),
  announced: written(announced),
  lists: Object.fromEntries(
    Object.entries(lists)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([method, list]) => [method, written(list)]),
  ),
})

export const isSameOffer = (a: RememberedOffer, b: RememberedOffer): boolean =>
  JSON.stringify(textsOf(a)) === JSON.stringify(textsOf(b))

/** As descriptions of file servers do. */
export function namesFolder(offer: RememberedOffer, folder: string): boolean {
  const { hello, lists } = textsOf(offer)
  const named = JSON.stringify(folder).slice(1, -1)
  return [hello, ...Object.values(lists)].some((text) => text.includes(named))
}

const offerOf = ({ hello, announced, lists }: Texts): RememberedOffer => ({
  hello: readBack(hello) as unknown as ServerHello,
  announced: readBack(announced),
  lists: Object.fromEntries(
    Object.entries(lists).map(([method, text]) => [method, readBack(text) as RememberedList]),
  ),
})

const MOST_FILES = 500
const MOST_CHARACTERS = 8_000_000

/** One file per server and client in `folder`. Fails open: what can't be read or written is not remembered. */
export function createOfferMemory({ folder, logger }: { folder: string; logger: Logger }): OfferMemory {
  const pathOf = (key: string): string =>
    join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`)

  const read = (key: string): { texts: Texts; starts: number } | undefined => {
    try {
      const { version: _, starts, ...texts } = Kept.parse(JSON.parse(readFileSync(pathOf(key), 'utf8')))
      return { texts, starts }
    } catch {
      return undefined
    }
  }

  return {
    get: (key) => {
      const kept = read(key)
      try {
        return kept && { offer: offerOf(kept.texts), starts: kept.starts }
      } catch {
        return undefined
      }
    },
    set: (key, offer, isStart) => {
      const texts = textsOf(offer)
      const text = JSON.stringify(texts)
      const before = read(key)
      const isSame = before !== undefined && JSON.stringify(before.texts) === text
      const starts = isSame ? before.starts + (isStart ? 1 : 0) : 1
      try {
        if (text.length > MOST_CHARACTERS) rmSync(pathOf(key), { force: true })
        else if (starts !== before?.starts || !isSame) {
          mkdirSync(folder, { recursive: true, mode: 0o700 })
          writeFileAtomically(pathOf(key), JSON.stringify({ version: 1, starts, ...texts }))
          if (!before) dropOldest(folder)
        }
      } catch (error) {
        logger.debug('what a server offers is not remembered', { cause: messageOf(error) })
      }
    },
    forget: (key) => {
      try {
        rmSync(pathOf(key), { force: true })
      } catch (error) {
        logger.debug('what a server offered is still remembered', { cause: messageOf(error) })
      }
    },
  }
}

function dropOldest(folder: string): void {
  const names = readdirSync(folder)
  if (names.length <= MOST_FILES) return
  const byAge = names
    .map((name) => ({ name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.at - b.at)
  for (const { name } of byAge.slice(0, names.length - MOST_FILES))
    rmSync(join(folder, name), { force: true })
}
