import type { JsonObject } from '../protocol/json-rpc.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    /** `structuredContent` within its schema and budget; undefined when impossible. */
    'shrink-structured': (input: ShrinkStructuredInput) => Promise<ShrunkStructured | undefined>
    'measure-structured': (input: MeasureStructuredInput) => Promise<MeasuredStructured>
  }
}

/** `structuredContent` of a result with texts: clients show the model either or both. */
export interface StructuredHalf {
  readonly value: JsonObject
  readonly json: string
  readonly tokens: number
  /** Repeats the only text, and no schema requires it. */
  readonly isRepeated: boolean
}

export interface MeasureStructuredInput {
  readonly json: string
  /** The result's only text, which the value may repeat. */
  readonly text: string | undefined
}

export interface MeasuredStructured {
  readonly tokens: number
  readonly isRepeated: boolean
}

export interface ShrinkStructuredInput {
  /** Numbers stay as written. */
  readonly json: string
  readonly schema: JsonObject | undefined
  readonly goal: string | undefined
  readonly request?: string | undefined
  /** Tokens (o200k_base) of JSON. */
  readonly budget: number
  /** Id of the stored whole value. */
  readonly resultId: string
}

export interface ShrunkStructured {
  readonly json: string
  readonly tokens: number
  /** Undefined when nothing was cut. */
  readonly shownText: string | undefined
}

/** Describes the cut, when the schema allows the field. */
const CUT_MARK = '_sluice'

/** A server's field would be taken for the mark. */
export const isMarkTaken = (value: JsonObject): boolean => Object.hasOwn(value, CUT_MARK)

/** `_sluice`, or the first unused of `_sluice_2`, `_sluice_3`…. */
export function markNameFor(value: JsonObject): string {
  let name = CUT_MARK
  for (let number = 2; Object.hasOwn(value, name); number++) name = `${CUT_MARK}_${number}`
  return name
}

/** As JSON; stops early. */
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
