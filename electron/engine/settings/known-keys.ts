import { z } from 'zod'
import { Settings } from '../../../shared/settings.ts'
import type { SettingsPath } from './settings-problem.ts'

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
}

let schema: SchemaNode | undefined
/** From the zod schema, on the first mistake, because it would delay every start. */
const schemaOfSettings = (): SchemaNode =>
  (schema ??= z.toJSONSchema(Settings, { io: 'input' }) as SchemaNode)

/** From other programs or habits. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  arguments: 'args',
  cmd: 'command',
  environment: 'env',
  exclude: 'hideParameters',
  hide: 'hidden',
  overrides: 'parameterOverrides',
  overwriteDescription: 'description',
  maxTokens: 'maxOutputTokens',
  threshold: 'tokenThreshold',
  ttl: 'ttlSeconds',
  upstreams: 'servers',
  context_servers: 'servers',
  mcp_servers: 'servers',
  workingDirectory: 'cwd',
}

export const knownKeys = (path: SettingsPath): string[] => Object.keys(nodeAt(path)?.properties ?? {})

export function keyByMeaning(key: string, path: SettingsPath): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined
  const node = nodeAt(path)
  if (other !== undefined && node?.properties && Object.hasOwn(node.properties, other)) {
    return `Did you mean "${other}"?`
  }
  for (const [name, child] of Object.entries(node?.properties ?? {})) {
    if (child.properties && Object.hasOwn(child.properties, key)) return `It belongs into "${name}".`
  }
  return undefined
}

function nodeAt(path: SettingsPath): SchemaNode | undefined {
  let node: SchemaNode | undefined = schemaOfSettings()
  for (const part of path) {
    if (!node) return undefined
    if (typeof part === 'number') node = node.items
    else if (node.properties && Object.hasOwn(node.properties, part)) node = node.properties[part]
    else node = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
  }
  return node
}
