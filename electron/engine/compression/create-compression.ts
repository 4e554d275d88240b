import { createHash } from 'node:crypto'
import type { Settings } from '../../../shared/settings.ts'
import type { ToolCall } from '../message/call.ts'
import type { Layer } from '../message/layers.ts'
import { createCompressResource, createCompressResult } from './compress-result.ts'
import type { CompressResultOptions } from './treatment.ts'
import { holdOut } from './hold-out.ts'
import { measureStructured } from './measure-structured.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ResultStore } from '../results/store.ts'
import { sortedJson } from '../settings/server-hash.ts'
import type { Summarise } from '../summaries/summarise.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import { countAllOf } from '../work/count-tokens-of.ts'
import { isNear } from '../work/near.ts'
import { namesFile } from '../settings/known-apps.ts'

export function createCompression(options: Parameters<typeof compressionOptions>[0]) {
  const joined = compressionOptions(options)
  return {
    compressResult: {
      call: createCompressResult(joined),
      read: createCompressResource(joined),
    } satisfies Layer,
    holdOut: { call: holdOut } satisfies Layer,
  }
}

/** Connects worker threads and the store of originals. */
function compressionOptions(options: {
  workers: WorkerPool
  results: ResultStore
  events: Events
  logger: Logger
  /** Runs on top of the deterministic tier. */
  summarise: Summarise
  once: CompressResultOptions['once']
  onShortenedResource: CompressResultOptions['onShortenedResource']
  /** So far. */
  hasLargeResults: (serverId: string, tool: string) => boolean
  settings: { readonly current: Pick<Settings, 'results'> }
}): CompressResultOptions {
  const {
    workers,
    results,
    events,
    logger,
    summarise,
    once,
    onShortenedResource,
    hasLargeResults,
    settings,
  } = options
  return {
    logger,
    once,
    onShortenedResource,
    compress: ({ wish, ...input }, signal) =>
      wish ? summarise({ ...input, wish }, signal) : workers.run('compress', input, { signal }),
    shrinkStructured: (input) => workers.run('shrink-structured', input),
    measureStructured: async (input) =>
      isNear('measure-structured', input.json.length + (input.text?.length ?? 0))
        ? measureStructured(input)
        : workers.run('measure-structured', input),
    countTokens: countAllOf(workers),
    // A thread loads while the server works.
    expect: ({ serverId, tool }) => {
      if (hasLargeResults(serverId, tool)) workers.prepare('compress')
    },
    keep: async ({ owner, serverId, tool, arguments: args, result, tooLargeToScan, guard, guarded }) => {
      // Content scanned on fetch must not be readable by another route.
      const isScanned = !tooLargeToScan || guard.results === 'off'
      const begun = await results.begin({
        owner,
        server: serverId,
        tool,
        result,
        callKey: callKey(serverId, tool, args),
        isReadable: isScanned && namesFile(settings.current.results.pathInHeader, owner),
        after: guarded,
      })
      const kept = begun.kept.then((stored) => {
        const { id: resultId, size: bytes } = stored
        events.emit('result-stored', { resultId, client: owner, server: serverId, tool, bytes })
        return stored
      })
      // Its caller may still be busy.
      kept.catch(() => {})
      return { ...begun, kept }
    },
    lastOriginal: async (call: ToolCall) => {
      const stored = results.findByCall(call.clientName, callKey(call.serverId, call.tool, call.arguments))
      return stored && results.load(stored)
    },
  }
}

/** Equal for calls of the same tool with equal arguments, regardless of key order at any depth. */
const callKey = (serverId: string, tool: string, args: JsonObject | undefined): string =>
  createHash('sha256')
    .update(sortedJson([serverId, tool, args ?? {}]))
    .digest('hex')
