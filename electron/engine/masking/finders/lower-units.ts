/** Small letters, of the scripts below it that have them. */
export const LOWERED = 0x530

/** Code units with those letters as small ones. */
export const LOWER = Uint16Array.from({ length: 0x10000 }, (_, code) =>
  code < LOWERED ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : code,
)
