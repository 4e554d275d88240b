/** "Latin: look-alikes", from Unicode's confusables (UTS #39): those indistinguishable in running text. */
const PAIRS: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'ЬƄ',
  c: 'сϲⅽ',
  d: 'ԁⅾ',
  e: 'еҽ℮',
  f: 'ϝẝ',
  g: 'ɡԍ',
  h: 'һհ',
  i: 'іɩιı',
  j: 'јϳ',
  k: 'κк',
  l: 'ӏⅼ',
  m: 'ⅿм',
  n: 'ոп',
  o: 'оοօσ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гᴦ',
  s: 'ѕ',
  t: 'τт',
  u: 'υսц',
  v: 'νѵⅴ',
  w: 'ԝωѡ',
  x: 'хχⅹ',
  y: 'уүγ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  E: 'ЕΕ',
  H: 'НΗ',
  I: 'ІΙӀ',
  J: 'Ј',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  O: 'ОΟ',
  P: 'РΡ',
  S: 'Ѕ',
  T: 'ТΤ',
  X: 'ХΧ',
  Y: 'ҮΥ',
  Z: 'Ζ',
}

const LATIN_OF = new Map(
  Object.entries(PAIRS).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
)

export const latinLookAlike = (character: string): string | undefined => LATIN_OF.get(character)

/** None takes two units. */
export const LOOK_ALIKES: readonly string[] = [...LATIN_OF.keys()]
