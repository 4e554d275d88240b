import { MetaKey } from './era.ts'
import type { JsonObject } from './json-rpc.ts'
import { isJsonObject } from './json-rpc.ts'

/** Tasks as results, from 2026-07-28; those of 2025-11-25 differ. */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

export function withoutTasksExtension(capabilities: JsonObject): JsonObject {
  const { extensions, ...rest } = capabilities
  if (!isJsonObject(extensions) || !(TASKS_EXTENSION in extensions)) return capabilities
  const { [TASKS_EXTENSION]: _tasks, ...others } = extensions
  return Object.keys(others).length > 0 ? { ...rest, extensions: others } : rest
}

/** Where Sluice is the server, tasks can't be polled. */
export function withoutTasks(params: JsonObject | undefined): JsonObject | undefined {
  const meta = params?.['_meta']
  const declared = isJsonObject(meta) ? meta[MetaKey.clientCapabilities] : undefined
  if (!isJsonObject(meta) || !isJsonObject(declared) || withoutTasksExtension(declared) === declared)
    return params
  return { ...params, _meta: { ...meta, [MetaKey.clientCapabilities]: withoutTasksExtension(declared) } }
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

export const namesTasks = (capabilities: JsonObject): boolean =>
  isJsonObject(capabilities['tasks']) || withoutTasksExtension(capabilities) !== capabilities

/** About a task, or wanting one. */
export const usesTasks = (method: string, params: JsonObject | undefined): boolean =>
  method.startsWith('tasks/') || isJsonObject(params?.['task'])

export const tellsOfTask = (method: string): boolean => method.startsWith('notifications/tasks')

export function withoutRelatedTask<Value extends JsonObject | undefined>(value: Value): Value {
  const meta = value?.['_meta']
  if (!isJsonObject(meta) || !(RELATED_TASK in meta)) return value
  const { [RELATED_TASK]: _task, ...others } = meta
  const { _meta, ...bare } = value ?? {}
  return (Object.keys(others).length > 0 ? { ...value, _meta: others } : bare) as Value
}
