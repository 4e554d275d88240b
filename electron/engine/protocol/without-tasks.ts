import { MetaKey } from './era.ts'
import type { JsonObject } from './json-rpc.ts'
import { isJsonObject } from './json-rpc.ts'

/** The extension of 2026-07-28 whose results are tasks; 2025-11-25 has tasks of another kind. */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

/** Capabilities without that extension. */
export function withoutTasksExtension(capabilities: JsonObject): JsonObject {
  const { extensions, ...rest } = capabilities
  if (!isJsonObject(extensions) || !(TASKS_EXTENSION in extensions)) return capabilities
  const { [TASKS_EXTENSION]: _tasks, ...others } = extensions
  return Object.keys(others).length > 0 ? { ...rest, extensions: others } : rest
}

/** A request whose client does not say that it follows tasks: where Sluice is the server, nobody could ask for them. */
export function withoutTasks(params: JsonObject | undefined): JsonObject | undefined {
  const meta = params?.['_meta']
  const said = isJsonObject(meta) ? meta[MetaKey.clientCapabilities] : undefined
  if (!isJsonObject(meta) || !isJsonObject(said) || withoutTasksExtension(said) === said) return params
  return { ...params, _meta: { ...meta, [MetaKey.clientCapabilities]: withoutTasksExtension(said) } }
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** Whether a client says that it knows tasks, of either era. */
export const namesTasks = (capabilities: JsonObject): boolean =>
  isJsonObject(capabilities['tasks']) || withoutTasksExtension(capabilities) !== capabilities

/** Whether a request is about a task, or wants one. */
export const usesTasks = (method: string, params: JsonObject | undefined): boolean =>
  method.startsWith('tasks/') || isJsonObject(params?.['task'])

/** Whether a notification tells of a task. */
export const tellsOfTask = (method: string): boolean => method.startsWith('notifications/tasks')

/** A result, a question or a notification without the task that it belongs to. */
export function withoutRelatedTask<Value extends JsonObject | undefined>(value: Value): Value {
  const meta = value?.['_meta']
  if (!isJsonObject(meta) || !(RELATED_TASK in meta)) return value
  const { [RELATED_TASK]: _task, ...others } = meta
  const { _meta, ...bare } = value ?? {}
  return (Object.keys(others).length > 0 ? { ...value, _meta: others } : bare) as Value
}
