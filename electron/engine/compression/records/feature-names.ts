/** Places in a row of features, those of the record first: leaves of one record share them. */
export const F = {
  parent: 0,
  top: 1,
  relParent: 2,
  relTop: 3,
  extremeRecord: 4,
  extremeRecordNamed: 5,
  oddRecord: 6,
  deniedRecord: 7,
  next: 8,
  end: 9,
  group: 10,
  own: 11,
  ownPart: 12,
  adjacent: 13,
  last: 14,
  path: 15,
  cover: 16,
  'relTop.last': 17,
  'relParent.last': 18,
  extreme: 19,
  extremeNamed: 20,
  odd: 21,
  naming: 22,
  'naming.relTop': 23,
  length: 24,
  noise: 25,
  empty: 26,
  constant: 27,
  root: 28,
  beyond: 29,
  denied: 30,
} as const

export type Feature = keyof typeof F
export const FEATURES = Object.keys(F) as readonly Feature[]
export const RECORD_FEATURES = 11
