import { builtInId } from '../../../shared/built-in.ts'
import type { ToolPolicy } from '../../../shared/settings.ts'
import type { CallTool, Reader, ToolOutcome } from '../message/call.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { builtInKind } from '../settings/built-in-policy.ts'
import type { Delivery } from './delivery.ts'
import { contextName, type OutputEvent } from './hook-event.ts'
import type { HooksOptions } from './hooks-options.ts'
import type { Conversation } from '../goals/create-goals.ts'
import { isExact, isMarked, readBySluice } from './untouched.ts'
import { wordsOfCommand } from './words-of-command.ts'
import { readerOf, waysBack, type WaysBackOptions } from './ways-back.ts'
import { readWholeOutput } from './whole-output.ts'

interface TreatOptions extends HooksOptions, WaysBackOptions {
  readonly countTokens: (text: string) => Promise<number>
  readonly newId: (prefix: string) => string
  readonly delivery: Delivery
  /** By app, session and agent. */
  readonly used: Map<string, Set<Reader>>
  readonly answerMs: number
}

interface Treated {
  readonly app: string
  readonly event: OutputEvent
  readonly conversation: Conversation
}

interface Received {
  /** Of its row in the ledger. */
  readonly id: string
  readonly readers: readonly Reader[]
  /** Sluice printed at least some of it. */
  readonly isOwn: boolean
  /** The app's MCP server behind Sluice, where the answer needs its tool. */
  readonly entry: string | undefined
  readonly late: AbortSignal
}

const NEVER = new AbortController().signal

/** A second look costs the model a whole request, so a small gain isn't worth it. */
const LEAST_SAVED = { tokens: 1_000, share: 0.4 }
/** Apps cut longer answers again. */
const LONGEST_ANSWER = 20_000
/** Tokens; fewer tell too little. */
const LEAST_BUDGET = 500
/** Agents whose tools are remembered. */
const MOST_AGENTS = 1_000

/** Through the layers of every call, with the received output in place of a server's. `{}` leaves it as it is. */
export async function treatOutput(options: TreatOptions, treated: Treated): Promise<JsonObject> {
  const { app, event } = treated
  const kind = builtInKind(app, event.tool)
  if (!kind || event.texts.every((text) => text === '')) return {}
  const seen = noteUse(options, treated, readerOf(kind))
  const own = readBySluice(event.input)
  if (own) await noteFetch(options, treated, own.ids)
  if (own?.isAll === true || options.delivery.isOff(app, event.tool)) return {}
  const entry = event.answerWithKept && options.hasTools(app) ? options.entryOf(app) : undefined
  if (event.answerWithKept && entry === undefined) return {}
  const received = {
    id: options.newId('c'),
    readers: waysBack(options, { app, agent: event.agent, seen }),
    isOwn: own !== undefined,
    entry,
    late: AbortSignal.timeout(options.answerMs),
  }
  const answer = await untilLate(treat(options, treated, received), received.late)
  if (!answer) options.delivery.missed(received.id, 'not ready in time')
  return answer ?? {}
}

async function treat(
  options: TreatOptions,
  { app, event, conversation }: Treated,
  { id, readers, isOwn, entry, late }: Received,
): Promise<JsonObject> {
  const { tool, session, input } = event
  const texts = await wholeTexts(event)
  if (!texts) return {}
  const serverId = builtInId(app)
  const received: CallTool = async () => ({
    result: { content: texts.map((text) => ({ type: 'text', text })) },
  })
  const isWhole =
    readers.length === 0 || isOwn || isMarked(texts) || texts.some((text) => isExact(input, text))
  const policy = options.policies.ofTool(serverId, tool)
  const request = await options.conversations.goalOf(conversation, {
    agentId: event.agent?.id,
    words: wordsOfCommand(input),
  })
  const tokensOfCut =
    event.wholeFile === undefined
      ? undefined
      : await options.countTokens(event.preview ?? event.texts.join('\n'))
  const call = {
    id,
    clientName: app,
    sessionId: session,
    context: contextName(event),
    serverId,
    tool,
    arguments: input,
    definition: DEFINITION,
    policy: isWhole ? unshortened(policy) : withBudget(policy, tokensOfCut),
    goal: undefined,
    ...(request === undefined ? {} : { request }),
    bypass: false,
    builtIn: {
      readers,
      command: options.readCommand,
      leastSaved: LEAST_SAVED,
      tokensOfCut,
    },
    // Late work goes on: a thread that is ended in the middle of loading would load again for the next output.
    signal: NEVER,
  }
  const outcome = await options.pipeline(received)(call)
  const shown = withExitCode(textsOf(outcome, event.texts.length), event)
  const isSame = shown.every((text, index) => text === texts[index])
  if (isSame) return {}
  if (shown.join('').length > LONGEST_ANSWER) {
    options.delivery.missed(id, 'the shortened form is longer than the app takes')
    return {}
  }
  const answer = await answerOf(options, { app, event, entry }, shown)
  if (late.aborted) return {}
  const text = shown.find((one, index) => one !== texts[index]) ?? ''
  options.delivery.given({
    app,
    session,
    tool,
    callId: event.callId,
    id,
    text,
    original: event.texts[0] ?? '',
  })
  return answer
}

