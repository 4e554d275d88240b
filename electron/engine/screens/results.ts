import type { Comparison, KeptResult } from '../../../shared/api/results.ts'
import { countTokensOf } from '../work/count-tokens-of.ts'
import { SCREENS_CLIENT } from '../../../shared/screens-client.ts'
import { resolveToolPolicy } from '../settings/resolve-policy.ts'
import { callExplorationTool, explorationToolDefinitions } from '../results/exploration-tools.ts'
import { parsePartId } from '../results/part-id.ts'
import type { StoredResult } from '../results/result-index.ts'
import { resultParts } from '../results/result-parts.ts'
import type { Answers } from './http/answers.ts'
import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import type { ComparedPassages } from './compare-texts.ts'
import type { ScreensOptions } from './screens-options.ts'

/** Of a shortened result. */
const STRATEGY = /^\[Compressed: [^\]]*?strategy: ([^,\]]+)/
const PAGE_CHARACTERS = 200_000
/** For a person. */
const EXPLORATION_BUDGET = 4_000

export function createResultsAnswers(options: ScreensOptions): Answers['results'] {
  const { results, workers, cache } = options
  return {
    list: async ({ client, ...search }) => (await results.list({ owner: client, ...search })).map(describe),
    get: ({ id }) => describe(results.getForUser(id)),
    original: async ({ id, offset, limit }) =>
      pageOf(await results.load(results.getForUser(id)), offset, limit),
    compare: ({ id }) => compareStored(options, results.getForUser(id)),
    shorten: ({ id, ...wanted }) => shortenAgain(options, results.getForUser(id), wanted),
    tools: () => [...explorationToolDefinitions()],
    explore: async ({ id, tool, arguments: args }, { signal }) => {
      const stored = results.getForUser(parsePartId(id).id)
      const { result, tokens } = await callExplorationTool(
        tool,
        { ...args, id },
        {
          owner: stored.owner,
          store: results,
          pool: workers,
          countTokens: countTokensOf(workers),
          turn: SCREENS_CLIENT,
          budget: EXPLORATION_BUDGET,
          callFresh: () => Promise.reject(new Error('Name the id of a result.')),
          signal,
        },
      )
      return { text: textOf(result), tokens, isError: result['isError'] === true }
    },
    delete: ({ id }) => {
      const { server, tool } = results.getForUser(id)
      results.delete(id)
      cache.store.clear(server, tool)
    },
  }
}

async function compareStored(options: ScreensOptions, stored: StoredResult): Promise<Comparison> {
  const { results, ledger, traces } = options
  const trace = traces.ofResult(stored.id)
  const form = trace?.sent ? { callId: trace.id, result: trace.sent } : await results.sentOf(stored.id)
  if (!form) return shortenAgain(options, stored, {})
  const original = await results.load(stored)
  const sent = sentText(form.result, original)
  // So that all screens agree. Equal results are stored once: the row is the shown call's, and a current call has
  // none yet.
  const row = await ledger.callOf(form.callId)
  return {
    ...(await comparisonOf(options, original, sent)),
    sentIs: 'kept',
    kind: stored.kind ?? 'text',
    tokensBefore: row?.tokensBefore ?? (await countTokens(options, textOf(original))),
    tokensAfter: row?.tokensAfter ?? (await countTokens(options, sent)),
    strategy: row?.strategy ?? STRATEGY.exec(sent)?.[1] ?? 'none',
    ...omittedIn(sent),
  }
}

/** Of a call that was just made: its result as the model would get it. */
export async function compareCall(options: ScreensOptions, result: JsonObject): Promise<Comparison> {
  const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
  const mark = isJsonObject(meta['sluice/result']) ? meta['sluice/result'] : undefined
  if (mark) {
    const stored = options.results.getForUser(stringIn(mark, 'id'))
    const sent = sentText(result, await options.results.load(stored))
    return { ...(await compareStored(options, stored)), sent, sentIs: 'kept' }
  }
  const text = textOf(result)
  const tokens = await countTokens(options, text)
  return {
    ...(await comparisonOf(options, result, text)),
    sentIs: 'kept',
    kind: 'text',
    tokensBefore: tokens,
    tokensAfter: tokens,
    strategy: 'none',
  }
}

async function shortenAgain(
  { results, workers, settings }: ScreensOptions,
  stored: StoredResult,
  { budget, goal }: { budget?: number | undefined; goal?: string | undefined },
): Promise<Comparison> {
  const original = await results.load(stored)
  const { compression } = resolveToolPolicy(settings.current, stored.server, stored.tool)
  const again = await workers.run('compress', {
    text: textOf(original),
    budget: budget ?? compression.maxOutputTokens,
    goal,
    resultId: stored.id,
    ...(compression.strategy === 'preview' ? { strategy: 'preview' } : {}),
  })
  return {
    ...(await comparisonOf({ workers }, original, again.text)),
    sentIs: 'again',
    kind: again.kind,
    tokensBefore: again.tokensBefore,
    tokensAfter: again.tokensAfter,
    strategy: again.strategy,
    ...omittedIn(again.text),
  }
}

const countTokens = ({ workers }: ScreensOptions, text: string): Promise<number> =>
  workers.run('count-tokens', text)

export async function comparisonOf(
  { workers }: Pick<ScreensOptions, 'workers'>,
  original: JsonObject,
  sent: string,
): Promise<Pick<Comparison, 'original' | 'sent'> & ComparedPassages> {
  const compared = await workers.run('compare-passages', { original: textOf(original), sent })
  return { original: pageOf(original, 0, PAGE_CHARACTERS), sent, ...compared }
}

export const omittedIn = (sent: string): Pick<Comparison, 'omittedInWords'> => {
  const words = /^\[Compressed: [^\]]*\] Omitted: (.*?)\.(?: proxy_|\n|$)/.exec(sent)?.[1]
  return words === undefined ? {} : { omittedInWords: words }
}

/** Omits structured content that repeated the original's text and was shortened separately, as the counts do. */
function sentText(sent: JsonObject, original: JsonObject): string {
  const hasStructured = resultParts(original).some(
    (part) => part.type === 'text' && part.from === 'structuredContent',
  )
  const parts = resultParts(sent).filter((part) => part.type === 'text')
  const texts = parts.filter(({ from }) => from === 'content')
  return (hasStructured || texts.length === 0 ? parts : texts).map(({ text }) => text).join('\n\n')
}

const textOf = (result: JsonObject): string =>
  resultParts(result)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')

function pageOf(result: JsonObject, offset: number, limit: number): Comparison['original'] {
  const text = textOf(result)
  const otherParts = resultParts(result).filter(({ type }) => type !== 'text').length
  return { text: text.slice(offset, offset + limit), offset, total: text.length, otherParts }
}

const describe = (stored: StoredResult): KeptResult => ({
  id: stored.id,
  client: stored.owner,
  server: stored.server,
  tool: stored.tool,
  created: stored.created,
  expires: stored.expires,
  size: stored.size,
  storedSize: stored.storedSize,
})
