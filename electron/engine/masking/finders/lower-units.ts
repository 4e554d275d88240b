/** Small letters, of the scripts below it that have them. */
export const LOWERED = 0x530

/** Code units with those letters as small ones. */
export const LOWER = new Uint16Array(0x10000)
for (let code = 0; code < LOWER.length; code++)
  LOWER[code] = code < LOWERED ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : code
