import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { listOf, sameInner, without } from '../schemas/change-inner.ts'
import { saysNothingMore, slimWords } from './slim-words.ts'

const DEEPEST = 100

/** The same demands in fewer tokens. Never stricter; looser only where a server's own check is all that is left out. */
export function slimSchema(schema: JsonObject, said: readonly string[], heard: Set<string>): JsonObject {
  const used = withUsedDefinitions(without(schema, ['$schema']))
  // Under these a looser schema means a stricter one.
  const isExact = /"(?:not|if|oneOf|unevaluatedProperties|unevaluatedItems)":/.test(JSON.stringify(used))
  return slimNode(used, { said, name: '', isRequired: true, isExact, heard }, 0)
}

interface Place {
  /** What the tool and the parameters around this one are called, and how they are described. */
  readonly said: readonly string[]
  readonly name: string
  readonly isRequired: boolean
  /** Nothing may be left out that refuses a value. */
  readonly isExact: boolean
  /** Parameters described in this list already, by name and description. */
  readonly heard: Set<string>
}

function slimNode(schema: JsonObject, place: Place, depth: number): JsonObject {
  if (depth > DEEPEST) return schema
  const { properties, ...rest } = described(schema, place)
  const own = nullable(rest)
  const { description } = own
  const said = [...place.said, place.name, ...(typeof description === 'string' ? [description] : [])]
  const inner = sameInner(own, (part) => slimNode(part, { ...place, said }, depth + 1))
  const required = listOf(schema['required'])
  const shown = isJsonObject(properties)
    ? Object.entries(properties).map(([name, value]): [string, unknown] => {
        const at = { ...place, said, name, isRequired: required.includes(name) }
        return [name, isJsonObject(value) ? slimNode(value, at, depth + 1) : value]
      })
    : undefined
  const whole = shown === undefined ? inner : { ...inner, properties: Object.fromEntries(shown) }
  const needless = Object.keys(whole).filter((key) => saysNothing(key, whole, place.isExact))
  return inOrder(schema, without(whole, needless))
}

/** `anyOf` with `null` beside one plain type is a list of two types. */
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

/** Keywords that say what holds anyway. `additionalProperties: false` the server checks; a model makes up no names. */
function saysNothing(key: string, schema: JsonObject, isExact: boolean): boolean {
  const value = schema[key]
  switch (key) {
    case 'additionalProperties':
      return (
        !isExact && (typeof value === 'boolean' || (isJsonObject(value) && Object.keys(value).length === 0))
      )
    case 'required':
      return listOf(value).length === 0
    case 'maximum':
      return !isExact && value === Number.MAX_SAFE_INTEGER
    case 'minimum':
      return !isExact && value === Number.MIN_SAFE_INTEGER
    case 'default':
      // A flag that is left out is not set.
      return value === null || (value === false && schema['type'] === 'boolean')
    case 'propertyNames':
      // Names are strings.
      return isJsonObject(value) && Object.keys(value).length === 1 && value['type'] === 'string'
    case '$comment':
      return true
    default:
      return false
  }
}

function described(schema: JsonObject, { said, name, isRequired, heard }: Place): JsonObject {
  const { title, description } = schema
  const isTitleNeedless = typeof title === 'string' && saysNothingMore(title, [...said, name])
  const kept = isTitleNeedless ? without(schema, ['title']) : schema
  if (typeof description !== 'string') return kept
  const known = `${name}\n${description}`
  if (name !== '' && heard.has(known)) return without(kept, ['description'])
  heard.add(known)
  const words = slimWords(withoutRepeats(description, schema, isRequired, said))
  if (words === '' || saysNothingMore(words, [...said, name])) return without(kept, ['description'])
  return { ...kept, description: words }
}

/** Without what the schema or the tool's own description says as well. */
function withoutRepeats(
  text: string,
  { default: set, type }: JsonObject,
  isRequired: boolean,
  said: readonly string[],
): string {
  // Whoever leaves out a flag does not set it.
  const value = set ?? (type === 'boolean' && !isRequired ? false : undefined)
  const literal = value === undefined ? '' : JSON.stringify(value).replace(/^"|"$/g, '')
  const sayingDefault = new RegExp(
    `\\s*[(,;]?\\s*\\b(?:the )?defaults?(?: value)?(?: is| to|:)? ["'\`]?${escaped(literal)}["'\`]?[).]*(?=\\s|$)\\.?`,
    'gi',
  )
  const once = value === undefined || literal === '' ? text : text.replace(sayingDefault, '')
  const flag = type === 'boolean' ? once.replace(FLAG, '') : once
  const plain = isRequired
    ? flag.replace(/\s*\(required\)/gi, '')
    : flag
        .replace(/\s*\(optional\)/gi, '')
        .replace(/^(?:optional|if (?:provided|specified|given|set))[:,.]?\s+/i, '')
  const sentences = plain.split(/(?<=[.!?])\s+/)
  const kept = sentences.filter(
    (sentence) => sentence.length < 20 || !said.some((other) => other.includes(slimWords(sentence))),
  )
  return kept.join(' ')
}

/** How descriptions of flags start. */
const FLAG =
  /^(?:(?:set )?(?:this )?to true (?:to|for)|if (?:true|set),?|whether (?:or not )?to|when (?:true|set),?)\s+/i

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Definitions that nothing refers to, neither the schema nor another definition in use. */
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

/** Anchors name a definition, too: where there are any, all are kept. */
const isNamed = (text: string, key: string, name: string): boolean =>
  text.includes(JSON.stringify(`#/${key}/${name}`).slice(1, -1)) ||
  /[~%]/.test(text) ||
  /"\$(?:dynamicRef|recursiveRef)"|"\$ref":"#[^/"]/.test(text)

/** The server's keywords in its order, then others. */
const inOrder = (schema: JsonObject, slim: JsonObject): JsonObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(schema), ...Object.keys(slim)])]
      .filter((key) => key in slim)
      .map((key): [string, unknown] => [key, slim[key]]),
  )
