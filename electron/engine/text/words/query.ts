/** The words that texts are searched for. Term ids are indexes into `terms` and into every TermCounts. */
export interface Query {
  readonly terms: readonly { readonly weight: number }[]
  /** Terms that stand side by side in the query, as `first * terms.length + second`. */
  readonly pairs: ReadonlySet<number>
  /** Term ids that a folded word of the content counts for: stem first, then the exact form. */
  termsOf(word: string): readonly number[]
  /** By placeOfBeginning: 0 where no word beginning like this can match, which spares the look-up. */
  readonly beginnings: Uint8Array
}
