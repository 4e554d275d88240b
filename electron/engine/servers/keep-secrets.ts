import { SluiceError } from '../ground/errors.ts'
import { atOnce, inSteps, type Steps } from '../ground/steps.ts'
import type { KnownSecrets } from '../ground/secrets/known-secrets.ts'
import { carrySources, sourceOf } from '../protocol/exact-json.ts'
import { isJsonObject, RpcError, type JsonObject } from '../protocol/json-rpc.ts'
import type { OpenLink, UpstreamEvents, UpstreamLink, UpstreamRequestOptions } from '../protocol/link.ts'

const SECRET_MARK = '[secret removed by Sluice]'

/** Characters per event-loop turn. */
const AT_ONCE = 1_000_000
/** Of a step. */
const LOOKED_AT_ONCE = 100_000
/** Per visited value, in characters. */
const VALUE_SIZE = 100

/**
 * From everything a server sends: results, errors, notifications, requests and introduction. Rejects calls with the
 * mark in arguments, because the server would write it in place of the secret.
 */
export const keepSecrets =
  (openLink: OpenLink, known: KnownSecrets): OpenLink =>
  async (options) => {
    const clean = <T>(value: T): T => cleanValue(value, known)
    const { events } = options
    const cleanEvents: UpstreamEvents = {
      ...events,
      onNotification: (method, params) => events.onNotification(method, clean(params)),
      onRequest: async (method, params, signal, notify) =>
        events.onRequest(method, clean(params), signal, notify),
      onReach: (failure) => events.onReach?.(clean(failure)),
      onLost: (error) => events.onLost(cleanError(error, known)),
    }
    const link = await openLink({ ...options, events: cleanEvents }).catch((error: unknown) => {
      throw cleanError(error, known)
    })
    return withoutSecrets(link, known)
  }

function withoutSecrets(link: UpstreamLink, known: KnownSecrets): UpstreamLink {
  const hello = cleanValue(link.hello, known)
  const relate = (options: UpstreamRequestOptions): UpstreamRequestOptions => {
    const { onProgress, onRelated } = options
    const clean = { ...options }
    if (onProgress) clean.onProgress = (params) => onProgress(cleanValue(params, known))
    if (onRelated) clean.onRelated = (method, params) => onRelated(method, cleanValue(params, known))
    return clean
  }
  // By name, so that the compiler reports new members.
  const own: Pick<UpstreamLink, keyof UpstreamLink> &
    Required<Record<Exclude<keyof UpstreamLink, 'wake'>, unknown>> = {
    serverId: link.serverId,
    hello,
    announced: link.announced,
    folder: link.folder,
    get pid() {
      return link.pid
    },
    notify: (method, params) => link.notify(method, params),
    isOpen: () => link.isOpen(),
    close: () => link.close(),
    async request(method, params, options) {
      if (method === 'tools/call') {
        const looking = inSteps(holdsMark(params?.['arguments']))
        if (looking instanceof Promise ? await looking : looking) throw markRefused(link.serverId)
      }
      try {
        const result = await link.request(method, params, options && relate(options))
        if (known.size === 0 || !(await inSteps(holdsSecret(result, known)))) return result
        return (await inSteps(cleanCopy(result, known))) as JsonObject
      } catch (error) {
        throw await inSteps(cleaningError(error, known))
      }
    },
  }
  return own
}

function* holdsMark(args: unknown): Steps<boolean> {
  let looked = 0
  for (const text of textsIn(args, false)) {
    if (text.includes(SECRET_MARK)) return true
    looked += text.length + VALUE_SIZE
    if (looked < LOOKED_AT_ONCE) continue
    looked = 0
    yield
  }
  return false
}

const markRefused = (serverId: string): SluiceError =>
  new SluiceError(
    'CALL_REFUSED',
    `The call was not made: its arguments hold "${SECRET_MARK}", which stands for a secret that Sluice took out of an earlier result. ` +
      'The server would write these words in the place of the secret. Change only the parts around it, or ask the user to put the secret in.',
    { data: { serverId } },
  )

/** Returns the same error if clean; keeps its class for handlers. */
const cleanError = (error: unknown, known: KnownSecrets): Error => atOnce(cleaningError(error, known))

