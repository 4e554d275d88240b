import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

// Payloads are read field by field: an unknown one must pass, not fail.

export const textOf = (object: JsonObject | undefined, key: string): string | undefined => {
  const value = object?.[key]
  return typeof value === 'string' ? value : undefined
}

export const objectOf = (object: JsonObject | undefined, key: string): JsonObject | undefined => {
  const value = object?.[key]
  return isJsonObject(value) ? value : undefined
}

/** Where an app gives calls no id: equal input and output are one call. */
export const hashOfCall = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
