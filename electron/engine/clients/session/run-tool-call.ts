import type { CallTool, ToolCall, TraceContext } from '../../message/call.ts'
import type { ClientIdentity, ClientRequest } from '../transports/client-session.ts'
import { SluiceError } from '../../ground/errors.ts'
import type { ClientHello, Implementation } from '../../protocol/era.ts'
import { toModernResult } from '../../protocol/era-bridge.ts'
import {
  HEADER_MISMATCH,
  isJsonObject,
  RpcError,
  RpcErrorCode,
  type JsonObject,
} from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import { isTooDeep, tooDeepWords } from '../../protocol/too-deep.ts'
import { paramHeaderProblem } from '../../protocol/param-header.ts'
import { forPlaceholders } from '../../tools/loosen-strings.ts'
import { withOwnNames } from '../../tools/schemas/plain-names.ts'
import { plainSchemaNames } from '../../tools/schemas/plain-schema.ts'
import { takesPlainSchemas } from '../../settings/known-apps.ts'
import { askUserOf } from './ask-user.ts'
import { ownImplementation } from './own-hello.ts'
import { failedResult, refused, relayOptions, resultFor } from './relay.ts'
import type { FreshCalls, ServerSettings } from '../../../../shared/settings.ts'
import type { SessionCore } from './session.ts'
import type { SessionDependencies } from './session-dependencies.ts'
import type { SessionLinks } from './session-links.ts'
import type { SessionOffers } from './session-offers.ts'
import { LONGEST_TIMER_MS } from '../../ground/longest-timer.ts'

export interface ToolCallTarget {
  readonly serverId: string
  /** Own name. */
  readonly tool: string
  readonly serverInfo: Implementation
  readonly arguments: JsonObject | undefined
  /** The live definition, if it is approved. */
  readonly definition: JsonObject | undefined
  readonly refusal?: string | undefined
  /** The server may no longer offer the approved definition: arguments were checked and masked meanwhile. */
  readonly confirm: (link: UpstreamLink) => Promise<void>
  /** An exploration tool requests new data. */
  readonly isFresh?: boolean
}

export interface ToolCaller {
  readonly clientName: string
  readonly sessionId: string
  readonly hello: ClientHello
  readonly links: SessionLinks
  readonly place?: ClientIdentity
  readonly askUser?: ToolCall['askUser']
}

export const callerOf = ({
  id,
  client,
  links,
}: Pick<SessionCore, 'id' | 'client' | 'links'>): ToolCaller => ({
  clientName: client.name,
  sessionId: id,
  hello: client.hello,
  links,
  place: client.place,
  askUser: askUserOf(client),
})

/**
 * Clients may run exploration tools without asking, because they are declared read-only: they must not reach tools
 * that do more.
 */
function freshRefusal({ tool, definition, isFresh }: ToolCallTarget, policy: FreshCalls): string | undefined {
  if (!isFresh || policy === 'all') return undefined
  const annotations = definition?.['annotations']
  if (policy === 'read-only' && isJsonObject(annotations) && annotations['readOnlyHint'] === true)
    return undefined
  return `${tool} is not marked as only reading, so it is not called from here. Call it by itself: a large result names an id that this tool takes.`
}

export const confirmBy =
  (offers: Pick<SessionOffers, 'of' | 'known'>, tool: string) =>
  async (link: UpstreamLink): Promise<void> => {
    const offer = offers.known(link) ?? (await offers.of(link))
    await link.wake?.()
    if ((await offer.approvedTool(tool)) === undefined) throw refused(offer.reason('tool', tool))
  }

export async function runToolCall(
  deps: SessionDependencies,
  caller: ToolCaller,
  target: ToolCallTarget,
  request: ClientRequest,
): Promise<JsonObject> {
  const { definition } = target
  const policy = deps.toolPolicy(target.serverId, target.tool)
  const args = takesPlainSchemas(policy, caller.hello.clientInfo.name)
    ? argumentsByOwnNames(target.arguments, definition)
    : target.arguments
  const problem =
    request.header && definition
      ? paramHeaderProblem(definition['inputSchema'], args, request.header)
      : undefined
  if (problem !== undefined) throw new RpcError(HEADER_MISMATCH, `Bad Request: ${problem}.`)
  let answered: JsonObject | undefined
  const inEra = (result: JsonObject): JsonObject => {
    const isOwn = answered === undefined || answered['resultType'] !== undefined
    return caller.hello.era === 'modern' && isOwn && result['resultType'] === undefined
      ? toModernResult('tools/call', result, ownImplementation(deps.version))
      : result
  }
  const traceContext = traceContextOf(request.params)
  const askServer = serverCall(deps, caller, target, { request, traceContext })
  const innermost: CallTool = async (call) => {
    const result = await askServer(call)
    answered = result
    return { result }
  }
  const link = caller.links.current(target.serverId)
  try {
    const outcome = await deps.pipeline(innermost)({
      id: deps.newId('c'),
      clientName: caller.clientName,
      sessionId: caller.sessionId,
      serverId: target.serverId,
      tool: target.tool,
      arguments: args,
      inputResponses: request.params?.['inputResponses'],
      definition: target.definition && forPlaceholders(target.definition, policy),
      refusal: target.refusal ?? freshRefusal(target, deps.settings().exploration.freshCalls),
      policy,
      asker: policy.cache.enabled ? deps.askerOf(link, caller.hello, request.params) : undefined,
      goal: undefined,
      bypass: false,
      origin: {
        introducedAs: caller.hello.clientInfo.name,
        folder: caller.place?.cwd,
        env: caller.place?.env,
        meta: metaOf(request.params),
      },
      traceContext,
      askUser: caller.askUser,
      signal: request.signal,
    })
    return outcome.cached ? outcome.result : inEra(outcome.result)
  } catch (error) {
    // JSON-RPC errors of servers pass; other failures go to the model.
    if (isTooDeep(error)) return inEra(failedResult(deepCall(target, args, answered)))
    if (error instanceof SluiceError) return inEra(failedResult(error.message))
    throw error
  }
}

