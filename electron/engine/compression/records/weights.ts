import ranker from '../../../../resources/ranker.json' with { type: 'json' }

const { record, value } = ranker
export type Feature = keyof typeof record | keyof typeof value
export const FEATURES = [...Object.keys(record), ...Object.keys(value)] as readonly Feature[]
/** Places in a row of features, those of the record first: leaves of one record share them. */
export const F = Object.fromEntries(FEATURES.map((name, place) => [name, place])) as Readonly<
  Record<Feature, number>
>
export const RECORD_FEATURES = Object.keys(record).length

/** Set by hand: a fit (test/train/fit-ranker.ts) earned nothing on families left out. */
export const weights = Float64Array.from([...Object.values(record), ...Object.values(value)])
