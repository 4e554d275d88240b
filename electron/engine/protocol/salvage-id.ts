import { idFromText } from './exact-message.ts'
import type { RequestId } from './json-rpc.ts'

const ID = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`
/** SDKs write the id before large members … */
const BEFORE_PAYLOAD = new RegExp(String.raw`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*${ID}`)
/** … or last. A single closing brace after it belongs to the message, not a nested object. */
const AFTER_PAYLOAD = new RegExp(String.raw`[,{]\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

/** For a message too large to parse; undefined if neither end has it. */
export function salvageId(line: { head: Buffer; tail: Buffer }): RequestId | undefined {
  const found =
    BEFORE_PAYLOAD.exec(line.head.toString())?.[1] ?? AFTER_PAYLOAD.exec(line.tail.toString())?.[1]
  return found === undefined ? undefined : idFromText(found)
}
