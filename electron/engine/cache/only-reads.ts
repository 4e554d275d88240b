import type { ToolCall } from '../message/call.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'

/**
 * Declared by the user, or by the server if the user allows that; otherwise the tool writes. A server's declaration
 * that it writes wins unless the user names that tool.
 */
export function onlyReads({ policy, definition }: Pick<ToolCall, 'policy' | 'definition'>): boolean {
  const { readOnly } = policy.cache
  if (readOnly === 'no') return false
  const annotations = definition?.['annotations']
  const hint = isJsonObject(annotations) ? annotations['readOnlyHint'] : undefined
  return readOnly === 'marked' ? hint === true : policy.saysReadOnly === true || hint !== false
}
