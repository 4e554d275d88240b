import { AUTHORIZATION, KNOWN_START, SECRET_NAME } from './api-key.ts'
import { BIRTH_LABEL, DRIVER_LICENSE_LABEL, PASSPORT_LABEL } from './labelled.ts'
import type { Starts } from '../personal-data.ts'
import { patternStarts } from './pattern-starts.ts'

export const startsIn: (text: string) => Starts = patternStarts({
  authorization: AUTHORIZATION,
  birth: BIRTH_LABEL,
  driverLicense: DRIVER_LICENSE_LABEL,
  passport: PASSPORT_LABEL,
  secretName: SECRET_NAME,
  token: KNOWN_START,
})
