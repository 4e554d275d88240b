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
