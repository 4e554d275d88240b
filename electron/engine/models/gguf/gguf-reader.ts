import type { FileHandle } from 'node:fs/promises'
import { SluiceError } from '../../ground/errors.ts'

const CHUNK_BYTES = 256 * 1024
/** The largest vocabularies need 10 MB: larger headers are rejected before allocating memory. */
const LARGEST_HEADER = 64 * 1024 * 1024

/** Within the file's length. Every fault is a MODEL_FILE_INVALID. */
export class GgufReader {
  readonly #file: FileHandle
  readonly #end: number
  #chunk: Buffer = Buffer.alloc(0)
  #chunkStart = 0
  #position = 0

  constructor(file: FileHandle, size: number) {
    this.#file = file
    this.#end = Math.min(size, LARGEST_HEADER)
  }

  get position(): number {
    return this.#position
  }

  get left(): number {
    return this.#end - this.#position
  }

  async u32(): Promise<number> {
    return (await this.#take(4)).readUInt32LE()
  }

  /** Count, length or offset. */
  async u64(): Promise<number> {
    const value = (await this.#take(8)).readBigUInt64LE()
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged('it names an impossible size')
    return Number(value)
  }

  async number(type: NumberType): Promise<number> {
    const { bytes, read } = NUMBERS[type]
    return read(await this.#take(bytes))
  }

  async text(longest: number): Promise<string> {
    const length = await this.u64()
    if (length > longest) throw damaged(`it holds a text of ${length} bytes where ${longest} are the most`)
    return (await this.#take(length)).toString('utf8')
  }

  skip(bytes: number): void {
    if (bytes > this.left) throw cutOff()
    this.#position += bytes
  }

  async skipText(): Promise<void> {
    this.skip(await this.u64())
  }

  async #take(bytes: number): Promise<Buffer> {
    if (bytes > this.left) throw cutOff()
    const from = this.#position - this.#chunkStart
    if (from < 0 || from + bytes > this.#chunk.length) {
      await this.#fill(bytes)
      return this.#take(bytes)
    }
    this.#position += bytes
    return this.#chunk.subarray(from, from + bytes)
  }

  async #fill(bytes: number): Promise<void> {
    const buffer = Buffer.alloc(Math.min(Math.max(bytes, CHUNK_BYTES), this.left))
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#position)
    // The file is being truncated.
    if (bytesRead < bytes) throw cutOff()
    this.#chunk = buffer.subarray(0, bytesRead)
    this.#chunkStart = this.#position
  }
}

export type NumberType = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'f32' | 'u64' | 'i64' | 'f64'

export const NUMBERS: Readonly<Record<NumberType, { bytes: number; read: (from: Buffer) => number }>> = {
  u8: { bytes: 1, read: (from) => from.readUInt8() },
  i8: { bytes: 1, read: (from) => from.readInt8() },
  u16: { bytes: 2, read: (from) => from.readUInt16LE() },
  i16: { bytes: 2, read: (from) => from.readInt16LE() },
  u32: { bytes: 4, read: (from) => from.readUInt32LE() },
  i32: { bytes: 4, read: (from) => from.readInt32LE() },
  f32: { bytes: 4, read: (from) => from.readFloatLE() },
  u64: { bytes: 8, read: (from) => Number(from.readBigUInt64LE()) },
  i64: { bytes: 8, read: (from) => Number(from.readBigInt64LE()) },
  f64: { bytes: 8, read: (from) => from.readDoubleLE() },
}

const cutOff = (): SluiceError => damaged('it ends too early: part of it is missing')

/** The caller prepends the file's name. */
export const damaged = (why: string): SluiceError => new SluiceError('MODEL_FILE_INVALID', why)
