/** Code, quotes, addresses and lists. */
const VERBATIM =
  /(```[\s\S]*?```|`[^`\n]*`|"[^"\n]*"|'[^'\n]{1,80}'(?![a-z])|<[^>\n]+>|\{[^}\n]*\}|https?:\/\/\S+)/
/** Without information. */
const PRAISE =
  /(^|(?<!\d)[.!?]\s+|\n)(?:This (?:tool )?is (?:very |especially |particularly )?(?:useful|ideal|helpful|perfect|great|essential|more efficient)|(?:Perfect|Ideal|Useful|Great|Helpful|Essential) for)\b[^.!?\n]*[.!?]\s*/g
/** Filler phrases and their shorter forms. */
const SHORTER: readonly (readonly [RegExp, string])[] = [
  [/^#{1,6} /gm, ''],
  [/[^\S\n]+/g, ' '],
  [/ ?\n(?: ?\n)+/g, '\n'],
  [/\b(?:please )?note(?: that|:(?: that)?) /gi, ''],
  [/\bplease /gi, ''],
  [/\bin order to\b/gi, 'to'],
  [/\bis used to\b/gi, 'will'],
  [/\bcan be used to\b/gi, 'can'],
  [
    /\b(i)f (?:(?:it|this)(?: is|'s) )?not (?:provided|specified|supplied|given|passed|set)(?=\s*(?:[,.;:)]|$))/gi,
    '$1f omitted',
  ],
  [/\b(creates?|adds?|generates?)( multiple)?(?: an?)? new\b/gi, '$1$2'],
  [/(?<!\b(?:an?|the|more|less|of|as) )\bspecific (?=\p{Letter}+s\b)/gu, ''],
  [/\b(is|are|be) set to (?=(?:true|false)\b)/gi, '$1 '],
  [/\ballows (?:you|users?|clients?) to\b/gi, 'can'],
  [/\bthis (?:tool|function) (?:(?:will|can) |(?=[a-z]+s\b))/gi, ''],
  [/\b(u)se this(?: (?:tool|function))? (?:when|if) you (?:need|want) to\b/gi, '$1se to'],
  [/\b(u)se this (?:tool|function)\b/gi, '$1se'],
  [/\ba (?:list|array) of\b/gi, 'list of'],
  [/\bdue to the fact that\b/gi, 'because'],
  [
    /\b(?:the|an?) (?:given|provided|specified|specific|particular|corresponding|desired) (?=\p{Letter})/giu,
    '',
  ],
  [/\bspecified by\b/gi, 'by'],
  [/,? for example,? /g, ', e.g. '],
  [/\bas well as\b/gi, 'and'],
  [/\b(?:is|are) able to\b/gi, 'can'],
  [/\bmake sure (?:that )?(?=\p{Letter})/giu, 'ensure '],
  [/\b(?:that|which) (?:is|are|was|were) (?=\p{Letter}+ed\b)/giu, ''],
  [/\b(?:has|have|needs?) to be\b/gi, 'must be'],
  [/\b(?:also|simply|very|easily|quickly|currently) (?=\p{Letter})/giu, ''],
  // Not the name "a", nor articles of quantity.
  [
    /(?<![\p{Letter}\p{Number}_/.'’-])(?:the|an|a) (?=[\p{Letter}\p{Number}]|$)(?!(?:and|or|is|to|of|by|as|with|from) |(?:few|little|bit|lot|while|time)\b)/gu,
    '',
  ],
  [
    /(^|[.!?:(]\s*|\n\s*(?:[-*•] )?)(?:The|An|A) (?=[\p{Letter}\p{Number}]|$)(?!(?:and|or|few|little) )/gu,
    '$1',
  ],
]

/** Removes articles, decoration and filler. Quoted and bracketed text, numbers, names and negations stay. */
export function slimWords(text: string): string {
  const plain = text.replace(PRAISE, '$1').replace(/\*\*([^*\n]+)\*\*/g, '$1')
  const parts = plain.split(VERBATIM).map((part, index) => (index % 2 === 1 ? minified(part) : shorter(part)))
  const slim = parts.join('').trim()
  return slim.length < text.length ? slim : text
}

function minified(part: string): string {
  const [, json] = /^```(?:json)?\s*\n([\s\S]*?)\n?\s*```$/.exec(part) ?? []
  if (json === undefined) return part
  try {
    return `\`${JSON.stringify(JSON.parse(json))}\``
  } catch {
    return part
  }
}

/** Doesn't capitalise: names look like other words. */
const shorter = (part: string): string =>
  SHORTER.reduce((text, [phrase, words]) => text.replace(phrase, words), part)

/** Only connect others. */
const JOINING = new Set(
  'a an the of in on at for to by with and is are be this that it its which where when will as used use your you want item items value values given provided specified optional whether if should can will true associated related whose specify indicate represent choose select perform return retrieve fetch get provide what result array list string number boolean object integer'.split(
    ' ',
  ),
)

/** Names or other texts already contain every word. */
export function saysNothingMore(text: string, stated: readonly string[]): boolean {
  if (/\d|[`"'<{[(:;]/.test(text)) return false
  const known = new Set(stated.flatMap(wordsOf))
  const words = wordsOf(text).filter((word) => !JOINING.has(word))
  return words.every((word) => known.has(word))
}

const SHORT_FOR = new Map(
  Object.entries({
    repo: 'repository',
    dir: 'directory',
    id: 'identifier',
    max: 'maximum',
    min: 'minimum',
  }).concat(
    Object.entries({
      num: 'number',
      msg: 'message',
      org: 'organization',
      env: 'environment',
      info: 'information',
    }),
  ),
)

/** Lower case, singular; `entityTypes` and `entity_types` are two words each. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Lowercase})(\p{Uppercase})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '')
    .map((word) => SHORT_FOR.get(word) ?? word)
    .map((word) => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<=[^s])s$/, '')))
