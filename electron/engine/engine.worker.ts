import { parentPort } from 'node:worker_threads'
import { SluiceError, messageOf } from './ground/errors.ts'
import type { Finding } from './guardrails/detector.ts'
import type { TextScan } from './guardrails/scan-text.ts'
import { arrived, crossingOf, crossInTurns, isLarge } from './work/crossing.ts'
import { KeptHere } from './work/kept-values.ts'
import { TextMover } from './work/moved-texts.ts'
import { parsePieces } from './protocol/parse-pieces.ts'
import type { HideSecrets, ReplayParts } from './replay/replay-job.ts'
import type { ResultExplorer } from './results/result-explorer.ts'
import type { WorkerJobs } from './work/jobs.ts'
import type { WorkerReply, WorkerRequest } from './work/pool-thread.ts'

type Loaders = { readonly [Name in keyof WorkerJobs]: () => Promise<WorkerJobs[Name]> }

/**
 * Composition root of a worker thread. Modules load on first use, because a thread that only parses shouldn't hold a
 * tokenizer and a sandbox.
 */
const loaders: Loaders = {
  compress: async () => {
    const compress = await compressor()
    return async (input) => compress(input)
  },
  'shrink-structured': async () => {
    const [{ shrinkStructured }, { goalOf }, { outputCheck }, { countTokens }] = await Promise.all([
      import('./compression/tree/shrink-structured.ts'),
      import('./compression/compress-text.ts'),
      import('./compression/output-schema.ts'),
      import('./text/tokens/count-tokens.ts'),
    ])
    return async ({ schema, ...input }) => {
      const goal = goalOf({ ...input, text: input.json })
      const shrunk = shrinkStructured({ ...input, goal, isValid: outputCheck(schema) })
      return shrunk && { ...shrunk, tokens: countTokens(shrunk.json) }
    }
  },
  scan: async () => {
    const [scan, { textsOf }] = await Promise.all([builtInScan(), import('./text/joined-texts.ts')])
    return async (joined) =>
      [...textsOf(joined)].flatMap((text, index) =>
        scan(text).map((finding): [number, Finding] => [index, finding]),
      )
  },
  'scan-result': async () => {
    scanResult ??= Promise.all([builtInScan(), import('./guardrails/scan-result.ts')]).then(
      ([scan, { createScanResult }]) => createScanResult(scan),
    )
    return scanResult
  },
  'count-tokens': async () => {
    const { countTokens } = await import('./text/tokens/count-tokens.ts')
    return async (text) => countTokens(text)
  },
  'measure-texts': async () => {
    const { measureTexts } = await import('./text/tokens/measure-texts.ts')
    return async (documents) => measureTexts(documents)
  },
  'measure-structured': async () => {
    const { measureStructured } = await import('./compression/measure-structured.ts')
    return async (input) => measureStructured(input)
  },
  parse: async () => parsePieces,
  reveal: async () => {
    const { revealForm } = await import('./guardrails/reveal-result.ts')
    return async ({ value, mode }) => {
      const revealed = revealForm(value, mode)
      return revealed.taken || revealed.marked ? revealed : undefined
    }
  },
  'pack-result': async () => (await import('./work/pack-result.ts')).packResult,
  'pack-readable-result': async () => (await import('./results/pack-result.ts')).packReadable,
  'unpack-result': async () => (await import('./results/pack-result.ts')).unpackResult,
  'check-answer': async () => {
    const { checkAnswer } = await import('./summaries/check-answer.ts')
    return async (input) => checkAnswer(input)
  },
  'compare-passages': async () => {
    const { comparePassages } = await import('./screens/compare-texts.ts')
    return async (texts) => comparePassages(texts)
  },
  'find-personal-data': async () => {
    const { findInTexts } = await import('./masking/find-in-texts.ts')
    return async (input) => findInTexts(input)
  },
  'read-database': async () => {
    const [{ readDatabase }, { listResults }] = await Promise.all([
      import('./ledger/database-reads.ts'),
      import('./results/list-results.ts'),
    ])
    return async (input) => readDatabase(input, listResults)
  },
  'replay-source': async () => {
    const [{ replayInWorker }, { createPrices }, parts] = await Promise.all([
      import('./replay/replay-job.ts'),
      import('./prices/create-prices.ts'),
      replayParts(),
    ])
    const warn = (): void => undefined
    return async (input) => {
      const prices = createPrices({ dataDir: input.dataDir, now: () => input.now, logger: { warn } }).table()
      return replayInWorker(input, { ...parts, prices })
    }
  },
  'read-turns': async () => {
    const { turnsIn } = await import('./transcripts/turns.ts')
    return async (source) => turnsIn(source)
  },
  'find-replayed': async () => {
    const [{ findInWorker }, parts] = await Promise.all([import('./replay/replay-job.ts'), replayParts()])
    return async (input) => findInWorker(input, parts)
  },
  'read-reference': async () => {
    const opened = await explorer()
    return (job) => opened.refer(job)
  },
  explore: async () => {
    const opened = await explorer()
    return (job) => opened.explore(job)
  },
}

