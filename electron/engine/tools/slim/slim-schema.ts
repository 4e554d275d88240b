import { carrySources } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { listOf, sameInner, without } from '../schemas/change-inner.ts'
import { slimDescription, type Place } from './slim-description.ts'

const DEEPEST = 100

/** Equivalent constraints in fewer tokens. Never stricter; looser only where the server's own check suffices. */
export function slimSchema(schema: JsonObject, stated: readonly string[], listed: Set<string>): JsonObject {
  const used = withUsedDefinitions(without(schema, ['$schema']))
  // Here a looser schema is stricter overall, or exclusive alternatives overlap.
  const isExact = /"(?:not|if|oneOf|unevaluatedProperties|unevaluatedItems)":|"anyOf":\[\{"\$ref"/.test(
    JSON.stringify(used),
  )
  return slimNode(used, { stated, name: '', isRequired: true, isExact, listed, ofTool: new Map() }, 0)
}

function slimNode(schema: JsonObject, place: Place, depth: number): JsonObject {
  if (depth > DEEPEST) return schema
  const { properties, ...rest } = slimDescription(schema, place)
  const own = nullable(rest)
  const { description } = own
  const stated = [...place.stated, place.name, ...(typeof description === 'string' ? [description] : [])]
  const isExact =
    place.isExact || hasSeveralLists({ ...own, ...(properties === undefined ? {} : { properties }) })
  const inner = sameInner(own, (part) => slimNode(part, { ...place, stated, isExact }, depth + 1))
  const required = listOf(schema['required'])
  const shown = isJsonObject(properties)
    ? Object.entries(properties).map(([name, value]): [string, unknown] => {
        const at = { ...place, stated, name, isRequired: required.includes(name) }
        return [name, isJsonObject(value) ? slimNode(value, at, depth + 1) : value]
      })
    : undefined
  const whole =
    shown === undefined || !isJsonObject(properties)
      ? inner
      : { ...inner, properties: carrySources(properties, Object.fromEntries(shown)) }
  const needless = Object.keys(whole).filter((key) => saysNothing(key, whole, { ...place, isExact }))
  return inOrder(schema, without(whole, needless))
}

/** Several lists describe one value: one may know what another rejects. */
const hasSeveralLists = (schema: JsonObject): boolean =>
  [schema, ...listOf(schema['anyOf']), ...listOf(schema['allOf'])].filter(
    (part) => isJsonObject(part) && 'properties' in part,
  ).length > 1

/** `anyOf` of `null` and a plain type becomes a list of types. */
function nullable(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  const [one, other] = listOf(anyOf)
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isJsonObject(one) || !isJsonObject(other)) return schema
  const type = one['type']
  const isNull = other['type'] === 'null' && Object.keys(other).length === 1
  if (!isNull || typeof type !== 'string' || 'const' in one || Object.keys(one).some((key) => key in rest))
    return schema
  const values = Array.isArray(one['enum']) ? { enum: [...one['enum'], null] } : {}
  return { ...rest, ...one, ...values, type: [type, 'null'] }
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0

/** Redundant. The server checks `additionalProperties: false`; models don't invent names. */
function saysNothing(key: string, schema: JsonObject, { isExact, name }: Place): boolean {
  const value = schema[key]
  const isOpen = schema['additionalProperties'] === true || isEmpty(schema['additionalProperties'])
  switch (key) {
    case 'properties':
      // Objects accept any names and don't need an empty list.
      return name !== '' && isOpen && isEmpty(value)
    case 'additionalProperties':
      return !isExact && (value === false || (isOpen && (name !== '' || !isEmpty(schema['properties']))))
    case 'required':
      return listOf(value).length === 0
    case 'maximum':
      return !isExact && value === Number.MAX_SAFE_INTEGER
    case 'minimum':
      return !isExact && value === Number.MIN_SAFE_INTEGER
    case 'default':
      // An omitted flag is unset, an omitted list is empty.
      return (
        value === null || value === '' || isEmpty(value) || (value === false && schema['type'] === 'boolean')
      )
    case 'format':
      // Number formats.
      return typeof value === 'string' && /^(?:int32|int64|float|double)$/.test(value)
    case 'propertyNames':
      // Names are strings.
      return isJsonObject(value) && Object.keys(value).length === 1 && value['type'] === 'string'
    case '$comment':
      return true
    default:
      return false
  }
}

/** Removes unreferenced ones. */
function withUsedDefinitions(schema: JsonObject): JsonObject {
  return ['$defs', 'definitions'].reduce((value, key) => {
    const defs = value[key]
    if (!isJsonObject(defs)) return value
    const used = new Set<string>()
    const rest = JSON.stringify(without(value, [key]))
    const follow = (text: string): void => {
      for (const name of Object.keys(defs)) {
        if (used.has(name) || !isNamed(text, key, name)) continue
        used.add(name)
        follow(JSON.stringify(defs[name]))
      }
    }
    follow(rest)
    if (used.size === Object.keys(defs).length) return value
    if (used.size === 0) return without(value, [key])
    return { ...value, [key]: Object.fromEntries(Object.entries(defs).filter(([name]) => used.has(name))) }
  }, schema)
}

/** Anchors also name definitions: if present, all are kept. */
const isNamed = (text: string, key: string, name: string): boolean =>
  text.includes(JSON.stringify(`#/${key}/${name}`).slice(1, -1)) ||
  /[~%]/.test(text) ||
  /"\$(?:dynamicRef|recursiveRef)"|"\$ref":"#[^/"]/.test(text)

/** Of the server's keywords. */
const inOrder = (schema: JsonObject, slim: JsonObject): JsonObject =>
  carrySources(
    slim,
    Object.fromEntries(
      [...new Set([...Object.keys(schema), ...Object.keys(slim)])]
        .filter((key) => key in slim)
        .map((key): [string, unknown] => [key, slim[key]]),
    ),
  )
