import type { ToolCall } from '../message/call.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'

/**
 * Whether the user says that a tool only reads, or lets its server say so. Anything else counts as a write; so does a tool
 * whose server says that it writes, unless the user speaks of that very tool.
 */
export function onlyReads({ policy, definition }: Pick<ToolCall, 'policy' | 'definition'>): boolean {
  const { readOnly } = policy.cache
  if (readOnly === 'no') return false
  const annotations = definition?.['annotations']
  const hint = isJsonObject(annotations) ? annotations['readOnlyHint'] : undefined
  return readOnly === 'marked' ? hint === true : policy.saysReadOnly === true || hint !== false
}
