import { messageOf, SluiceError } from '../../ground/errors.ts'
import type { Interceptor, ToolCall, ToolOutcome } from '../../message/call.ts'
import type { GuardedOrigin } from '../../message/origins.ts'
import { parseExact } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { paramHeadersIn } from '../../protocol/param-header.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import type { StoredResult } from '../result-index.ts'
import { findReferences, typesAt, withValue, type FoundReference } from './find-references.ts'
import { parseReference, SCHEME } from './parse-reference.ts'
import type { ReferenceJob } from './read-reference.ts'

export interface InsertReferencesOptions {
  readonly isOn: () => boolean
  /** Throws RESULT_UNKNOWN, also for other clients' results, or RESULT_EXPIRED. */
  readonly find: (id: string, owner: string) => StoredResult
  readonly read: (
    stored: StoredResult,
    job: Omit<ReferenceJob, 'source'>,
    signal: AbortSignal,
  ) => Promise<string>
  /** Throws CALL_REFUSED for what would be quarantined. */
  readonly scan: (text: string, origin: GuardedOrigin, stored: StoredResult) => Promise<void>
  /** As the model would have read and sent them, under the called tool's masking. */
  readonly mask: (texts: readonly string[], call: ToolCall) => Promise<readonly string[]>
  /** Of an ended session nothing is known. */
  readonly onSessionClosed: (listener: (sessionId: string) => void) => void
}

const MOST_REFERENCES = 100
/** Characters of all together. */
const MOST_INSERTED = 64_000_000

/**
 * A string argument that is the address of a kept result becomes its text, before everything that looks at arguments
 * and after approvals. Fails closed: the call isn't made, and the address never reaches a server.
 */
export function createInsertReferences(options: InsertReferencesOptions): Interceptor {
  const introduced = new Set<string>()
  options.onSessionClosed((sessionId) => introduced.delete(sessionId))

  const filled = async (call: ToolCall, references: readonly FoundReference[]): Promise<ToolCall> => {
    if (references.length > MOST_REFERENCES)
      throw refused(
        call,
        `it names kept results ${references.length} times, and ${MOST_REFERENCES} is the most.`,
      )
    const sources: { server: string; tool: string; id: string }[] = []
    const texts: string[] = []
    let size = 0
    for (const reference of references) {
      const { text, stored } = await read(options, call, reference)
      size += text.length
      if (size > MOST_INSERTED)
        throw refused(
          call,
          `the kept results that it names have more than ${MOST_INSERTED} characters together.`,
        )
      texts.push(text)
      sources.push({ server: stored.server, tool: stored.tool, id: stored.id })
    }
    const sent = await options.mask(texts, call)
    let args: unknown = call.arguments
    for (const [index, { path, text }] of references.entries())
      args = withValue(args, path, asTaken(call, path, text, sent[index] ?? ''))
    return { ...call, arguments: args as JsonObject, inserted: sources }
  }

  return (next) =>
    async function insertReferences(call) {
      // An app's own tool has run before it is told.
      if (!options.isOn() || call.builtIn) return next(call)
      const references = findReferences(call.arguments)
      const outcome = await next(references.length === 0 ? call : await filled(call, references))
      const shown = references.length === 0 ? outcome : { ...outcome, inserted: namesOf(references) }
      const id = shortened(outcome)
      if (id === undefined || introduced.has(call.sessionId)) return shown
      introduced.add(call.sessionId)
      return withNote(shown, id)
    }
}

async function read(
  options: InsertReferencesOptions,
  call: ToolCall,
  { path, text: address }: FoundReference,
): Promise<{ readonly text: string; readonly stored: StoredResult }> {
  const where = placeOf(path)
  try {
    const headers = paramHeadersIn(call.definition?.['inputSchema'])
    if (headers.some((header) => header.path.join('\n') === path.join('\n')))
      throw new SluiceError(
        'BAD_INPUT',
        'This argument is sent as an HTTP header, too, which can hold no kept result.',
      )
    const { id, parts, fragment } = parseReference(address)
    if (id.startsWith('q_')) {
      throw new SluiceError(
        'BAD_INPUT',
        `${id} is quarantined, so nothing of it is passed on. Once the user says that it was released, quarantine_release hands it over.`,
      )
    }
    const stored = options.find(id, call.clientName)
    const text = await options.read(stored, { parts, fragment }, call.signal)
    const { clientName } = call
    await options.scan(
      text,
      { clientName, serverId: stored.server || 'sluice', tool: stored.tool, arguments: undefined },
      stored,
    )
    call.signal.throwIfAborted()
    return { text, stored }
  } catch (error) {
    if (call.signal.aborted) throw error
    throw refused(
      call,
      `${JSON.stringify(address.trim())} in ${where} can't be filled in. ${messageOf(error)}`,
    )
  }
}

/** Where the tool takes a list or an object there, JSON is inserted as that. */
function asTaken(call: ToolCall, path: FoundReference['path'], address: string, text: string): unknown {
  const types = typesAt(call.definition?.['inputSchema'], path)
  if (types === undefined || types.includes('string')) return text
  const value = parsedOr(text)
  if (value !== undefined && types.some((type) => isOfType(value, type))) return value
  throw refused(
    call,
    `${JSON.stringify(address.trim())} in ${placeOf(path)} can't be filled in: the tool takes ${types.join(' or ')} there, and this is something else. Name a part of it with a JSON pointer.`,
  )
}

function parsedOr(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === (value === null ? 'null' : typeof value)
}

const placeOf = (path: FoundReference['path']): string => `the argument ${JSON.stringify(path.join('.'))}`

const refused = ({ tool }: ToolCall, why: string): SluiceError =>
  new SluiceError('CALL_REFUSED', `The call of ${tool} was not made: ${why}`)

const namesOf = (references: readonly FoundReference[]): string[] =>
  references.map(({ text }) => text.trim().slice(SCHEME.length))

/** Its id, where it may be passed on. */
function shortened({ compression, refusedBy }: ToolOutcome): string | undefined {
  return refusedBy === undefined && compression?.skipped === undefined ? compression?.resultId : undefined
}

const noteFor = (id: string): string =>
  `[Sluice: to pass a kept result on without reading it, make "${SCHEME}${id}" a string argument of any tool. A part of it: "${SCHEME}${id}#/json/pointer" or "${SCHEME}${id}#lines=10-80".]`

/** Once a session, after the first shortened result. */
function withNote(outcome: ToolOutcome, id: string): ToolOutcome {
  const { result, compression } = outcome
  const { content } = result
  if (!Array.isArray(content) || !compression) return outcome
  const text = noteFor(id)
  return {
    ...outcome,
    result: { ...result, content: [...(content as unknown[]), { type: 'text', text }] },
    compression: { ...compression, tokensAfter: compression.tokensAfter + countTokens(text) },
  }
}
