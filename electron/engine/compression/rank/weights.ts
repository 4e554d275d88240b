export const WEIGHTS = {
  /** Okapi b over sentences, rows and headings. */
  lengthPenalty: 0.5,
  /** Share for headings, title and table header in the text under them. */
  context: 0.4,
  /** A short article's title is its subject. */
  paragraphContext: 0.8,
  paragraph: 0.5,
  /** The same for fenced examples: long ones mention everything. */
  code: 0.25,
  /** For an example's first lines, from the score of the text directly before it. */
  example: [0.5, 0.3],
  /** From the scores of the texts around, whatever paragraph they are in; less the farther. */
  around: 0.2,
  /** For sentences after the best match, from its score, decaying. */
  sequel: 0.2,
  sequelDecay: 0.7,
  /** Of the table's score, to each row. */
  table: 0.8,
  tableHeader: 0.7,
  tableBestRow: 0.5,
  /** Extremes of columns that the goal names, and of others, for superlatives; share of the table's score. */
  namedExtreme: 0.6,
  anyExtreme: 0.2,
  /** For superlatives. */
  tableEnd: 0.3,
  /** Rows beside a named one, for "after" and "before"; share of the table's score. */
  neighbour: 0.4,
  /** Headings and table headers, relative to their content. */
  heading: 0.5,
  header: 0.9,
  /** What looks like a value of the asked type. */
  asked: 1.3,
  aside: 0.6,
  /** Fields of a mail's head, signatures. */
  meta: 0.5,
} as const
