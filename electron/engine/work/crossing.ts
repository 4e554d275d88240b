import { TextMover, type MovedText } from './moved-texts.ts'
import { assemble, hasManyValues, portionsOf, type Portion } from '../protocol/json-portions.ts'
import { placeSources, sourcesIn, type SourceTree } from '../protocol/move-sources.ts'
import { inSteps, type Steps } from '../ground/steps.ts'

/** Of a value the other thread has (kept-values.ts): the whole input or one member. */
export interface KeptPlace {
  readonly id: number
  readonly key: string | undefined
}

export interface Crossing {
  readonly value: unknown
  /** Cloning very many values blocks both threads for longer. */
  readonly portions?: readonly Portion[] | undefined
  /** Long texts, as shared memory. */
  readonly moved?: readonly MovedText[] | undefined
  readonly sources?: SourceTree | undefined
  /** The other thread has this part. */
  readonly kept?: KeptPlace | undefined
}

export const isLarge = (value: unknown): boolean => hasManyValues(value) || TextMover.isNeededFor(value)

export const crossingOf = (value: unknown): Crossing => ({ value, sources: sourcesIn(value) })

/** In turns with other work. */
export async function crossInTurns(mover: TextMover, large: unknown): Promise<Crossing> {
  const { value, moved } = await mover.takeOut(large)
  if (!hasManyValues(value)) return { ...crossingOf(value), moved }
  return { value: undefined, portions: await inSteps(collect(portionsOf(value))), moved }
}

/** A promise only if large. */
export function arrived(mover: TextMover, crossing: Crossing): unknown {
  const { value, portions, moved = [], sources } = crossing
  if (portions)
    return Promise.try(() => inSteps(assemble(portions))).then((whole) => mover.putBack(whole, moved))
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
