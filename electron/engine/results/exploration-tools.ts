import { z } from 'zod'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { didYouMean } from '../ground/nearest.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import {
  ExploreArguments,
  FilterArguments,
  ReadArguments,
  RunArguments,
  SearchArguments,
} from './exploration-arguments.ts'
import type { ExplorationCall } from './exploration-arguments.ts'
import { parsePartId, type PartRange } from './part-id.ts'
import type { StoredResult } from './result-index.ts'
import type { ResultStore } from './store.ts'

const TOOLS = {
  proxy_explore: {
    title: 'Explore a stored result',
    description:
      'Structure of a result that was shortened: fields, types, counts, tokens, examples. For all proxy_ tools: give the id from the [Compressed: …] header, or a tool with arguments.',
    schema: ExploreArguments,
  },
  proxy_filter: {
    title: 'Filter a stored result',
    description: 'Chosen fields and elements of a JSON or table result. A named object comes whole.',
    schema: FilterArguments,
  },
  proxy_search: {
    title: 'Search a stored result',
    description: 'Finds text in a result, with line numbers or JSON paths.',
    schema: SearchArguments,
  },
  proxy_read: {
    title: 'Read a stored result',
    description: 'Exact pages of a result.',
    schema: ReadArguments,
  },
  proxy_run: {
    title: 'Compute over a stored result',
    description: 'Runs JavaScript over `text` and, for JSON and tables, `data`. No I/O.',
    schema: RunArguments,
  },
} as const satisfies Readonly<
  Record<ExplorationCall['name'], { title: string; description: string; schema: z.ZodType }>
>

let definitions: readonly JsonObject[] | undefined

/**
 * In fixed order, because a changed list invalidates clients' prompt cache. Built on first use: slower than all else
 * in a one-server session.
 */
export const explorationToolDefinitions = (): readonly JsonObject[] =>
  (definitions ??= Object.entries(TOOLS).map(([name, { title, description, schema }]) => ({
    name,
    title,
    description,
    inputSchema: inputSchemaOf(schema),
    annotations: { readOnlyHint: true, openWorldHint: false },
  })))

export const isExplorationTool = (name: string): name is ExplorationCall['name'] => Object.hasOwn(TOOLS, name)

export interface ExplorationContext {
  readonly owner: string
  /** If not the owner. */
  readonly turn?: string
  readonly store: Pick<ResultStore, 'get' | 'put' | 'source'>
  readonly pool: Pick<WorkerPool, 'run'>
  /** Must not wait for pool jobs on short texts. */
  readonly countTokens: (text: string) => Promise<number>
  /** Without `max_tokens`. */
  readonly budget: number
  /** Through every guard; throws or returns isError if refused. */
  readonly callFresh: (tool: string, args: JsonObject | undefined) => Promise<JsonObject>
  readonly signal?: AbortSignal | undefined
}

export interface ExplorationOutcome {
  /** Mistakes, too, with isError and advice. */
  readonly result: JsonObject
  readonly tokens: number
  readonly resultId?: string
  /** Of the call itself, in Sluice's words: nothing of a result is in it, so the guard need not look. */
  readonly isOwnError?: true
}

/** Clients' limit for one result, whatever `max_tokens` is. */
const MOST_TOKENS = 20_000
/** Of processor time. */
const SCRIPT_MS = 60_000
const QUERY_MS = 15_000
const MOST_WAITING_RUNS = 8

