import { TextMover, type MovedText } from './moved-texts.ts'
import { assemble, hasManyValues, portionsOf, type Portion } from '../protocol/json-portions.ts'
import { placeSources, sourcesIn, type SourceTree } from '../protocol/move-sources.ts'
import { inSteps, type Steps } from '../ground/steps.ts'

/** What a job's input lacks, because the other thread has it (kept-values.ts): the input itself, or one member of it. */
export interface KeptPlace {
  readonly id: number
  readonly key: string | undefined
}

/** A value as it crosses the border of a thread. */
export interface Crossing {
  /** As a structured clone; undefined where it goes in portions. */
  readonly value: unknown
  /** A clone of very many values is made, and read, in one go, and holds up either thread for longer than they are used. */
  readonly portions?: readonly Portion[] | undefined
  /** Its long texts, as shared memory. */
  readonly moved?: readonly MovedText[] | undefined
  /** How values were written in the JSON in which they came; included in portions. */
  readonly sources?: SourceTree | undefined
  /** Goes without what the other thread has already. */
  readonly kept?: KeptPlace | undefined
}

/** What is not large crosses at once. */
export const isLarge = (value: unknown): boolean => hasManyValues(value) || TextMover.isNeededFor(value)

export const crossingOf = (value: unknown): Crossing => ({ value, sources: sourcesIn(value) })

/** The same for what is large, in turns with others' work. */
export async function crossInTurns(mover: TextMover, large: unknown): Promise<Crossing> {
  const { value, moved } = await mover.takeOut(large)
  if (!hasManyValues(value)) return { ...crossingOf(value), moved }
  return { value: undefined, portions: await inSteps(collect(portionsOf(value))), moved }
}

/** The value on the other side: a promise only of what was large. */
export function arrived(mover: TextMover, crossing: Crossing): unknown {
  const { value, portions, moved = [], sources } = crossing
  if (portions) return inSteps(assemble(portions)).then((whole) => mover.putBack(whole, moved))
  if (sources) placeSources(value, sources)
  return moved.length > 0 ? mover.putBack(value, moved) : value
}

function* collect<Item>(items: Iterable<Item>): Steps<Item[]> {
  const all: Item[] = []
  for (const item of items) {
    all.push(item)
    yield
  }
  return all
}
