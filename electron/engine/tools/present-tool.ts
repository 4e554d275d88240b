import type { ToolPolicy } from '../../../shared/settings.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { forPlaceholders } from './loosen-strings.ts'
import { parsePath, withoutParameter } from './parameter-paths.ts'
import { plainSchema } from './schemas/plain-schema.ts'
import { slimTool } from './slim/slim-tool.ts'
import { takesPlainSchemas } from '../settings/known-apps.ts'

export const GOAL_PARAMETER = '_sluice_goal'
export const BYPASS_PARAMETER = '_sluice_bypass'

const ownParameters: JsonObject = {
  [GOAL_PARAMETER]: {
    type: 'string',
    description: 'What you are looking for; a large result keeps what fits it.',
  },
  [BYPASS_PARAMETER]: { type: 'boolean', description: 'true: the last result of this same call, whole.' },
}

export interface ShownTo {
  /** Sluice's own parameters. */
  readonly offersGoal: boolean
  /** Self-reported. */
  readonly client: string
  readonly listed: Set<string>
}

/** Returns the same object without overrides, so that unconfigured servers list unchanged. */
export function presentTool(
  definition: JsonObject,
  policy: ToolPolicy,
  { offersGoal, client, listed }: ShownTo,
): JsonObject {
  const fitting = forPlaceholders(definition, policy)
  const described =
    policy.description === undefined ? fitting : { ...fitting, description: policy.description }
  const trimmed = policy.hideParameters.reduce((tool, path) => {
    const schema = tool['inputSchema']
    return isJsonObject(schema) ? { ...tool, inputSchema: withoutParameter(schema, parsePath(path)) } : tool
  }, described)
  const plain = takesPlainSchemas(policy, client) ? withPlainSchema(trimmed) : trimmed
  const slim = policy.toolList.slim ? slimTool(plain, listed) : plain
  // Without shortening a goal would only cost tokens.
  return offersGoal && policy.compression.strategy !== 'off' ? withOwnParameters(slim) : slim
}

function withPlainSchema(definition: JsonObject): JsonObject {
  const { inputSchema: schema } = definition
  const plain = isJsonObject(schema) ? plainSchema(schema) : schema
  return plain === schema ? definition : { ...definition, inputSchema: plain }
}

function withOwnParameters(definition: JsonObject): JsonObject {
  const schema = isJsonObject(definition['inputSchema']) ? definition['inputSchema'] : { type: 'object' }
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return { ...definition, inputSchema: { ...schema, properties: { ...properties, ...ownParameters } } }
}
