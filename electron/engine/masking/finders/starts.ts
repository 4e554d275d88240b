import { AUTHORIZATION, KNOWN_START, SECRET_NAME } from './api-key.ts'
import { BIRTH_LABEL, DRIVER_LICENSE_LABEL, PASSPORT_LABEL } from './labelled.ts'
import { patternStarts, type PatternStarts } from './pattern-starts.ts'

export type Starts = PatternStarts<
  'authorization' | 'birth' | 'driverLicense' | 'passport' | 'secretName' | 'token'
>

/** Where the matches of the patterns that have many words may begin. */
export const startsIn: (text: string) => Starts = patternStarts({
  authorization: AUTHORIZATION,
  birth: BIRTH_LABEL,
  driverLicense: DRIVER_LICENSE_LABEL,
  passport: PASSPORT_LABEL,
  secretName: SECRET_NAME,
  token: KNOWN_START,
})
