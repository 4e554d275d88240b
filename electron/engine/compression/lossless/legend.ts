/** What each notation means; only those that are used are explained. */
const MEANINGS = {
  rows: "['+A',…] is an object with the keys of shape A in that order.",
  lists: "['+A[]',…] is a list of such objects without their '+A'.",
  typedColumns: "A shape's {key:'+B'} holds objects of shape B.",
  constants: "A shape's other {key:value} is the same in all its objects.",
  missing: "'+' means no such key.",
  references: "'+3' is value 3, '+3/x' its text and then /x.",
  plainLists: "['+[]',…] is a plain list.",
  plusSigns: "'++' is a plus sign.",
} as const

export type Notation = keyof typeof MEANINGS
const NOTATIONS = Object.keys(MEANINGS) as readonly Notation[]

/** Instructions to decode, the first member. */
export const describeForm = (used: ReadonlySet<Notation>): string =>
  [
    'Complete document in a short form.',
    ...NOTATIONS.filter((each) => used.has(each)).map((each) => MEANINGS[each]),
  ].join(' ')
