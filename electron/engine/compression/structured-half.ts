import type { JsonObject } from '../protocol/json-rpc.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    /** `structuredContent` within its schema and budget; undefined where that can't be. */
    'shrink-structured': (input: ShrinkStructuredInput) => Promise<ShrunkStructured | undefined>
    'measure-structured': (input: MeasureStructuredInput) => Promise<MeasuredStructured>
  }
}

/** `structuredContent` beside the texts of a result: clients show the model the one, or the other, or both. */
export interface StructuredHalf {
  readonly value: JsonObject
  /** As JSON. */
  readonly json: string
  readonly tokens: number
  /** It says what the only text of the result says, and no schema asks for it. */
  readonly isRepeated: boolean
}

export interface MeasureStructuredInput {
  readonly json: string
  /** The only text of the result, where it may say the same. */
  readonly text: string | undefined
}

export interface MeasuredStructured {
  readonly tokens: number
  readonly isRepeated: boolean
}

export interface ShrinkStructuredInput {
  readonly json: string
  readonly schema: JsonObject | undefined
  readonly goal: string | undefined
  readonly budget: number
  readonly resultId: string
}

export interface ShrunkStructured {
  readonly json: string
  readonly tokens: number
  /** What was cut, in words; undefined where nothing was. */
  readonly said: string | undefined
}

/** A field that says in the structured content itself what was cut of it, where the schema allows one more. */
const CUT_MARK = '_sluice'

/** Whether the server sends a field of that name itself: its words would be read as the mark. */
export const isMarkTaken = (value: JsonObject): boolean => Object.hasOwn(value, CUT_MARK)

/** The name of the mark in this value: `_sluice`, or the first of `_sluice_2`, `_sluice_3`… that the server does not use. */
export function markNameFor(value: JsonObject): string {
  let name = CUT_MARK
  for (let number = 2; Object.hasOwn(value, name); number++) name = `${CUT_MARK}_${number}`
  return name
}

/** Whether its JSON has more than so many characters; looks no further than it has to. */
export function isLongerThan(value: JsonObject, most: number): boolean {
  let length = 0
  const open: unknown[] = [value]
  while (open.length > 0 && length <= most) {
    const item = open.pop()
    if (typeof item === 'string') length += item.length + 2
    else if (Array.isArray(item)) {
      length += item.length + 1
      if (length <= most) for (const element of item as unknown[]) open.push(element)
    } else if (typeof item === 'object' && item !== null) {
      for (const key of Object.keys(item)) {
        length += key.length + 4
        if (length > most) break
        open.push((item as JsonObject)[key])
      }
    } else length += 1
  }
  return length > most
}
