import { parentPort } from 'node:worker_threads'
import { SluiceError, messageOf } from './ground/errors.ts'
import type { Finding } from './guardrails/detector.ts'
import type { TextScan } from './guardrails/scan-text.ts'
import { arrived, crossingOf, crossInTurns, isLarge } from './work/crossing.ts'
import { TextMover } from './work/moved-texts.ts'
import { parsePieces } from './protocol/parse-pieces.ts'
import type { ResultExplorer } from './results/result-explorer.ts'
import type { WorkerJobs } from './work/jobs.ts'
import type { WorkerReply, WorkerRequest } from './work/worker-pool.ts'

/**
 * Composition root of a worker thread: gives each job what it needs. Modules load on first use, because a thread that
 * only parses shouldn't hold a tokenizer, grammars and a sandbox.
 */
const jobs: WorkerJobs = {
  compress: async (input) => {
    const { loadCompressor } = await import('./compression/load-compressor.ts')
    return (await loadCompressor())(input)
  },
  'shrink-structured': async ({ json, schema, goal, budget, resultId }) => {
    const [{ shrinkStructured }, { outputCheck }, { countTokens }] = await Promise.all([
      import('./compression/tree/shrink-structured.ts'),
      import('./compression/output-schema.ts'),
      import('./text/tokens/count-tokens.ts'),
    ])
    const shrunk = shrinkStructured({ json, goal, budget, isValid: outputCheck(schema), resultId })
    return shrunk && { ...shrunk, tokens: countTokens(shrunk.json) }
  },
  scan: async (joined) => {
    const [scan, { textsOf }] = await Promise.all([builtInScan(), import('./text/joined-texts.ts')])
    return [...textsOf(joined)].flatMap((text, index) =>
      scan(text).map((finding): [number, Finding] => [index, finding]),
    )
  },
  'count-tokens': async (text) => (await import('./text/tokens/count-tokens.ts')).countTokens(text),
  'measure-texts': async (documents) =>
    (await import('./text/tokens/measure-texts.ts')).measureTexts(documents),
  'measure-structured': async (input) =>
    (await import('./compression/measure-structured.ts')).measureStructured(input),
  parse: (pieces) => parsePieces(pieces),
  reveal: async ({ value, mode }) => {
    const { revealForm } = await import('./guardrails/reveal-result.ts')
    const revealed = revealForm(value, mode)
    return revealed.hidden && revealed
  },
  'pack-result': async (result) => (await import('./work/pack-result.ts')).packResult(result),
  'pack-readable-result': async (result) => (await import('./results/pack-result.ts')).packReadable(result),
  'unpack-result': async (source) => (await import('./results/pack-result.ts')).unpackResult(source),
  'check-answer': async (input) => (await import('./summaries/check-answer.ts')).checkAnswer(input),
  'find-personal-data': async (input) => (await import('./masking/find-in-texts.ts')).findInTexts(input),
  'read-database': async (input) => {
    const [{ readDatabase }, { listResults }] = await Promise.all([
      import('./ledger/database-reads.ts'),
      import('./results/list-results.ts'),
    ])
    return readDatabase(input, listResults)
  },
  explore: async (job) => (await explorer()).explore(job),
}

let openedScan: Promise<TextScan> | undefined

const builtInScan = (): Promise<TextScan> =>
  (openedScan ??= (async () => {
    const [{ createBuiltInDetectors, createTextScan }, { readGuardModel }] = await Promise.all([
      import('./guardrails/scan-text.ts'),
      import('./guardrails/guard-model.ts'),
    ])
    return createTextScan(createBuiltInDetectors(readGuardModel()))
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
      now: () => performance.now(),
    })
  })())

/** Nothing else waits for this thread. */
const mover = new TextMover({ piece: Number.MAX_SAFE_INTEGER })

parentPort?.on('message', ({ id, name, input }: WorkerRequest) => {
  const job = jobs[name as keyof WorkerJobs] as (input: unknown) => unknown
  void answer(id, async () => job(await arrived(mover, input)))
})

async function answer(id: number, work: () => unknown): Promise<void> {
  const send = (reply: WorkerReply) => parentPort?.postMessage(reply)
  try {
    const output = await work()
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
