/** Code units copied at once by scans that may end early, and the maximum. */
export const CHUNK = 2 ** 13
export const MOST_COPIED = 2 ** 16
/** Shorter parts are copied individually: the bulk call takes as long as this many. */
const COPIED_AT_ONCE = 48

/** Last copied code units. Scanning an array takes half a string's time, where V8 locates each character. */
export const copied = new Uint16Array(MOST_COPIED)
const bytes = Buffer.from(copied.buffer)

/** Copies at most MOST_COPIED code units to the start of `copied`. */
export const copyUnits = (text: string, start: number, end: number): void =>
  copyInto(copied, bytes, text, start, end)

/** For scans that continue after others used `copied`. */
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
