import { createHash } from 'node:crypto'
import type { ToolCall } from './call.ts'
import type { CompressResultOptions } from './compression/compress-result.ts'
import { countTokens } from './compression/tokens/count-tokens.ts'
import type { Events } from './events.ts'
import type { Logger } from './logger.ts'
import type { JsonObject } from './protocol/json-rpc.ts'
import type { ResultStore } from './results/store.ts'
import { canonicalJson } from './settings/server-hash.ts'
import type { Summarise } from './summaries/summarise.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Texts up to this many characters are counted where they are: the way to a worker takes longer. */
const COUNTED_INLINE = 20_000
/** Longer ones are estimated: a second's counting of 50 MB would decide nothing. */
const COUNTED_EXACTLY = 1_000_000

/** Here or in a worker thread; of more than a million characters an estimate, usually within one or two percent. */
export const countTokensOf =
  (workers: WorkerPool) =>
  async (text: string): Promise<number> =>
    text.length <= COUNTED_INLINE
      ? countTokens(text)
      : workers.run(text.length <= COUNTED_EXACTLY ? 'count-tokens' : 'measure-tokens', text)

/** Joins compression to the worker threads and to the store of originals. */
export function compressionOptions(options: {
  workers: WorkerPool
  results: ResultStore
  events: Events
  logger: Logger
  /** A model on top of the deterministic tier, with its limits. */
  summarise: Summarise
  once: CompressResultOptions['once']
}): CompressResultOptions {
  const { workers, results, events, logger, summarise, once } = options
  return {
    logger,
    once,
    compress: ({ wish, ...input }, signal) =>
      wish ? summarise({ ...input, wish }, signal) : workers.run('compress', input, { signal }),
    shrinkStructured: (input) => workers.run('shrink-structured', input),
    countTokens: countTokensOf(workers),
    keep: async ({ owner, serverId, tool, arguments: args, result }) => {
      const stored = await results.put({
        owner,
        server: serverId,
        tool,
        result,
        callKey: callKey(serverId, tool, args),
      })
      events.emit('result-stored', {
        resultId: stored.id,
        client: owner,
        server: serverId,
        tool,
        bytes: stored.size,
      })
      return { id: stored.id, sha256: stored.sha256 }
    },
    lastOriginal: async (call: ToolCall) => {
      const stored = results.findByCall(call.clientName, callKey(call.serverId, call.tool, call.arguments))
      return stored && results.load(stored)
    },
  }
}

/** The same for calls of the same tool with equal arguments, whatever the order of their keys, at any depth. */
const callKey = (serverId: string, tool: string, args: JsonObject | undefined): string =>
  createHash('sha256')
    .update(canonicalJson([serverId, tool, args ?? {}]))
    .digest('hex')
