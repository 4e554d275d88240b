import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { publicUri } from './public-names.ts'

const withUri = (serverId: string, value: JsonObject, field = 'uri'): JsonObject =>
  typeof value[field] === 'string' ? { ...value, [field]: publicUri(serverId, value[field]) } : value

const mapObjects = (list: unknown, change: (item: JsonObject) => JsonObject): unknown =>
  Array.isArray(list) ? list.map((item: unknown) => (isJsonObject(item) ? change(item) : item)) : list

/** Makes returned links readable. */
function publicContent(serverId: string, block: JsonObject): JsonObject {
  if (block['type'] === 'resource_link') return withUri(serverId, block)
  if (block['type'] === 'resource' && isJsonObject(block['resource'])) {
    return { ...block, resource: withUri(serverId, block['resource']) }
  }
  return block
}

/** Only URIs that MCP defines, not those in texts. */
export function publicResult(serverId: string, method: string, result: JsonObject): JsonObject {
  switch (method) {
    case 'tools/call':
      return Array.isArray(result['content'])
        ? { ...result, content: mapObjects(result['content'], (block) => publicContent(serverId, block)) }
        : result
    case 'prompts/get':
      return {
        ...result,
        messages: mapObjects(result['messages'], (message) =>
          isJsonObject(message['content'])
            ? { ...message, content: publicContent(serverId, message['content']) }
            : message,
        ),
      }
    case 'resources/read':
      return { ...result, contents: mapObjects(result['contents'], (item) => withUri(serverId, item)) }
    case 'resources/list':
      return { ...result, resources: mapObjects(result['resources'], (item) => withUri(serverId, item)) }
    case 'resources/templates/list':
      return {
        ...result,
        resourceTemplates: mapObjects(result['resourceTemplates'], (item) =>
          withUri(serverId, item, 'uriTemplate'),
        ),
      }
    default:
      return result
  }
}

/** The tool's user interface (MCP Apps). */
export function publicTool(serverId: string, tool: JsonObject): JsonObject {
  const meta = tool['_meta']
  if (!isJsonObject(meta)) return tool
  const flat = withUri(serverId, meta, 'ui/resourceUri')
  const nested = isJsonObject(flat['ui'])
    ? { ...flat, ui: withUri(serverId, flat['ui'], 'resourceUri') }
    : flat
  return { ...tool, _meta: nested }
}

/** Notifications, if several servers share the client. */
export function publicSaying(
  serverId: string,
  method: string,
  params: JsonObject | undefined,
): JsonObject | undefined {
  if (method === 'notifications/resources/updated' && typeof params?.['uri'] === 'string')
    return { ...params, uri: publicUri(serverId, params['uri']) }
  if (method !== 'notifications/message') return params
  const logger = typeof params?.['logger'] === 'string' ? `${serverId}/${params['logger']}` : serverId
  return { ...params, logger }
}