/** Its layers ask for one; what only reads is not a target of text that flows. */
const DEFINITION: JsonObject = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }

/** At most what the app itself would have shown of an output that it cut. */
function withBudget(policy: ToolPolicy, tokensOfCut = Infinity): ToolPolicy {
  const most = Math.max(LEAST_BUDGET, tokensOfCut)
  const { compression } = policy
  const maxOutputTokens = Math.min(compression.maxOutputTokens, most)
  return { ...policy, compression: { ...compression, maxOutputTokens } }
}

const unshortened = (policy: ToolPolicy): ToolPolicy => ({
  ...policy,
  compression: { ...policy.compression, strategy: 'off' },
})

function noteUse(
  { used }: TreatOptions,
  { app, event: { session, agent } }: Treated,
  reader: Reader | undefined,
): ReadonlySet<Reader> {
  const key = `${app}\n${session}\n${agent?.id ?? ''}`
  const seen = used.get(key) ?? new Set<Reader>()
  if (reader) seen.add(reader)
  used.delete(key)
  used.set(key, seen)
  const [oldest] = used.keys()
  if (used.size > MOST_AGENTS && oldest !== undefined) used.delete(oldest)
  return seen
}

/** What the model had to fetch counts against the savings. */
async function noteFetch(
  options: TreatOptions,
  { app, event }: Treated,
  ids: readonly string[],
): Promise<void> {
  const [resultId] = ids.filter((id) => options.results.find(id, app) !== undefined)
  if (resultId === undefined) return
  const tokens = await options.countTokens(event.texts.join('\n'))
  await options.ledger.recordFetch({ at: options.now(), client: app, resultId, tool: 'sluice read', tokens })
}

/** Undefined where the app cut the output and the whole can't be read: a cut one isn't cut again. */
async function wholeTexts({ texts, wholeFile }: OutputEvent): Promise<readonly string[] | undefined> {
  if (wholeFile === undefined) return texts
  const [shown = '', ...rest] = texts
  const whole = await readWholeOutput(wholeFile, shown)
  return whole === undefined ? undefined : [whole, ...rest]
}

/** Undefined when late; the work ends unused. */
async function untilLate<Value>(work: Promise<Value>, late: AbortSignal): Promise<Value | undefined> {
  const end = Promise.withResolvers<undefined>()
  late.addEventListener('abort', () => end.resolve(undefined), { once: true })
  // A later failure of a late call isn't of use to the app.
  work.catch(() => undefined)
  const value = await Promise.race([work, end.promise])
  return late.aborted ? undefined : value
}

/** One for each received text; notes that Sluice added join the last. */
function textsOf({ result }: ToolOutcome, count: number): readonly string[] {
  const content = Array.isArray(result['content']) ? result['content'] : []
  const texts = content.flatMap((block: unknown) =>
    isJsonObject(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  )
  const own = texts.slice(0, count)
  const more = texts.slice(count)
  const last = [own.at(-1) ?? '', ...more].join('\n\n')
  const shown = more.length === 0 ? own : [...own.slice(0, -1), last]
  return Array.from({ length: count }, (_, index) => shown[index] ?? '')
}

const withExitCode = (texts: readonly string[], { exitCode }: OutputEvent): readonly string[] =>
  exitCode === undefined || exitCode === 0 || !texts[0]?.startsWith('[Compressed: ')
    ? texts
    : [`exit code ${exitCode}\n${texts[0] ?? ''}`, ...texts.slice(1)]

async function answerOf(
  { results }: TreatOptions,
  { app, event, entry }: Pick<Treated, 'app' | 'event'> & Pick<Received, 'entry'>,
  texts: readonly string[],
): Promise<JsonObject> {
  if (!event.answerWithKept || entry === undefined) return event.answer(texts)
  const content = texts.map((text) => ({ type: 'text', text }))
  const kept = await results.put({
    owner: app,
    server: builtInId(app),
    tool: event.tool,
    result: { content },
  })
  return event.answerWithKept(kept.id, entry)
}
