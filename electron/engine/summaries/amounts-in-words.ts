export interface AmountInWords {
  readonly text: string
  readonly amount: number
}

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  dozen: 12,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
}
const SMALL = new Map<string, number>([
  ...UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, 20 + 10 * index] as const),
])
const WORD = [...SMALL.keys(), ...Object.keys(SCALES)].join('|')
const AMOUNT = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:${[...SMALL.keys()].join('|')})(?:(?:[ -]|,? and )(?:${WORD}))*(?![\p{L}\p{N}])`,
  'giu',
)
/** Small numbers are a summary's own counting ("two things"), not facts. */
const LARGEST_OWN_COUNT = 12

export const amountsInWords = (text: string): AmountInWords[] =>
  [...text.matchAll(AMOUNT)]
    .map(([words]) => ({ text: words, amount: amountOf(words) }))
    .filter(({ amount }) => amount > LARGEST_OWN_COUNT)

function amountOf(words: string): number {
  let total = 0
  let below = 0
  for (const word of words.toLowerCase().split(/[^a-z]+/)) {
    const scale = SCALES[word]
    if (scale === undefined) below += SMALL.get(word) ?? 0
    else if (scale < 1000) below *= scale
    else {
      total += below * scale
      below = 0
    }
  }
  return total + below
}
