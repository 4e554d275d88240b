/** How many code units a scan that may end early copies at once, and how many can be copied. */
export const CHUNK = 2 ** 13
export const MOST_COPIED = 2 ** 16
/** Shorter parts of a text are copied one by one: the call that copies them all takes as long as that many. */
const COPIED_AT_ONCE = 48

/**
 * The code units that were copied last. A scan of an array takes half the time of one of a string, which V8 has to find
 * the characters of again at each of them.
 */
export const copied = new Uint16Array(MOST_COPIED)
const bytes = Buffer.from(copied.buffer)

/** Copies a part of a text of at most MOST_COPIED code units into `copied`, from its beginning on. */
export const copyUnits = (text: string, start: number, end: number): void =>
  copyInto(copied, bytes, text, start, end)

/** A place of its own for a scan that goes on after others have used `copied`. */
export class UnitWindow {
  readonly units = new Uint16Array(MOST_COPIED)
  readonly #bytes = Buffer.from(this.units.buffer)

  copy(text: string, start: number, end: number): void {
    copyInto(this.units, this.#bytes, text, start, end)
  }
}

function copyInto(units: Uint16Array, into: Buffer, text: string, start: number, end: number): void {
  if (end - start < COPIED_AT_ONCE) for (let i = start; i < end; i++) units[i - start] = text.charCodeAt(i)
  else into.write(text.slice(start, end), 0, 'utf16le')
}
