import { z } from 'zod'
import { didYouMean } from '../ground/nearest.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { ToolStatus } from '../../../shared/api/tools.ts'
import type { ToolPolicy } from '../../../shared/settings.ts'
import { parsePath } from './parameter-paths.ts'

/** Between a tool's settings and definition. An error makes calls fail; a warning has no effect. */
type ToolSettingsProblem = ToolStatus['problems'][number]

type Checked = Pick<ToolPolicy, 'hideParameters' | 'parameterOverrides'>

/**
 * A hidden required parameter without override, or an override that its schema refuses, is an error; an unknown name is
 * a warning.
 */
export function checkToolSettings(definition: JsonObject, settings: Checked): ToolSettingsProblem[] {
  const schema = definition['inputSchema']
  if (!isJsonObject(schema)) return []
  const overrides = Object.entries(settings.parameterOverrides).map(([text, value]) => ({
    path: parsePath(text),
    value,
  }))
  return [
    ...settings.hideParameters.flatMap((text) => checkHidden(schema, text, overrides)),
    ...Object.keys(settings.parameterOverrides).flatMap((text) =>
      checkName(schema, text, `parameterOverrides.${text}`),
    ),
    ...overrides.flatMap((override) => checkValue(schema, override)),
  ]
}

function checkValue(schema: JsonObject, { path, value }: Override): ToolSettingsProblem[] {
  const own = path.reduce<JsonObject | undefined>((level, part) => level && propertyOf(level, part), schema)
  // A placeholder's value is known at the call.
  if (!own || (typeof value === 'string' && value.includes('${'))) return []
  const issues = typeOf(own)?.safeParse(value).error?.issues ?? []
  // What is missing the model may add.
  const issue = issues.find((each) => valueAt(value, each.path) !== undefined)
  if (!issue) return []
  const name = path.join('.')
  const place = issue.path.length > 0 ? ` (at ${issue.path.join('.')})` : ''
  return [
    {
      severity: 'error',
      path: `parameterOverrides.${name}`,
      message: `The fixed value of "${name}" does not fit its schema${place}: ${issue.message}.`,
    },
  ]
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (isJsonObject(at) || Array.isArray(at) ? Reflect.get(at, key) : undefined),
    value,
  )

const types = new WeakMap<JsonObject, z.ZodType | undefined>()

/** Undefined for schemas that can't be read alone. */
function typeOf(schema: JsonObject): z.ZodType | undefined {
  if (types.has(schema)) return types.get(schema)
  let type: z.ZodType | undefined
  try {
    type = z.fromJSONSchema(schema)
  } catch {
    // Such as a reference to another part of the whole schema.
  }
  types.set(schema, type)
  return type
}

interface Override {
  readonly path: readonly string[]
  readonly value: unknown
}

function checkHidden(
  schema: JsonObject,
  text: string,
  overrides: readonly Override[],
): ToolSettingsProblem[] {
  const path = parsePath(text)
  const unknown = checkName(schema, text, 'hideParameters')
  if (unknown.length > 0) return unknown
  const missing = missingValues(schema, path, [], overrides)
  return missing.map((name) => ({
    severity: 'error' as const,
    path: 'hideParameters',
    message: `"${text}" is hidden, but the tool requires ${name === text ? 'it' : `"${name}"`}. Add "${name}" to parameterOverrides, or show the parameter.`,
  }))
}

/** Required at `path`, or in an object created there, without an override. */
function missingValues(
  schema: JsonObject,
  path: readonly string[],
  above: readonly string[],
  overrides: readonly Override[],
): string[] {
  const [head, ...rest] = path
  const inner = head === undefined ? undefined : propertyOf(schema, head)
  if (head === undefined || inner === undefined) return []
  const here = [...above, head]
  if (rest.length > 0) return missingValues(inner, rest, here, overrides)
  if (hasValue(overrides, here)) return []
  const below = overrides.filter((override) => startsWith(override.path, here))
  if (below.length === 0) return requiredOf(schema).includes(head) ? [here.join('.')] : []
  // Overrides create the object, so they must include what it requires.
  return requiredOf(inner).flatMap((name) => missingValues(inner, [name], here, overrides))
}

/** This path or an enclosing object. */
const hasValue = (overrides: readonly Override[], path: readonly string[]): boolean =>
  overrides.some((override) => {
    if (!startsWith(path, override.path)) return false
    const inside = path.slice(override.path.length)
    return (
      inside.reduce<unknown>(
        (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
        override.value,
      ) !== undefined
    )
  })

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.length <= path.length && start.every((part, index) => part === path[index])

function checkName(schema: JsonObject, text: string, where: string): ToolSettingsProblem[] {
  let level: JsonObject | undefined = schema
  for (const part of parsePath(text)) {
    const properties: unknown = level?.['properties']
    // An open schema may accept unlisted names.
    if (!level || !isJsonObject(properties)) return []
    if (!Object.hasOwn(properties, part)) {
      const takesOthers =
        level['additionalProperties'] === true || isJsonObject(level['additionalProperties'])
      if (takesOthers && where.startsWith('parameterOverrides')) return []
      const message = `The tool has no parameter "${text}".${didYouMean(part, Object.keys(properties))}`
      return [{ severity: 'warning', path: where, message }]
    }
    level = propertyOf(level, part)
  }
  return []
}

function propertyOf(schema: JsonObject, name: string): JsonObject | undefined {
  const properties = schema['properties']
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined
  const found = properties[name]
  return isJsonObject(found) ? found : {}
}

const requiredOf = (schema: JsonObject): string[] => {
  const required = schema['required']
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : []
}
