import { z } from 'zod'

/** `person` and `address` are guesses and opt-in. */
export const PERSONAL_DATA_TYPES = [
  'email',
  'phone',
  'ssn',
  'credit_card',
  'ip_address',
  'date_of_birth',
  'passport',
  'driver_license',
  'national_id',
  'iban',
  'api_key',
  'person',
  'address',
] as const
export type PersonalDataType = (typeof PERSONAL_DATA_TYPES)[number]

export const DEFAULT_PERSONAL_DATA_TYPES: readonly PersonalDataType[] = PERSONAL_DATA_TYPES.filter(
  (type) => type !== 'person' && type !== 'address',
)

/** For texts that looked like placeholders before masking. */
export const LITERAL_PLACEHOLDER = 'LITERAL'

const PLACEHOLDER_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/

export const CustomPattern = z.strictObject({
  regex: z
    .string()
    .min(1)
    .max(1000)
    .describe('What to mask: a regular expression in RE2 syntax. "(?i)" at its start ignores case.'),
  placeholder: z
    .string()
    .max(40)
    .regex(PLACEHOLDER_NAME, 'Use capital letters, digits and single underscores, such as EMPLOYEE_ID.')
    .refine((name) => name !== LITERAL_PLACEHOLDER, `${LITERAL_PLACEHOLDER} is used by Sluice itself.`)
    .describe('Name of its placeholders: EMPLOYEE_ID gives [EMPLOYEE_ID_1].'),
})
export type CustomPattern = z.infer<typeof CustomPattern>

export const MaskingPolicy = z.strictObject({
  direction: z
    .enum(['off', 'from-server', 'from-model'])
    .describe(
      'Who sees placeholders such as [EMAIL_1] in place of personal data. from-server: the server, while the model goes on with the real values. from-model: the model, while the server gets the real values back.',
    ),
  types: z
    .array(z.enum(PERSONAL_DATA_TYPES))
    .readonly()
    .describe(
      'What is masked. person and address are guesses: about four in ten of their hits are something else.',
    ),
  customPatterns: z
    .record(z.string().min(1), CustomPattern)
    .describe('Further patterns by any name; those of server and tool join the general ones.'),
})
export type MaskingPolicy = z.infer<typeof MaskingPolicy>
