import { resultIndex } from './0001-result-index.ts'
import { ledger } from './0002-ledger.ts'
import { ledgerAdditions } from './0003-ledger-additions.ts'
import { quarantine } from './0004-quarantine.ts'
import { placeholderNumbers } from './0005-placeholder-numbers.ts'
import { boundedWork } from './0006-bounded-work.ts'
import { savings } from './0007-savings.ts'
import { callSums } from './0008-call-sums.ts'
import { transcripts } from './0009-transcripts.ts'
import type { Migration } from './migrate.ts'

/** Append only. */
export const migrations: readonly Migration[] = [
  resultIndex,
  ledger,
  ledgerAdditions,
  quarantine,
  placeholderNumbers,
  boundedWork,
  savings,
  callSums,
  transcripts,
]
