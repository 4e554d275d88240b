import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseTokenRanks, type TokenRanks } from './token-ranks.ts'

/** From gpt-tokenizer: per line a base64 token, a space, its rank. */
export function loadTokenRanks(): TokenRanks {
  const path = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken')
  return parseTokenRanks(readFileSync(path))
}
