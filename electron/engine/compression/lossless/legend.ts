/** Only used notations are explained. */
export interface UsedMarks {
  rows: boolean
  lists: boolean
  typedColumns: boolean
  constants: boolean
  templates: boolean
  missing: boolean
  references: boolean
  plusSigns: boolean
  plainLists: boolean
}

/** Instructions to decode, the first member. */
export function describeForm(used: UsedMarks): string {
  const sentences = [
    'Complete document in a short form.',
    used.rows && "['+A',…] is an object with the keys of shape A in that order.",
    used.lists && "['+A[]',…] is a list of such objects without their '+A'.",
    used.typedColumns && "A shape's {key:'+B'} holds objects of shape B.",
    used.constants && "A shape's other {key:value} is the same in all its objects.",
    used.templates && "+{k} in it is the object's own k.",
    used.missing && "'+' means no such key.",
    used.references && "'+3' is value 3, '+3/x' its text and then /x.",
    used.plainLists && "['+[]',…] is a plain list.",
    used.plusSigns && "'++' is a plus sign.",
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}

export const noMarks = (): UsedMarks => ({
  rows: false,
  lists: false,
  typedColumns: false,
  constants: false,
  templates: false,
  missing: false,
  references: false,
  plusSigns: false,
  plainLists: false,
})
