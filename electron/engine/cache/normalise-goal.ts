/** Irrelevant to a goal. Excludes "not", "without" and similar. */
const EMPTY_WORDS = new Set(
  `a an the of in on at for as and or is are was were be been being am do does did doing has have had it its this that
these those there here he she they we i you me him her them us my your his their our what which
can could would should will shall may might must please show tell give find list need want know get look display print
explain describe say says any some all just about information info details`.split(/\s+/),
)
/** Make order significant: "from a to b" isn't "from b to a". */
const ORDER_WORDS = new Set(
  `from to into by with without not no nor never except but only than then before after between since until above below
over under against through vs versus instead rather`.split(/\s+/),
)

const STRAY = /^[\s"'“”‘’`«»([{<¿¡,;:!?…]+|[\s"'“”‘’`«»)\]}>,;:!?….]+$/gu

/**
 * For goals with the same meaning: ignores case, punctuation, stop words, simple inflection and insignificant word
 * order. Signs within words and before numbers count: "C++" isn't "C#". `stemOf` takes lower case.
 */
export function normaliseGoal(goal: string | undefined, stemOf: (word: string) => string): string {
  const words = (goal ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replaceAll(STRAY, '').replace(/['’]s$/u, ''))
    .filter((word) => word !== '')
  const telling = words.filter((word) => !EMPTY_WORDS.has(word))
  const stems = (telling.length > 0 ? telling : words).map((word) => stemOf(word))
  return words.some((word) => ORDER_WORDS.has(word)) ? stems.join(' ') : [...new Set(stems)].sort().join(' ')
}
