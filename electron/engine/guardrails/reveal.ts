import type { JsonObject } from '../protocol/json-rpc.ts'
import { cleanText, type ControlCharacterMode } from './control-characters.ts'
import { hiddenPlaces, type HidingMeans } from './hidden-places.ts'
import { changeTexts } from './clean-value.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    reveal: (input: { value: JsonObject; mode: ControlCharacterMode }) => Promise<RevealedForm | undefined>
  }
}

export type HiddenCounts = Partial<Record<HidingMeans, number>>

export interface Revealed<Value> {
  /** Same object where nothing hides. */
  readonly value: Value
  readonly hidden: HiddenCounts | undefined
}

export interface RevealedForm {
  readonly value: JsonObject
  /** Removed; the original has it. */
  readonly taken: HiddenCounts | undefined
  /** Shown by marks. */
  readonly marked: HiddenCounts | undefined
}

/** Removal may join halves of a sequence; texts that need more rounds lose all controls. */
const MOST_ROUNDS = 8

/** Treats only what hides text. Other characters stay, so that a read file can be written back. */
function revealText(text: string, mode: ControlCharacterMode, counts: HiddenCounts = {}): string {
  if (mode === 'keep') return text
  let shown = text
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const places = hiddenPlaces(shown)
    if (places.length === 0) return shown
    const pieces: string[] = []
    let at = 0
    for (const { start, end, means } of places) {
      pieces.push(shown.slice(at, start))
      if (mode === 'visualise') pieces.push(cleanText(shown.slice(start, end), mode))
      counts[means] = (counts[means] ?? 0) + 1
      at = end
    }
    pieces.push(shown.slice(at))
    shown = pieces.join('')
  }
  return cleanText(shown, mode)
}

export function revealValue(value: unknown, mode: ControlCharacterMode): Revealed<unknown> {
  if (mode === 'keep') return { value, hidden: undefined }
  const hidden: HiddenCounts = {}
  const shown = changeTexts(value, {
    change: (text) => revealText(text, mode, hidden),
    // Keys that become alike stay two.
    changeTaken: (key) => revealText(key, 'visualise', hidden),
    mayChange: (text) => hiddenPlaces(text).length > 0,
  })
  return { value: shown, hidden: shown === value ? undefined : hidden }
}

export const inWords = (hidden: HiddenCounts): string =>
  (Object.keys(WORDS) as HidingMeans[])
    .flatMap((means) => {
      const count = hidden[means] ?? 0
      return count === 0 ? [] : [`${count} ${count === 1 ? WORDS[means][0] : WORDS[means][1]}`]
    })
    .join(', ')

export const MARKS = 'marks such as ⟨RLO⟩ or ␛'

const WORDS: Readonly<Record<HidingMeans, readonly [one: string, many: string]>> = {
  terminal: [
    'terminal sequence that erases, conceals or acts',
    'terminal sequences that erase, conceal or act',
  ],
  tags: ['text in invisible Unicode tags', 'texts in invisible Unicode tags'],
  direction: ['character that reverses the order of reading', 'characters that reverse the order of reading'],
  invisible: ['run of invisible characters', 'runs of invisible characters'],
}
