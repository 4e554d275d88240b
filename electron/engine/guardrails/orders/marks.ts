/** The place of a sentence in its text, and what is in it besides words; as bits. */
export const MARKS = [
  'imperative',
  /** Of a later clause. */
  'inner',
  'question',
  'template',
  'speaker',
  'boundary',
  'role',
  'call',
  'url',
  'email',
  'path',
  'placeholder',
  'shell',
  'snake',
  'quoted',
  'fenced',
  'comment',
  'heading',
  'item',
  'cell',
  'code',
  'shout',
  'short',
  'long',
  'label',
  /** Holds letters that English doesn't have. */
  'foreign',
  /** Begins with the name of a model, as a letter does: "Assistant, …", "To the agents: …". */
  'called',
  /** Shortly behind a sentence that speaks to a model. */
  'addressed',
] as const
export type Mark = (typeof MARKS)[number]

const BITS = Object.fromEntries(MARKS.map((name, index) => [name, (1 << index) >>> 0])) as Record<
  Mark,
  number
>

export const markBit = (name: Mark): number => BITS[name]
