/** What counts for how much when the parts of a document are ranked for a goal. */
export const WEIGHTS = {
  /** Okapi b over sentences, rows and headings. */
  lengthPenalty: 0.5,
  /** Share at which headings, title and table header count for what stands under them. */
  context: 0.4,
  /** The same for whole paragraphs: the title of a short article is its subject. */
  paragraphContext: 0.8,
  paragraph: 0.5,
  /** The same for an example between fences: a long one has something of everything. */
  code: 0.25,
  /** Lent to the first lines of an example, of the score of what is said right before it. */
  example: [0.5, 0.3],
  /** The better of the two neighbours lends this much of its score. */
  neighbour: 0.25,
  /** Lent to the sentences after one that fits best, of its score; to each further one less. */
  sequel: 0.2,
  sequelDecay: 0.7,
  /** A table's score, lent to each of its rows. */
  table: 0.8,
  tableHeader: 0.7,
  tableBestRow: 0.5,
  /** A table's fit counts in full only when it holds all the goal's terms, by their weight; this much when it holds none. */
  tableCoverage: 0.4,
  /** Beside the best row of a table when the goal asks for what is before or after something; of that row's score. */
  askedNeighbour: 0.8,
  /** Rows that share a value with the row that the goal names, when it asks for "the same"; of that row's score. */
  askedSame: 0.5,
  /** How articles begin, under a title that has a word of the goal; of the best score. */
  lead: 0.1,
  /** Extremes of a column that the goal names, and of any other, when it holds a superlative; of the table's score. */
  namedExtreme: 0.6,
  anyExtreme: 0.2,
  /** First and last row when a superlative is asked for. */
  tableEnd: 0.3,
  /** A rare value in a column ruled by one value: asked for, and not. */
  odd: 0.5,
  unaskedOdd: 0.1,
  /** Headings and table headers are worth less than what they stand over. */
  heading: 0.5,
  header: 0.9,
  /** A number, where one is asked for. */
  amount: 1.3,
  /** Around the content of a page. */
  aside: 0.6,
} as const
