import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { readShared } from '../../ground/files/read-shared.ts'
import { createTokenTable, TokenRanks } from './token-ranks.ts'

/** Beside this module in a build, because creating it takes fifty times as long as reading it. */
export const TOKEN_TABLE = 'o200k_base.table'
/** Threads that start later share the table. */
const SHARED = 'sluice:token-table'

export function loadTokenRanks(): TokenRanks {
  const shared = getEnvironmentData(SHARED)
  if (shared instanceof SharedArrayBuffer) return new TokenRanks(shared)
  const table = import.meta.url.endsWith('.ts')
    ? shareable(tableOfPackage())
    : readShared(new URL(TOKEN_TABLE, import.meta.url))
  setEnvironmentData(SHARED, table)
  return new TokenRanks(table)
}

function shareable(bytes: Uint8Array): SharedArrayBuffer {
  const table = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(table).set(bytes)
  return table
}

/** From gpt-tokenizer. */
export function tableOfPackage(): Uint8Array {
  const path = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken')
  return new Uint8Array(createTokenTable(readFileSync(path)))
}
