interface ArrayType<Typed> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, offset: number, length: number): Typed
}

/** The next array of a buffer. */
export type Take = <Typed>(type: ArrayType<Typed>, length: number) => Typed

/** Of all elements. */
const ALIGNED = 8

/** `arrays` takes the same ones each time. */
export function arraysIn<Arrays>(buffer: ArrayBufferLike, arrays: (take: Take) => Arrays): Arrays {
  let at = 0
  return arrays((type, length) => {
    const start = at
    at = Math.ceil((start + length * type.BYTES_PER_ELEMENT) / ALIGNED) * ALIGNED
    return new type(buffer, start, length)
  })
}

/** A buffer for them, which threads can share. */
export function roomFor(arrays: (take: Take) => unknown): SharedArrayBuffer {
  const nothing = new ArrayBuffer(0)
  let size = 0
  arrays((type, length) => {
    size += Math.ceil((length * type.BYTES_PER_ELEMENT) / ALIGNED) * ALIGNED
    return new type(nothing, 0, 0)
  })
  return new SharedArrayBuffer(size)
}
