/** A character of a script without blanks says as much as several letters; with syllables of kana among them, less. */
const DENSE = 3
const WITH_KANA = 2
const FULL_STOP = /[\u3002\uff01\uff1f]/
const KANA = /[\u3041-\u30ff]/

/** How many letters a character says as much as: more where full stops of such a script end sentences. */
export const densityOf = (text: string): number =>
  !FULL_STOP.test(text) ? 1 : KANA.test(text) ? WITH_KANA : DENSE
