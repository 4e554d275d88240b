import { SluiceError } from '../errors.ts'

/** Parses JSON on another thread; may take the bytes' memory away. */
export type ParseLarge = (bytes: Uint8Array) => Promise<unknown>

/** From this size on, parsing would hold up everything else on the main thread for milliseconds. */
export const LARGE_BYTES = 1_000_000

export const tooLarge = (bytes: number, limit: number): SluiceError =>
  new SluiceError(
    'MESSAGE_TOO_LARGE',
    `The server's answer has ${bytes} bytes or more, over the limit of ${limit} (limits.maxMessageBytes in config.json). Ask for less, or raise the limit.`,
    { data: { bytes, limit } },
  )