/** Rejects only on cancellation or an unknown `name`. */
export async function callExplorationTool(
  name: string,
  args: JsonObject | undefined,
  context: ExplorationContext,
): Promise<ExplorationOutcome> {
  let resultId: string | undefined
  let isOwn = true
  const callFresh: ExplorationContext['callFresh'] = (...call) => {
    isOwn = false
    return context.callFresh(...call)
  }
  try {
    const call = validate(name, args)
    const target = await resolveTarget(call, { ...context, callFresh })
    isOwn = false
    if ('id' in target) resultId = target.id
    if ('passed' in target) return { result: target.passed, tokens: await textTokens(target.passed, context) }
    const budget = Math.min(MOST_TOKENS, call.args.max_tokens ?? context.budget)
    const job = { call, from: target.from, parts: target.parts, budget }
    const source = 'source' in target.from ? target.from.source : undefined
    const isRun = call.name === 'proxy_run'
    const answer = await context.pool
      .run('explore', job, {
        signal: context.signal,
        processorMs: isRun ? SCRIPT_MS : QUERY_MS,
        affinity: source?.sha256,
        size: source?.size,
        turn: context.turn ?? context.owner,
        ...(isRun ? { apart: true, mostWaiting: MOST_WAITING_RUNS } : {}),
      })
      .catch((error: unknown) => {
        throw isRun && isFull(error) ? tooManyRuns() : error
      })
    return {
      result: { content: answer.texts.map((text) => ({ type: 'text', text })) },
      tokens: answer.tokens,
      ...(resultId === undefined ? {} : { resultId }),
    }
  } catch (error) {
    if (context.signal?.aborted || (error instanceof SluiceError && error.code === 'TOOL_UNKNOWN'))
      throw error
    const result = { content: [{ type: 'text', text: messageOf(error) }], isError: true }
    return {
      result,
      tokens: await textTokens(result, context),
      ...(resultId === undefined ? {} : { resultId }),
      ...(isOwn ? { isOwnError: true } : {}),
    }
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof SluiceError && error.code === 'LIMIT_REACHED' && error.data['waiting'] !== undefined

const tooManyRuns = (): SluiceError =>
  new SluiceError(
    'LIMIT_REACHED',
    `This proxy_run was not started: ${MOST_WAITING_RUNS} others of this client wait for their turn already. Wait for their answers, then call it again, or use proxy_filter or proxy_search, which do not wait for them.`,
  )

type Target =
  | { readonly passed: JsonObject }
  | { readonly id: string | undefined; readonly from: From; readonly parts: PartRange | undefined }
type From = { id: string; source: ReturnType<ResultStore['source']> } | { result: JsonObject }

async function resolveTarget({ args }: ExplorationCall, context: ExplorationContext): Promise<Target> {
  if (args.id !== undefined) {
    const { id, parts } = parsePartId(args.id)
    return { ...kept(context.store.get(id, context.owner), context), parts }
  }
  if (args.tool === undefined) {
    throw new SluiceError(
      'BAD_INPUT',
      'Give the "id" of a stored result, or a "tool" and its "arguments" to call it now.',
    )
  }
  if (isExplorationTool(args.tool)) {
    throw new SluiceError(
      'BAD_INPUT',
      `${args.tool} has no results of its own to look into. Name another tool, or an "id".`,
    )
  }
  const result = await context.callFresh(args.tool, args.arguments)
  const isFinished = (result['resultType'] ?? 'complete') === 'complete'
  if (result['isError'] === true || !isFinished) return { passed: result }
  return fresh(result, args.tool, context)
}

/** The stored original, else the result itself, stored now. */
async function fresh(result: JsonObject, tool: string, context: ExplorationContext): Promise<Target> {
  const mark = isJsonObject(result['_meta']) ? result['_meta']['sluice/result'] : undefined
  const id = isJsonObject(mark) ? mark['id'] : undefined
  if (typeof id === 'string')
    return { ...kept(context.store.get(id, context.owner), context), parts: undefined }
  try {
    const stored = await context.store.put({ owner: context.owner, server: '', tool, result })
    return { ...kept(stored, context), parts: undefined }
  } catch {
    // A broken store costs the id, not the answer.
    return { id: undefined, from: { result }, parts: undefined }
  }
}

const kept = (stored: StoredResult, { store }: ExplorationContext) => ({
  id: stored.id,
  from: { id: stored.id, source: store.source(stored) },
})

function validate(name: string, args: JsonObject | undefined): ExplorationCall {
  if (!isExplorationTool(name)) {
    throw new SluiceError(
      'TOOL_UNKNOWN',
      `There is no exploration tool "${name}".${didYouMean(name, Object.keys(TOOLS))}`,
    )
  }
  const { schema } = TOOLS[name]
  const given = lenient(withKnownNames(name, args ?? {}))
  const parsed = schema.safeParse(given)
  if (parsed.success) return { name, args: parsed.data } as ExplorationCall
  const known = Object.keys(schema.shape)
  const problems = parsed.error.issues.map((issue) => {
    const at = issue.path.join('.') || 'arguments'
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `unknown argument "${key}".${didYouMean(key, known)}`).join(' ')
    if (issue.code === 'invalid_value') return `"${at}" is one of ${issue.values.join(', ')}.`
    return given[at] === undefined ? `"${at}" is missing.` : `${at}: ${issue.message}.`
  })
  throw new SluiceError('BAD_INPUT', `${name}: ${problems.join(' ')} It takes: ${known.join(', ')}.`)
}

/** What models call the main argument instead. */
const OTHER_NAMES: Partial<Record<ExplorationCall['name'], readonly [name: string, others: RegExp]>> = {
  proxy_filter: ['fields', /^(?:field|path|paths|query|queries|jsonpath|filter|expression)$/i],
  proxy_search: ['pattern', /^(?:query|regex|regexp|text|search|term|keyword)$/i],
  proxy_run: ['code', /^(?:script|js|javascript|expression|source)$/i],
}

function withKnownNames(tool: ExplorationCall['name'], args: JsonObject): JsonObject {
  const [name = '', others] = OTHER_NAMES[tool] ?? []
  const [key, another] = Object.keys(args).filter((each) => others?.test(each) === true)
  if (key === undefined || another !== undefined || args[name] !== undefined) return args
  const { [key]: value, ...rest } = args
  return { ...rest, [name]: value }
}

/** Models often send a one-item list as text, and lists, objects and numbers as JSON. */
function lenient(args: JsonObject): JsonObject {
  const entries = Object.entries(args).map(([key, value]): [string, unknown] => {
    if (value === null) return [key, undefined]
    if (typeof value !== 'string') return [key, value]
    if (key === 'fields' || key === 'exclude') return [key, fromJson(value, Array.isArray) ?? [value]]
    if (key === 'arguments') return [key, fromJson(value, isJsonObject) ?? value]
    return [key, NUMERIC.has(key) && /^-?\d+$/.test(value) ? Number(value) : value]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const NUMERIC = new Set([
  'offset',
  'limit',
  'max_tokens',
  'max_depth',
  'max_results',
  'context_lines',
  'timeout_ms',
])

function fromJson(text: string, isWanted: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isWanted(value) ? value : undefined
  } catch {
    return undefined
  }
}

function inputSchemaOf(schema: z.ZodType): JsonObject {
  const {
    $schema: _schema,
    additionalProperties: _additional,
    ...rest
  } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.minimum
      delete jsonSchema.maximum
      if (jsonSchema.type === 'object' && jsonSchema.properties === undefined) {
        delete jsonSchema.propertyNames
        delete jsonSchema.additionalProperties
      }
    },
  })
  return rest
}

async function textTokens(result: JsonObject, { countTokens }: ExplorationContext): Promise<number> {
  const content: unknown[] = Array.isArray(result['content']) ? result['content'] : []
  const text = content
    .map((item) => (isJsonObject(item) && typeof item['text'] === 'string' ? item['text'] : ''))
    .join('\n')
  // Only a ledger figure: a failed pool must not fail the answer.
  return countTokens(text).catch(() => Math.ceil(text.length / 4))
}
