import { SECRET_NAME } from './api-key.ts'
import { CARD_LABEL } from './credit-card.ts'
import { BIRTH_LABEL, DRIVER_LICENSE_LABEL, PASSPORT_LABEL } from './labelled.ts'
import { secretNamedBy } from './named-secret.ts'
import { numberLabelsIn } from './number-labels.ts'
import { PHONE_DEVICE } from './phone-labels.ts'
import { SSN_LABEL } from './ssn.ts'

const endingWord = ({ source }: RegExp): string => `(?:${source})(?:numbers?|num|no|nr)?(?![a-z])`
const LABEL = new RegExp(
  [
    ...[BIRTH_LABEL, PASSPORT_LABEL, DRIVER_LICENSE_LABEL, SSN_LABEL, CARD_LABEL].map(({ source }) => source),
    ...[PHONE_DEVICE, SECRET_NAME].map(endingWord),
  ].join('|'),
  'i',
)

/** Whether a finder may know it as the label of what follows; the finder decides. */
export const mayLabel = (header: string): boolean =>
  LABEL.test(header) || secretNamedBy(header) !== undefined || numberLabelsIn(header).length > 0