/** Sends a call to the server, as the layers left it. */
function serverCall(
  deps: SessionDependencies,
  caller: ToolCaller,
  target: ToolCallTarget,
  {
    request,
    traceContext,
  }: { readonly request: ClientRequest; readonly traceContext: TraceContext | undefined },
): (call: ToolCall) => Promise<JsonObject> {
  const { serverId, tool, definition } = target
  const server = deps.settings().servers[serverId]
  const timeoutSeconds = server?.tools?.[tool]?.timeoutSeconds ?? server?.timeoutSeconds
  return (call) => {
    const params: JsonObject = { ...request.params, name: call.tool, arguments: call.arguments }
    if (call.arguments === undefined) delete params['arguments']
    if (call.traceContext && call.traceContext !== traceContext)
      params['_meta'] = { ...metaOf(params), ...call.traceContext }
    if (call.inputResponses !== undefined) params['inputResponses'] = call.inputResponses
    return caller.links.with(serverId, caller.hello, async (link) => {
      if (definition) await target.confirm(link)
      const options = relayOptions(request, {
        // Aborts when the last caller leaves.
        signal: call.signal,
        guard: (notification, deliver) => deps.notification({ ...caller, serverId }, notification, deliver),
        timeoutMs:
          timeoutSeconds === undefined ? undefined : Math.min(timeoutSeconds * 1000, LONGEST_TIMER_MS),
      })
      if (timeoutSeconds !== undefined) options.lateWords = lateWords(target, server, timeoutSeconds)
      options.asTask = runsAsTaskAlone(definition)
      const answer = await link.request('tools/call', params, options)
      return resultFor(caller.hello, link, 'tools/call', answer, target.serverInfo)
    })
  }
}

function deepCall(
  { serverId, tool }: ToolCallTarget,
  args: JsonObject | undefined,
  answered: JsonObject | undefined,
): string {
  const called = `the tool "${tool}" of server "${serverId}"`
  return answered
    ? tooDeepWords(
        `The result of ${called} is nested`,
        answered,
        'The call was made. Ask for a part of it, or for a flatter form.',
      )
    : tooDeepWords(
        `The arguments for ${called} are nested`,
        args,
        'The call was not made. Send them flatter, or as a text where the tool takes one.',
      )
}

/** States the setting that applied. */
function lateWords(
  { serverId, tool }: ToolCallTarget,
  server: ServerSettings | undefined,
  seconds: number,
): string {
  const ofServer = `servers.${serverId}.timeoutSeconds`
  const ofTool = `servers.${serverId}.tools.${tool}.timeoutSeconds`
  const isOfTool = server?.tools?.[tool]?.timeoutSeconds !== undefined
  const advice = isOfTool ? `Raise ${ofTool}` : `Raise ${ofServer}, or set ${ofTool} for this tool alone,`
  return `The tool "${tool}" of server "${serverId}" gave no answer and no progress for ${seconds} s, so the call was cancelled (${isOfTool ? ofTool : ofServer} in config.json). It may have been carried out; look before repeating it. ${advice} if it needs longer.`
}

/** 2025-11-25. */
function runsAsTaskAlone(definition: JsonObject | undefined): boolean {
  const execution = definition?.['execution']
  return isJsonObject(execution) && execution['taskSupport'] === 'required'
}

function argumentsByOwnNames(
  args: JsonObject | undefined,
  definition: JsonObject | undefined,
): JsonObject | undefined {
  const schema = definition?.['inputSchema']
  return args && isJsonObject(schema) ? withOwnNames(args, plainSchemaNames(schema)) : args
}

const metaOf = (params: JsonObject | undefined): JsonObject => {
  const meta = params?.['_meta']
  return isJsonObject(meta) ? meta : {}
}

function traceContextOf(params: JsonObject | undefined): TraceContext | undefined {
  const { traceparent, tracestate } = metaOf(params)
  if (typeof traceparent !== 'string') return undefined
  return { traceparent, ...(typeof tracestate === 'string' ? { tracestate } : {}) }
}

export function toolNameOf(params: JsonObject | undefined): string {
  const name = params?.['name']
  if (typeof name === 'string') return name
  throw new RpcError(RpcErrorCode.invalidParams, 'Invalid params: "name", the tool to call, must be a text.')
}

/** Must be an object or undefined, because nothing else could be checked. */
export const argumentsOf = (params: JsonObject | undefined): JsonObject | undefined => {
  const value = params?.['arguments'] ?? undefined
  if (value === undefined || isJsonObject(value)) return value
  throw new RpcError(RpcErrorCode.invalidParams, 'Invalid params: "arguments" must be an object.')
}
