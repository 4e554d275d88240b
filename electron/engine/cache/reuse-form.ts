import { setImmediate } from 'node:timers/promises'
import type { CompressionTrace, Interceptor, ToolCall, ToolOutcome } from '../message/call.ts'
import type { KeptOriginal, MakeForm, ShortenedForm } from '../compression/treatment.ts'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { CacheStore } from './cache-store.ts'
import { packBody, unpackBody, type PackOptions } from './pack-body.ts'
import type { createReuseResult } from './reuse-result.ts'

export interface ReuseFormOptions extends PackOptions {
  readonly store: CacheStore
  readonly findResult: ReturnType<typeof createReuseResult>['find']
  /** Of the requested form of this original; undefined if not cacheable. */
  readonly keyOf: (call: ToolCall, sha256: string) => Promise<string | undefined>
  readonly keptUntil: (id: string, owner: string, sha256: string) => number | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

const CACHE_MARK = 'sluice/cache'

/** For the same original, policy and equivalent goals. Fails open: shortens again. */
export function createReuseForm(options: ReuseFormOptions) {
  const { store, now, logger } = options
  const making = new Map<string, Promise<ShortenedForm | undefined>>()

  const failed = (call: ToolCall, error: unknown): undefined => {
    const { serverId: server, tool } = call
    logger.warn('the cache of shortened forms failed', { server, tool, cause: messageOf(error) })
    return undefined
  }

  const find = async (call: ToolCall, key: string, sha256: string): Promise<ShortenedForm | undefined> => {
    try {
      const started = performance.now()
      const found = store.find(key)
      const trace = found && traceOf(found.facts)
      // Its header promises the original.
      if (!trace?.resultId || options.keptUntil(trace.resultId, call.clientName, sha256) === undefined)
        return undefined
      const body = found?.body()
      if (!body) return undefined
      const result = await unpackBody(body, options)
      store.use(key)
      return { result, trace: { ...trace, milliseconds: performance.now() - started } }
    } catch (error) {
      return failed(call, error)
    }
  }

  const keep = async (
    call: ToolCall,
    key: string,
    original: KeptOriginal,
    form: ShortenedForm,
  ): Promise<void> => {
    const { resultId, skipped, provisional } = form.trace
    if (resultId !== original.id || skipped !== undefined || provisional) return
    try {
      const expires = options.keptUntil(original.id, call.clientName, original.sha256)
      if (expires === undefined) return
      const { serverId: server, tool, clientName: client } = call
      const body = await packBody(form.result, options)
      const facts = { trace: form.trace }
      store.put({ key, level: 'form', server, tool, client, created: now(), expires, facts, body })
    } catch (error) {
      failed(call, error)
    }
  }

  const once = async (
    call: ToolCall,
    original: KeptOriginal,
    make: MakeForm,
  ): Promise<ShortenedForm | undefined> => {
    const key = call.policy.cache.shortened ? await options.keyOf(call, original.sha256) : undefined
    if (key === undefined) return make()
    const known = (await find(call, key, original.sha256)) ?? (await joined(making.get(key)))
    if (known) return known
    const made = make()
    making.set(key, made)
    const kept = async (): Promise<void> => {
      const form = await joined(made)
      // After the answer: until then `making` has it.
      await setImmediate()
      if (form) await keep(call, key, original, form)
      if (making.get(key) === made) making.delete(key)
    }
    void kept()
    return made
  }

  /** Without reading the result; marks cached answers. */
  const answerAgain: Interceptor = (next) => {
    const fromCache = async (call: ToolCall): Promise<ToolOutcome> => {
      const isWhole = call.bypass || call.isHeldOut || call.policy.compression.strategy === 'off'
      const original = isWhole || !call.policy.cache.shortened ? undefined : options.findResult(call)
      if (original) {
        const { sha256, scan } = original.known
        const key = await options.keyOf(call, sha256)
        const form =
          key === undefined ? undefined : ((await find(call, key, sha256)) ?? (await joined(making.get(key))))
        if (form) {
          store.use(original.key)
          return {
            result: marked(form.result, original.created),
            compression: form.trace,
            cached: true,
            cachedAt: original.created,
            ...scan,
          }
        }
      }
      const outcome = await next(call)
      if (!outcome.cached) return outcome
      return { ...outcome, result: marked(outcome.result, outcome.cachedAt ?? now()) }
    }
    return function answerAgain(call) {
      return call.policy.cache.enabled ? fromCache(call) : next(call)
    }
  }

  return { once, answerAgain }
}

/** If another caller's attempt fails, one's own may succeed. */
const joined = async (
  making: Promise<ShortenedForm | undefined> | undefined,
): Promise<ShortenedForm | undefined> => making?.catch(() => undefined)

const marked = (result: JsonObject, at: number): JsonObject => ({
  ...result,
  _meta: {
    ...(isJsonObject(result['_meta']) ? result['_meta'] : {}),
    [CACHE_MARK]: { from: new Date(at).toISOString() },
  },
})

/** Written by this version: the version is part of the key. */
const traceOf = (facts: JsonObject): CompressionTrace | undefined =>
  isJsonObject(facts['trace']) ? (facts['trace'] as unknown as CompressionTrace) : undefined
