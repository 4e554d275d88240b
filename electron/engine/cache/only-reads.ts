import type { ToolCall } from '../call.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'

/** Whether the user says that a tool only reads, or lets its server say so. Anything else counts as a write. */
export function onlyReads({ policy, definition }: Pick<ToolCall, 'policy' | 'definition'>): boolean {
  const { readOnly } = policy.cache
  if (readOnly !== 'marked') return readOnly === 'yes'
  const annotations = definition?.['annotations']
  return isJsonObject(annotations) && annotations['readOnlyHint'] === true
}
