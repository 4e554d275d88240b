import { didYouMean } from '../../ground/nearest.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject, stringIn } from '../../protocol/json-rpc.ts'
import type { ClientRequest } from '../transports/client-session.ts'
import { failedResult } from './relay.ts'
import { argumentsOf } from './run-tool-call.ts'

const FIND = 'find_tool'
const DESCRIBE = 'describe_tool'
const CALL = 'call_tool'
const MOST_FOUND = 20
const LONGEST_LINE = 160

const name = { type: 'string', description: `The tool's name, from ${FIND}.` }

const MOST_NAMED = 5

/** Replaces lazily listed servers' tools. */
export const lazyDefinitions = (tools: readonly JsonObject[]): JsonObject[] =>
  tools.length === 0 ? [] : definitionsFor(namesOf(tools))

const definitionsFor = (names: readonly string[]): JsonObject[] => [
  {
    name: FIND,
    description: `Finds tools that are not listed${summary(names)}: names and what they do. Without words: all names.`,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words for what you want to do.' } },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: DESCRIBE,
    description: `What a tool of ${FIND} does, and its arguments as JSON Schema.`,
    inputSchema: { type: 'object', properties: { name }, required: ['name'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL,
    description: `Calls a tool of ${FIND}. Read ${DESCRIBE} first.`,
    inputSchema: {
      type: 'object',
      properties: { name, arguments: { type: 'object', description: `As ${DESCRIBE} says.` } },
      required: ['name'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
]

const namesOf = (tools: readonly JsonObject[]): string[] => tools.map((tool) => String(tool['name']))

function summary(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).join(', ')
  return names.length > MOST_NAMED ? ` (${names.length}, such as ${named})` : ` (${named})`
}

export const isLazyTool = (tool: string): boolean => [FIND, DESCRIBE, CALL].includes(tool)

export interface LazyCall {
  readonly tool: string
  readonly request: ClientRequest
  readonly tools: () => Promise<readonly JsonObject[]>
  readonly call: (tool: string, args: JsonObject | undefined, request: ClientRequest) => Promise<JsonObject>
  /** Receives descriptions given to the model, which reduce the savings. */
  readonly onDescribed: (text: string) => void
}

export async function answerLazily({
  tool,
  request,
  tools,
  call,
  onDescribed,
}: LazyCall): Promise<JsonObject> {
  const args = argumentsOf(request.params)
  if (tool === FIND) return answerWith(found(await tools(), stringIn(args, 'query')), onDescribed)
  const named = args?.['name']
  if (typeof named !== 'string' || named.trim() === '') return failedResult(missingName(tool, named))
  const wanted = named.trim()
  const all = await tools()
  const definition = all.find((each) => each['name'] === wanted)
  if (!definition) {
    const hint = didYouMean(wanted, namesOf(all))
    return failedResult(`There is no tool "${wanted}".${hint} ${FIND} names them.`)
  }
  if (tool === DESCRIBE) return answerWith(described(definition), onDescribed)
  const given = asObject(args?.['arguments'])
  if (given === 'something else')
    return failedResult(
      `The arguments of ${CALL} are not right: "arguments" must be an object, such as {"query": "…"}, as ${DESCRIBE} says of "${wanted}".`,
    )
  // Repeated headers (2026-07-28) describe the outer call.
  const { header: _header, ...inner } = request
  return call(wanted, given, inner)
}

function missingName(tool: string, given: unknown): string {
  const fault =
    given === undefined || given === null
      ? '"name" is missing'
      : typeof given === 'string'
        ? '"name" is empty'
        : '"name" must be a text'
  const form = tool === CALL ? '{"name": "…", "arguments": {…}}' : '{"name": "…"}'
  return `The arguments of ${tool} are not right: ${fault}. They look like ${form}, with the name of a tool as ${FIND} gives it.`
}

/** Some models send JSON text or null. */
function asObject(value: unknown): JsonObject | undefined | 'something else' {
  if (value === undefined || value === null) return undefined
  if (isJsonObject(value)) return value
  if (typeof value !== 'string') return 'something else'
  try {
    const parsed: unknown = JSON.parse(value)
    return isJsonObject(parsed) ? parsed : 'something else'
  } catch {
    return 'something else'
  }
}

function answerWith(text: string, onDescribed: (text: string) => void): JsonObject {
  onDescribed(text)
  return { content: [{ type: 'text', text }] }
}

const described = ({ name: tool, description, inputSchema }: JsonObject): string =>
  stringifyExact({ name: tool, description, inputSchema })

function found(tools: readonly JsonObject[], query: string): string {
  const words = wordsOf(query)
  if (words.length === 0) return namesOf(tools).join('\n')
  const texts = tools.map((tool) => ({ tool, name: wordsOf(String(tool['name'])), all: textOf(tool) }))
  const rarity = (word: string): number =>
    Math.log(1 + tools.length / (1 + texts.filter(({ all }) => all.has(word)).length))
  const ranked = texts
    .map(({ tool, name: own, all }, index) => ({
      tool,
      index,
      score: words.reduce(
        (sum, word) => sum + (all.has(word) ? rarity(word) : 0) + (own.includes(word) ? rarity(word) : 0),
        0,
      ),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
  if (ranked.length === 0) return `No tool fits these words. All tools:\n${namesOf(tools).join('\n')}`
  const lines = ranked.slice(0, MOST_FOUND).map(({ tool }) => lineOf(tool))
  const more = ranked.length - lines.length
  return [...lines, ...(more > 0 ? [`${more} more fit less well: use other words.`] : [])].join('\n')
}

function lineOf(tool: JsonObject): string {
  const [first = ''] = stringIn(tool, 'description').split(/(?<=[.!?])\s|\n/)
  const short = first.length > LONGEST_LINE ? `${first.slice(0, LONGEST_LINE)}…` : first
  return short === '' ? String(tool['name']) : `${String(tool['name'])}: ${short}`
}

function textOf(tool: JsonObject): Set<string> {
  const schema = isJsonObject(tool['inputSchema']) ? tool['inputSchema'] : {}
  const parameters = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : []
  return new Set(
    [String(tool['name']), stringIn(tool, 'title'), stringIn(tool, 'description'), ...parameters].flatMap(
      wordsOf,
    ),
  )
}

/** Singular; `listPages` and `list_pages` are two words each. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Lowercase})(\p{Uppercase})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word.length > 1)
    .map((word) => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<=[^s])s$/, '')))
