import { stemmer } from 'stemmer'
import { type Language, wordSet } from './word-lists.ts'

/** "use" would become "us", too short. */
function porter(word: string): string {
  const stem = stemmer(word)
  return stem.length < 3 ? word : stem
}

/** As "base form form …": no rule finds their stem. */
const IRREGULAR = `
begin began begun|win won winner|lose lost|run ran|take took taken|make made|hold held|sell sold|send sent
build built|die died dead|child children|foot feet|tooth teeth|man men|woman women|person people|mouse mice
write wrote written|sing sang sung|fall fell fallen|grow grew grown|know knew known|lead led|leave left
pay paid|say said|see saw seen|shoot shot|speak spoke spoken|spend spent|stand stood|teach taught
think thought|throw threw thrown|buy bought|bring brought|come came|choose chose chosen|drive drove driven
eat ate eaten|fight fought|find found|fly flew flown|give gave given|go went gone|hear heard|keep kept
meet met|rise rose risen|catch caught|draw drew drawn|feel felt|forget forgot forgotten|get got gotten
hide hid hidden|mean meant|ride rode ridden|seek sought|shake shook shaken|sink sank sunk|sleep slept
steal stole stolen|strike struck|swim swam swum|tell told|understand understood|wear wore worn|wake woke woken
break broke broken|use used uses using|freeze froze frozen|bind bound|feed fed|lend lent|shut|good better best|bad worse worst|far farther farthest further furthest|many more most|few fewer fewest`

/** Porter ignores their comparatives. */
const ADJECTIVES = `long large big small high low old young tall short fast slow early late near deep wide heavy light strong weak cheap
great new rich poor hot cold quick hard soft warm narrow dark bright safe large close`

const baseOf = new Map<string, string>()
const formsOf = new Map<string, string[]>()
const withComparatives = (adjective: string): string => {
  const start = /^(?:big|hot)$/.test(adjective)
    ? adjective + adjective.slice(-1)
    : adjective.replace(/e$/, '').replace(/y$/, 'i')
  return `${adjective} ${start}er ${start}est`
}
for (const entry of [...IRREGULAR.split(/[|\n]/), ...ADJECTIVES.trim().split(/\s+/).map(withComparatives)]) {
  const [base, ...forms] = entry.trim().split(' ')
  if (base === undefined || base === '') continue
  const stem = porter(base)
  formsOf.set(stem, [...(formsOf.get(stem) ?? []), ...forms])
  for (const form of forms) baseOf.set(form, stem)
}

/**
 * English: Porter with irregular verbs, after undoing plurals: Porter alone gives "status" and "statuses" different
 * stems. Other languages: without the endings of their list, as light stemmers do (Savoy 2006).
 */
export function stemOf(word: string, language: Language = 'en'): string {
  if (language !== 'en') return withoutEnding(word, wordSet(language, 'endings'))
  const known = stems.get(word)
  if (known !== undefined) return known
  const stem = findStem(word)
  if (stems.size >= STEMS_KEPT) stems.clear()
  if (word.length <= LONGEST_KEPT) stems.set(word, stem)
  return stem
}

const LEAST_STEM = 4
const LONGEST_ENDING = 8

function withoutEnding(word: string, endings: ReadonlySet<string>): string {
  if (/\d/.test(word)) return word
  let stem = word
  for (let length = Math.min(LONGEST_ENDING, stem.length - LEAST_STEM); length > 0;) {
    if (!endings.has(stem.slice(-length))) length--
    else {
      stem = stem.slice(0, -length)
      length = Math.min(LONGEST_ENDING, stem.length - LEAST_STEM)
    }
  }
  return stem
}

/** Goals, synonyms and field names repeat words. */
const stems = new Map<string, string>()
const STEMS_KEPT = 20_000
/** Longer ones may be views retaining their text. */
const LONGEST_KEPT = 12

function findStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const base = baseOf.get(word)
  if (base !== undefined) return base
  const singular = singularOf(word)
  return endsLikeSingular(singular) ? singular : porter(singular)
}

export const irregularFormsOf = (stem: string): readonly string[] => formsOf.get(stem) ?? []

const endsLikeSingular = (word: string) => /(?:us|ss|is)$/.test(word)

function singularOf(word: string): string {
  if (endsLikeSingular(word)) return word
  if (word.length > 6 && word.endsWith('uses') && !/[aeo]uses$/.test(word)) return word.slice(0, -2)
  return word.length > 5 && /(?:ss|x|ch|sh|z)es$/.test(word) ? word.slice(0, -2) : word
}
