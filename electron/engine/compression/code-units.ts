/** How many code units a scan that may end early copies at once, and how many can be copied. */
export const CHUNK = 2 ** 13
export const MOST_COPIED = 2 ** 16
/** Shorter parts of a text are copied one by one: the call that copies them all takes as long as so many. */
const COPIED_AT_ONCE = 48

/**
 * The code units that were copied last. A scan of an array takes half the time of one of a string, which V8 has to find
 * the characters of anew at each of them.
 */
export const copied = new Uint16Array(MOST_COPIED)
const bytes = Buffer.from(copied.buffer)

/** Copies a part of a text of at most MOST_COPIED code units into `copied`, from its beginning on. */
export function copyUnits(text: string, start: number, end: number): void {
  if (end - start < COPIED_AT_ONCE) for (let i = start; i < end; i++) copied[i - start] = text.charCodeAt(i)
  else bytes.write(text.slice(start, end), 0, 'utf16le')
}
