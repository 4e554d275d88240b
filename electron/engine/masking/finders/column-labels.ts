import { SECRET_NAME } from './api-key.ts'
import { CARD_LABEL } from './credit-card.ts'
import { BIRTH_LABEL, DRIVER_LICENSE_LABEL, PASSPORT_LABEL } from './labelled.ts'
import { secretNamedBy } from './named-secret.ts'
import { numberLabelsIn } from './number-labels.ts'
import { PHONE_DEVICE } from './phone-labels.ts'
import { SSN_LABEL } from './ssn.ts'

const LABELS: readonly RegExp[] = [
  BIRTH_LABEL,
  PASSPORT_LABEL,
  DRIVER_LICENSE_LABEL,
  SSN_LABEL,
  CARD_LABEL,
  ...endingWords(PHONE_DEVICE, SECRET_NAME),
]

function endingWords(...labels: readonly RegExp[]): RegExp[] {
  return labels.map(({ source }) => new RegExp(`(?:${source})(?:numbers?|num|no|nr)?(?![a-z])`, 'i'))
}

/** Whether a finder may know it as the label of what follows; the finder decides. */
export const mayLabel = (header: string): boolean =>
  secretNamedBy(header) !== undefined ||
  numberLabelsIn(header).length > 0 ||
  LABELS.some((label) => header.search(label) >= 0)
