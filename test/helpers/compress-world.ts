import { join } from 'node:path'
import type { ToolCall, ToolOutcome } from '../../electron/engine/message/call.ts'
import { createCompression } from '../../electron/engine/compression/create-compression.ts'
import { countTokensOf } from '../../electron/engine/work/count-tokens-of.ts'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { createEvents } from '../../electron/engine/ground/events.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { callExplorationTool } from '../../electron/engine/results/exploration-tools.ts'
import { ResultStore } from '../../electron/engine/results/store.ts'
import { WorkerPool } from '../../electron/engine/work/worker-pool.ts'
import { Settings, type ToolPolicy } from '../../shared/settings.ts'
import { BUILT_IN_POLICY, type CompressionPolicy } from '../../shared/policy.ts'

type CallOptions = Partial<ToolCall> & { compression?: Partial<CompressionPolicy> }

/** Around any result, with real worker threads and a real store. */
export function compressWorld(
  folder: string,
  {
    clientName = 'test',
    pathInHeader = 'auto',
    maxBytes = 1e9,
  }: { clientName?: string; maxBytes?: number; pathInHeader?: Settings['results']['pathInHeader'] } = {},
) {
  const workers = new WorkerPool({ logger: silentLogger, size: 1 })
  const database = openDatabase({ path: join(folder, 'sluice.db'), logger: silentLogger, now: Date.now })
  const results = new ResultStore({
    database,
    folder: join(folder, 'results'),
    logger: silentLogger,
    now: Date.now,
    limits: () => ({ ttlMs: 3_600_000, maxBytes }),
    pack: (result, isReadable) => workers.run(isReadable ? 'pack-readable-result' : 'pack-result', result),
    unpack: (source) => workers.run('unpack-result', source),
  })
  const { compressResult: layer } = createCompression({
    workers,
    results,
    events: createEvents(silentLogger),
    logger: silentLogger,
    settings: { current: { results: { ...Settings.parse({}).results, pathInHeader } } },
    summarise: () => Promise.reject(new Error('No model here.')),
    once: (_call, _original, make) => make(),
    hasLargeResults: () => false,
    onShortenedResource: () => {},
  })
  const policyOf = (compression: Partial<CompressionPolicy>): ToolPolicy => ({
    ...BUILT_IN_POLICY,
    compression: { ...BUILT_IN_POLICY.compression, ...compression },
    hidden: false,
    description: undefined,
    hideParameters: [],
    parameterOverrides: {},
  })
  const callOf = ({ compression = {}, ...over }: CallOptions = {}): ToolCall => ({
    id: 'c1',
    clientName,
    sessionId: 's1',
    serverId: 's',
    tool: 'get',
    arguments: {},
    definition: { name: 'get', inputSchema: { type: 'object' } },
    policy: policyOf(compression),
    goal: undefined,
    bypass: false,
    signal: new AbortController().signal,
    ...over,
  })
  /** As the client gets it. */
  const shorten = (
    result: JsonObject,
    { outcome = {}, ...options }: CallOptions & { outcome?: Partial<ToolOutcome> } = {},
  ): Promise<ToolOutcome> => layer.call(() => Promise.resolve({ result, ...outcome }))(callOf(options))
  const resource = (result: JsonObject): Promise<JsonObject> =>
    layer.read(() => Promise.resolve(result))({
      clientName,
      sessionId: 's1',
      serverId: 's',
      method: 'resources/read',
      name: 'r',
      params: undefined,
      policy: policyOf({ resources: true }),
    })
  /** From an exploration tool. */
  const explore = async (name: string, args: JsonObject): Promise<string[]> => {
    const { result } = await callExplorationTool(name, args, {
      owner: clientName,
      store: results,
      pool: workers,
      countTokens: countTokensOf(workers),
      budget: 20_000,
      callFresh: () => Promise.reject(new Error('Nobody should call.')),
    })
    return (result['content'] as { text: string }[]).map(({ text }) => text)
  }
  /** Byte by byte, over all pages. */
  const readBack = async (id: string): Promise<string> => {
    let text = ''
    for (let args: JsonObject | undefined = { id, unit: 'bytes' }; args;) {
      const [page = '', note = '']: string[] = await explore('proxy_read', args)
      text += page
      const next: string | undefined = /Go on: proxy_read (\{.*\})\]/.exec(note)?.[1]
      args = next === undefined ? undefined : (JSON.parse(next) as JsonObject)
    }
    return text
  }
  const close = async (): Promise<void> => {
    await workers.close()
    database.close()
  }
  const compressResult = layer.call
  return {
    folder: join(folder, 'results'),
    workers,
    compressResult,
    callOf,
    shorten,
    resource,
    explore,
    readBack,
    results,
    close,
  }
}
