import type { JsonObject } from '../../protocol/json-rpc.ts'
import { listOf, without } from '../schemas/change-inner.ts'
import { saysNothingMore, slimWords } from './slim-words.ts'

export interface Place {
  readonly stated: readonly string[]
  readonly name: string
  readonly isRequired: boolean
  /** Omit nothing that rejects a value. */
  readonly isExact: boolean
  /** Descriptions of earlier parameters in this list, whole and by sentence, with the parameter's name. */
  readonly listed: Set<string>
  readonly ofTool: Map<string, string>
}

/** Shorter ones are repeated, because a reference costs as much. */
const WORTH_LOOKING_UP = 20

export function slimDescription(schema: JsonObject, place: Place): JsonObject {
  const { stated, name, listed, ofTool } = place
  const { title, description } = schema
  const isTitleNeedless = typeof title === 'string' && saysNothingMore(title, [...stated, name])
  const kept = isTitleNeedless ? without(schema, ['title']) : schema
  if (typeof description !== 'string') return kept
  const other = ofTool.get(description)
  if (name !== '' && other !== undefined && other !== name) return { ...kept, description: `As ${other}` }
  if (name !== '' && description.length > 2 * WORTH_LOOKING_UP) ofTool.set(description, name)
  const known = `${name}\n${description}`
  if (name !== '' && listed.has(known)) return without(kept, ['description'])
  listed.add(known)
  const words = slimWords(withoutRepeats(description, schema, place))
  if (words === '' || saysNothingMore(words, [...stated, name])) return without(kept, ['description'])
  return { ...kept, description: words }
}

/** Of the schema, the tool's description or an earlier tool's same parameter. */
function withoutRepeats(
  text: string,
  schema: JsonObject,
  { isRequired, stated, name, listed }: Place,
): string {
  const { type } = schema
  const once = withoutRange(withoutValues(withoutDefault(text, schema, isRequired), schema), schema)
  const flag = type === 'boolean' ? once.replace(FLAG, '') : once.replace(/^whether (?:or not )?to /i, '')
  const list = type === 'array' ? flag.replace(LIST, '') : flag
  const plain = isRequired
    ? list.replace(/\s*\(required\)/gi, '')
    : list
        .replace(/\s*\(optional\)/gi, '')
        .replace(/^(?:(?:an? )?optional[:,.]?|if (?:provided|specified|given|set)[:,.]?)\s+(?!to\b)/i, '')
  const kept = plain
    .replace(/ to (?:retrieve|return|get|fetch)(?=\.?$)/, '')
    .replace(/^(?:represents|specifies|defines|denotes) (?:the |an? )?(?=\p{Letter})/iu, '')
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => {
      if (sentence.length < WORTH_LOOKING_UP) return true
      if (stated.some((other) => other.includes(slimWords(sentence)))) return false
      const known = `${name}\n. ${sentence}`
      const isKnown = name !== '' && listed.has(known)
      listed.add(known)
      return !isKnown
    })
  return kept.join(' ')
}

/** Openings of flag and list descriptions. */
const FLAG =
  /^(?:(?:if )?(?:set )?(?:this )?to true(?: to| for|,)?|(?:if|when) (?:this is )?true,?|(?:(?:determines|controls|indicates|specifies) (?:if|whether),?|whether)(?: or not)?(?: to)?)\s+/i
const LIST = /^(?:an? |the )?(?:optional )?(?:list|array) of (?=\p{Letter})/iu

/** A default that is also a keyword. An explanation in brackets keeps the sentence. */
function withoutDefault(text: string, { default: set, type }: JsonObject, isRequired: boolean): string {
  // An omitted flag is unset.
  const value = set ?? (type === 'boolean' && !isRequired ? false : undefined)
  const literal = value === undefined ? '' : JSON.stringify(value).replace(/^"|"$/g, '')
  if (literal === '') return text
  const saying = new RegExp(
    `\\s*[(,;]?\\s*\\b(?:the )?defaults?(?: value)?(?: is| to|:)? ["'\`]?${escaped(literal)}["'\`]?[).]*(?=\\s|$)(?!\\s*\\()\\.?`,
    'gi',
  )
  return text.replace(saying, '')
}

function withoutValues(text: string, { enum: values }: JsonObject): string {
  const all = listOf(values).filter((value) => typeof value === 'string')
  if (all.length === 0) return text
  const isList = (words: string): boolean => {
    const named = words
      .replace(LISTING, '')
      .split(/[\s,|/()."'`]+|\bor\b|\band\b/)
      .filter((word) => word !== '')
    return named.length === all.length && all.every((value) => named.includes(value))
  }
  return text
    .replace(/\s*\([^()]*\)/g, (brackets) => (isList(brackets) ? '' : brackets))
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !isList(sentence))
    .join(' ')
    .replace(/\s*[:,] ?[^:.!?()]*(?=\.?$)/, (end) => (isList(end) ? '' : end))
}

const LISTING =
  /^[\s(:,]*(?:(?:(?:possible|valid|allowed|supported|available)? ?(?:values|options)(?: are| include)?|(?:must|can) be(?: one of)?|one of|either)\b)?:? */i

function withoutRange(text: string, { minimum, maximum }: JsonObject): string {
  const [least, most] = [String(minimum), String(maximum)]
  return text.replace(
    /\s*\((?:(?:between )?(-?[\d.]+)(?: ?[-–] ?| to | and )(-?[\d.]+)|max(?:imum)?(?: is|:)? ?(-?[\d.]+))\)/gi,
    (brackets, from?: string, to?: string, max?: string) =>
      (from === least && to === most) || max === most ? '' : brackets,
  )
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
