import ranker from '../../../../resources/ranker.json' with { type: 'json' }
import { FEATURES, type Feature } from './feature-names.ts'

/** By feature, set by hand: a fit (test/train/fit-ranker.ts) earned nothing on families left out. */
const known: Partial<Record<Feature, number>> = ranker.weights
export const weights = Float64Array.from(FEATURES, (name) => known[name] ?? 0)