const compressor = async () => (await import('./compression/load-compressor.ts')).loadCompressor()

const replayParts = async (): Promise<ReplayParts & { readonly hideSecrets: HideSecrets }> => {
  const [compress, { goalOfPrompts }, { isExact }, { hideSecretsIn }] = await Promise.all([
    compressor(),
    import('./goals/goal-of-prompts.ts'),
    import('./hooks/untouched.ts'),
    import('./masking/hide-secrets-in.ts'),
  ])
  return {
    compress,
    hideSecrets: hideSecretsIn,
    requestOf: (prompts, words) => goalOfPrompts({ prompts, words }),
    isExact,
  }
}

let scanResult: Promise<WorkerJobs['scan-result']> | undefined
let openedScan: Promise<TextScan> | undefined

const builtInScan = (): Promise<TextScan> =>
  (openedScan ??= (async () => {
    const [{ createBuiltInDetectors, createTextScan }, { readGuardModels }] = await Promise.all([
      import('./guardrails/scan-text.ts'),
      import('./guardrails/guard-models.ts'),
    ])
    return createTextScan(createBuiltInDetectors(readGuardModels()))
  })())

let openedExplorer: Promise<ResultExplorer> | undefined

const explorer = (): Promise<ResultExplorer> =>
  (openedExplorer ??= (async () => {
    const [{ ResultExplorer }, { countTokens }, { measureTokens }, { detectKind }] = await Promise.all([
      import('./results/result-explorer.ts'),
      import('./text/tokens/count-tokens.ts'),
      import('./text/tokens/measure-tokens.ts'),
      import('./text/kinds/detect-kind.ts'),
    ])
    return new ResultExplorer({
      tokens: { count: countTokens, measure: measureTokens },
      detectKind: (text) => detectKind(text),
      now: processorTime,
    })
  })())

/** Milliseconds of this thread: a busy or stopped machine doesn't end a script that is quick. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Nothing else waits for this thread. */
const mover = new TextMover({ piece: Number.MAX_SAFE_INTEGER })

const kept = new KeptHere()

parentPort?.on('message', (request: WorkerRequest) => void answer(request))

async function answer({ id, name, input, keeps }: WorkerRequest): Promise<void> {
  const send = (reply: WorkerReply) => parentPort?.postMessage(reply)
  try {
    const job = (await loaders[name as keyof WorkerJobs]()) as (input: unknown) => unknown
    if (!input) return send({ id, output: crossingOf(undefined) })
    const value = await arrived(mover, input)
    const complete = input.kept ? kept.complete(value, input.kept) : { input: value }
    if (!complete) return send({ id, isGone: true })
    const output = await job(complete.input)
    if (keeps) kept.keep(id, complete.input, output)
    send({ id, output: isLarge(output) ? await crossInTurns(mover, output) : crossingOf(output) })
  } catch (error) {
    send({
      id,
      error:
        error instanceof SluiceError
          ? { message: error.message, code: error.code, data: { ...error.data } }
          : { message: messageOf(error) },
    })
  }
}
