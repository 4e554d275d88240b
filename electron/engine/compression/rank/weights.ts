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
  /** From the better neighbour's score. */
  neighbour: 0.25,
  /** From the scores of the texts around, whatever paragraph they are in; less the farther. */
  around: 0.2,
  /** For sentences after the best match, from its score, decaying. */
  sequel: 0.2,
  sequelDecay: 0.7,
  /** Of the table's score, to each row. */
  table: 0.8,
  tableHeader: 0.7,
  tableBestRow: 0.5,
  /** Factor on a table's fit without any goal term; 1 with all. */
  tableCoverage: 0.4,
  /** Neighbours of a table's best row when the goal asks for before or after; share of its score. */
  askedNeighbour: 0.8,
  /** Rows that share a value with the named row when the goal asks for "the same"; share of its score. */
  askedSame: 0.5,
  /** Starts of articles whose title contains a goal word; share of the best score. */
  lead: 0.1,
  /** Extremes of columns that the goal names, and of others, for superlatives; share of the table's score. */
  namedExtreme: 0.6,
  anyExtreme: 0.2,
  /** For superlatives. */
  tableEnd: 0.3,
  /** A rare value in a column dominated by one: requested, and not. */
  odd: 0.5,
  unaskedOdd: 0.1,
  /** Headings and table headers, relative to their content. */
  heading: 0.5,
  header: 0.9,
  /** What looks like a value of the asked type. */
  asked: 1.3,
  aside: 0.6,
} as const