function* cleaningError(error: unknown, known: KnownSecrets): Steps<Error> {
  if (!(error instanceof Error)) return new Error(yield* known.cleaning(String(error), SECRET_MARK))
  const message = yield* known.cleaning(error.message, SECRET_MARK)
  if (error instanceof RpcError) {
    const fields = yield* cleaningValue(error.fields, known)
    return fields.message === error.message && fields.data === error.data && fields.others === error.others
      ? error
      : error.saying(fields)
  }
  if (message === error.message) return error
  if (error instanceof SluiceError)
    return new SluiceError(error.code, message, { data: error.data, cause: error.cause })
  return new Error(message, { cause: error.cause })
}

/** Not secret: shared values, addresses, paths and plain words, frequent in results. */
const NO_SECRET =
  /^(?:[a-z]+(?:[-_. ][a-z]+)*|[\d.,:_-]{1,11}|(?:~|\.{1,2})?\/.*|[a-z]:[\\/].*|[a-z][\w+.-]*:\/\/[^@?]*)$/is
const LONGEST_WORDS = 24

/** Certainly secret in a server's message. */
export const sureSecrets = (values: readonly string[]): string[] =>
  values.filter(
    (value) => !NO_SECRET.test(value) || (/^[a-z\d]+$/i.test(value) && value.length > LONGEST_WORDS),
  )

/** As its server wrote it. */
const numberText = (container: object, key: string, value: number): string =>
  sourceOf(container, key) ?? String(value)

/** Texts and field names, iteratively, because nesting is unbounded. */
function* textsIn(value: unknown, withNumbers: boolean): Generator<string> {
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined || waiting.length > 0; next = waiting.pop()) {
    if (typeof next === 'string') yield next
    else if (Array.isArray(next))
      for (const [index, item] of next.entries()) {
        if (withNumbers && typeof item === 'number') yield numberText(next, String(index), item)
        else waiting.push(item)
      }
    else if (isJsonObject(next)) {
      for (const [name, item] of Object.entries(next)) {
        yield name
        if (withNumbers && typeof item === 'number') yield numberText(next, name, item)
        else waiting.push(item)
      }
    }
  }
}

function* holdsSecret(value: unknown, known: KnownSecrets): Steps<boolean> {
  let texts = 0
  for (const text of textsIn(value, known.hasNumber)) {
    for (let from = 0; from < text.length || from === 0; from += AT_ONCE) {
      const piece = text.length <= AT_ONCE ? text : text.slice(Math.max(0, from - OVERLAP), from + AT_ONCE)
      if (yield* known.looking(piece)) return true
      if (++texts % TEXTS_OF_STEP === 0 || piece.length > LONG) yield
    }
  }
  return false
}

const OVERLAP = 100_000
const TEXTS_OF_STEP = 50
const LONG = 10_000

/** Returns the same value if clean. */
const cleanValue = <T>(value: T, known: KnownSecrets): T => atOnce(cleaningValue(value, known))

function* cleaningValue<T>(value: T, known: KnownSecrets): Steps<T> {
  if (known.size === 0 || !(yield* holdsSecret(value, known))) return value
  return (yield* cleanCopy(value, known)) as T
}

function* cleanCopy(value: unknown, known: KnownSecrets): Steps<unknown> {
  if (typeof value === 'string') return yield* known.cleaning(value, SECRET_MARK)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const [index, item] of (value as unknown[]).entries())
      list.push(yield* cleanMember(value, String(index), item, known))
    return carrySources(value, list)
  }
  if (!isJsonObject(value)) return value
  const entries: [string, unknown][] = []
  for (const [name, item] of Object.entries(value))
    entries.push([yield* known.cleaning(name, SECRET_MARK), yield* cleanMember(value, name, item, known)])
  return carrySources(value, Object.fromEntries(entries))
}

function* cleanMember(container: object, key: string, item: unknown, known: KnownSecrets): Steps<unknown> {
  if (typeof item !== 'number' || !known.hasNumber) return yield* cleanCopy(item, known)
  const text = numberText(container, key, item)
  const cleaned = yield* known.cleaning(text, SECRET_MARK)
  return cleaned === text ? item : cleaned
}
