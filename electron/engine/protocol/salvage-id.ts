import { idFromText } from './exact-message.ts'
import type { RequestId } from './json-rpc.ts'

const ID = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`
/** SDKs write the id either before everything that can be large … */
const BEFORE_PAYLOAD = new RegExp(String.raw`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*${ID}`)
/** … or as the last field. One closing brace after it means that it is the message's own and not a nested one. */
const AFTER_PAYLOAD = new RegExp(String.raw`[,{]\s*${ID}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

/** The id of a message too large to be parsed, read from its two ends; undefined when neither end shows it. */
export function salvageId(line: { head: Buffer; tail: Buffer }): RequestId | undefined {
  const found =
    BEFORE_PAYLOAD.exec(line.head.toString())?.[1] ?? AFTER_PAYLOAD.exec(line.tail.toString())?.[1]
  return found === undefined ? undefined : idFromText(found)
}
