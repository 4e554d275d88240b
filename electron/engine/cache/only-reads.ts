import type { ToolCall } from '../message/call.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'

/**
 * Whether the user declares a tool read-only, or lets its server declare it. Otherwise it counts as writing; a
 * server's declaration that it writes wins unless the user names that tool.
 */
export function onlyReads({ policy, definition }: Pick<ToolCall, 'policy' | 'definition'>): boolean {
  const { readOnly } = policy.cache
  if (readOnly === 'no') return false
  const annotations = definition?.['annotations']
  const hint = isJsonObject(annotations) ? annotations['readOnlyHint'] : undefined
  return readOnly === 'marked' ? hint === true : policy.saysReadOnly === true || hint !== false
}
