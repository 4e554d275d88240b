import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compressText } from '../../../electron/engine/compression/compress-text.ts'
import { goalOfPrompts } from '../../../electron/engine/goals/goal-of-prompts.ts'
import { isExact } from '../../../electron/engine/hooks/untouched.ts'
import { createPrices } from '../../../electron/engine/prices/create-prices.ts'
import { replayInWorker } from '../../../electron/engine/replay/replay-job.ts'
import type { ReplayedSource } from '../../../electron/engine/replay/replay-source.ts'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import type { TranscriptApp, TranscriptSource } from '../../../electron/engine/transcripts/transcript.ts'
import { statSync } from 'node:fs'
import { claudeLines, writeLines, type ClaudeOptions } from '../../helpers/transcripts/write-claude-code.ts'
import { START, type Script, type Step } from '../../helpers/transcripts/script.ts'
import {
  codexLines,
  copilotLines,
  geminiLines,
  openOpencode,
  qwenLines,
} from '../../helpers/transcripts/write-others.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

// Bills computed by hand from the price list of transcripts.md, section 5.1, in US dollars for a million tokens.

const dataDir = temporaryFolder(afterAll)
const prices = createPrices({ dataDir, now: () => START, logger: { warn: () => {} } }).table()
const settings = parseSettings('{}').bare

const LOG = Array.from(
  { length: 700 },
  (_, index) =>
    `2026-11-20T09:${String(index % 60).padStart(2, '0')}:00Z INFO worker-${index % 7} step ${index} took ${(index * 37) % 900} ms`,
).join('\n')

function replay(source: TranscriptSource): ReplayedSource {
  return replayInWorker(
    { source, settings, dataDir, now: START, listedTokens: 0, project: undefined },
    {
      compress: compressText,
      prices,
      requestOf: (prompts, words) => goalOfPrompts({ prompts, words }),
      isExact,
    },
  )
}

const writers: Readonly<Record<Exclude<TranscriptApp, 'opencode'>, (script: Script) => object[]>> = {
  'claude-code': (script) => claudeLines(script),
  codex: codexLines,
  'gemini-cli': geminiLines,
  'copilot-cli': copilotLines,
  'qwen-code': qwenLines,
}

function written(app: TranscriptApp, script: Script, options?: ClaudeOptions): TranscriptSource {
  const path = join(temporaryFolder(), app === 'opencode' ? 'opencode.db' : 'session.jsonl')
  if (app === 'opencode') openOpencode(path, [script])()
  else writeLines(path, options ? claudeLines(script, options) : writers[app](script))
  const { size } = statSync(path)
  return {
    app,
    path,
    bytes: size,
    changed: START,
    ...(app === 'opencode' ? { session: script.session } : {}),
    ...(options?.agent === undefined ? {} : { parent: script.session }),
  }
}

const billOf = ({ requests }: ReplayedSource): number =>
  requests.reduce((sum, { cost }) => sum + cost.money, 0)

const outcomeOf = (replayed: ReplayedSource, call: string) => {
  const result = replayed.results.find((one) => one.call === call)
  const outcome = result?.outcomes?.[0]
  if (!result || !outcome) throw new Error(`${call} wasn't shortened.`)
  return { ...outcome, delta: result.tokens - outcome.after, tokens: result.tokens }
}

/** Six requests: a result written, read twice, written again after the cache's life, compacted away. */
const steps = (tool: string, hasWrites: boolean): Step[] => {
  const usage = (input: number, read: number, write: number, output: number) =>
    hasWrites ? { input, read, write, output } : { input: input + write, read, output }
  return [
    { prompt: 'Why do the workers wait so long for each other in the nightly run?' },
    {
      request: usage(10, 0, 20_000, 100),
      calls: [{ id: 'call_1', tool, input: { command: 'npm run nightly' } }],
    },
    { result: 'call_1', text: LOG },
    { request: usage(10, 20_000, 25_000, 200), calls: [{ id: 'call_2', tool, input: { command: 'false' } }] },
    { result: 'call_2', text: 'exit 1', isError: true },
    { request: usage(10, 45_000, 300, 300) },
    { prompt: 'And what about the last one?' },
    // Forty minutes later nothing of it is in the cache.
    { request: usage(10, 0, 46_000, 400), minutes: 40 },
    { request: usage(10, 46_000, 500, 500) },
    { compaction: 'The workers wait for step 12.' },
    { request: usage(10, 18_000, 900, 600) },
    { request: usage(10, 18_900, 700, 700) },
  ]
}

const INPUT = 10 * 7
const READ = 20_000 + 45_000 + 46_000 + 18_000 + 18_900
const WRITE = 20_000 + 25_000 + 300 + 46_000 + 500 + 900 + 700
const OUTPUT = 100 + 200 + 300 + 400 + 500 + 600 + 700
const M = 1_000_000

describe('a bill, and what shortening saves of it', () => {
  it.each([
    // Opus 5.5: 4 in, 20 out, 5 to write, 0.20 to read.
    { app: 'claude-code', tool: 'Bash', model: 'claude-opus-5-5', prices: [4, 5, 0.2, 20], hasWrites: true },
    { app: 'opencode', tool: 'bash', model: 'claude-opus-5-5', prices: [4, 5, 0.2, 20], hasWrites: true },
    { app: 'copilot-cli', tool: 'bash', model: 'claude-opus-5.5', prices: [4, 5, 0.2, 20], hasWrites: true },
    // GPT-5.4: 2.50 in and to write, 0.25 to read, 15 out.
    { app: 'codex', tool: 'shell', model: 'gpt-5.4', prices: [2.5, 2.5, 0.25, 15], hasWrites: true },
    // Gemini 3.8 Flash: 0.75 in, 0.075 to read, 3.75 out. Nothing is written.
    {
      app: 'gemini-cli',
      tool: 'run_shell_command',
      model: 'gemini-3.8-flash',
      prices: [0.75, 0.75, 0.075, 3.75],
      hasWrites: false,
    },
  ] as const)(
    'of $app with $model',
    ({ app, tool, model, prices: [input, write, read, output], hasWrites }) => {
      const script = { session: `s-${app}`, model, project: '/work/app', steps: steps(tool, hasWrites) }
      const replayed = replay(written(app, script))
      expect(replayed.problems).toEqual([])
      expect(replayed.requests).toHaveLength(7)
      expect(replayed.requests.every(({ unpriced }) => unpriced === undefined)).toBe(true)
      const bill = (INPUT * input + WRITE * write + READ * read + OUTPUT * output) / M
      expect(billOf(replayed)).toBeCloseTo(bill, 8)

      const { delta, first, later, recovery, tokens } = outcomeOf(replayed, 'call_1')
      expect(tokens).toBeGreaterThan(15_000)
      expect(delta).toBeGreaterThan(10_000)
      // Enters with the second request; read by the third and the fifth, written again by the fourth.
      expect(first.money).toBeCloseTo((delta * write) / M, 8)
      expect(later.money).toBeCloseTo((delta * (read + write + read)) / M, 8)
      expect(recovery.money).toBe(0)
      // A failed call is short, and stays as it is.
      expect(replayed.results.find(({ call }) => call === 'call_2')?.outcomes).toBeUndefined()
    },
  )

  it('of qwen-code, whose hooks can’t replace a result', () => {
    const script = {
      session: 'q',
      model: 'claude-haiku-4.5',
      project: '/work/app',
      steps: steps('run_shell_command', false),
    }
    const replayed = replay(written('qwen-code', script))
    // Haiku 4.5: 1 in, 0.10 to read, 5 out.
    expect(billOf(replayed)).toBeCloseTo(((INPUT + WRITE) * 1 + READ * 0.1 + OUTPUT * 5) / M, 8)
    expect(replayed.results.every(({ outcomes }) => outcomes === undefined)).toBe(true)
  })

  it('has writes for an hour, a result that survives a compaction, and one that a rewind leaves', () => {
    const script: Script = {
      session: 's',
      model: 'claude-sonnet-5-5',
      project: '/work/app',
      steps: [
        { prompt: 'Look at the nightly run, please, and tell me what is slow.' },
        {
          request: { input: 5, write: 1_000, write1h: 9_000, output: 50 },
          calls: [{ id: 'a', tool: 'Bash', input: { command: 'npm run nightly' } }],
        },
        { result: 'a', text: LOG },
        { request: { input: 5, read: 10_000, write: 5_000, write1h: 15_000, output: 60 } },
        { compaction: 'It is slow.', kept: ['a'] },
        { request: { input: 5, read: 8_000, write1h: 21_000, output: 70 } },
        { prompt: 'Run it again with the other settings, and compare both.' },
        {
          request: { input: 5, read: 29_000, write: 1_000, output: 80 },
          calls: [{ id: 'b', tool: 'Bash', input: { command: 'npm run nightly -- --other' } }],
        },
        { result: 'b', text: LOG.replaceAll('worker', 'runner') },
        { request: { input: 5, read: 30_000, write: 20_000, output: 90 } },
        // Back to before the second run.
        { prompt: 'No, leave that. Summarise the first run for the others.', after: 5 },
        { request: { input: 5, read: 29_000, write: 500, output: 100 } },
      ],
    }
    const replayed = replay(written('claude-code', script))
    // Sonnet 5.5: 2 in, 2.50 and 4 to write, 0.10 to read, 10 out.
    const bill =
      (6 * 5 * 2 +
        (1_000 + 5_000 + 1_000 + 20_000 + 500) * 2.5 +
        (9_000 + 15_000 + 21_000) * 4 +
        (10_000 + 8_000 + 29_000 + 30_000 + 29_000) * 0.1 +
        (50 + 60 + 70 + 80 + 90 + 100) * 10) /
      M
    expect(billOf(replayed)).toBeCloseTo(bill, 8)
    const a = outcomeOf(replayed, 'a')
    // A quarter of what came new is written for five minutes, the rest for an hour.
    expect(a.first.money).toBeCloseTo((a.delta * (0.25 * 2.5 + 0.75 * 4)) / M, 8)
    // After the compaction it is written again, then read by three requests.
    expect(a.later.money).toBeCloseTo((a.delta * (4 + 3 * 0.1)) / M, 8)
    const b = outcomeOf(replayed, 'b')
    expect(b.first.money).toBeCloseTo((b.delta * 2.5) / M, 8)
    expect(b.later.money).toBe(0)
  })

  it('of a sub-agent is its own: its parent pays for what it hands back', () => {
    const agent: Script = {
      session: 'main',
      model: 'claude-haiku-4-5',
      project: '/work/app',
      steps: [
        { prompt: 'Find what is slow in the nightly run and say it in a sentence.' },
        {
          request: { input: 3, write: 4_000, output: 40 },
          calls: [{ id: 'deep', tool: 'Bash', input: { command: 'npm run nightly' } }],
        },
        { result: 'deep', text: LOG },
        { request: { input: 3, read: 4_000, write: 20_000, output: 30 }, answer: 'Nothing.' },
      ],
    }
    const replayed = replay(written('claude-code', agent, { agent: 'a1' }))
    expect(replayed.session).toBe('main/a1')
    expect(billOf(replayed)).toBeCloseTo((6 * 1 + 24_000 * 1.25 + 4_000 * 0.1 + 70 * 5) / M, 8)
    const { delta, first, later } = outcomeOf(replayed, 'deep')
    expect(first.money).toBeCloseTo((delta * 1.25) / M, 8)
    expect(later.money).toBe(0)
  })

  it('takes off what fetching a part would have cost that the session used and the short form lacks', () => {
    const traced = LOG.split('\n').map((line, index) => `${line} trace-${77_000 + index}x`)
    const script: Script = {
      session: 's',
      model: 'claude-opus-5-5',
      project: '/work/app',
      steps: [
        { prompt: 'Which worker is the slowest one of the nightly run, by its steps?' },
        {
          request: { input: 0, write: 10_000, output: 100 },
          calls: [{ id: 'a', tool: 'Bash', input: { command: 'npm run nightly' } }],
        },
        { result: 'a', text: traced.join('\n') },
        {
          request: { input: 0, read: 10_000, write: 20_000, output: 100 },
          calls: [{ id: 'b', tool: 'Bash', input: { command: 'stat trace-77413x' } }],
        },
        { result: 'b', text: 'Size: 12' },
        { request: { input: 0, read: 30_000, write: 200, output: 100 } },
      ],
    }
    const replayed = replay(written('claude-code', script))
    const { delta, recovery, uses, kept, fetches } = outcomeOf(replayed, 'a')
    expect({ uses, kept, fetches }).toEqual({ uses: 3, kept: 0, fetches: 1 })
    const page = Math.min(delta, 1_000)
    // One call of 60 tokens, one request that reads the 30,000 tokens so far, the page written and read once.
    const expected = (60 * 20 + 30_000 * 0.2 + page * (5 + 0.2)) / M
    expect(recovery.money).toBeCloseTo(expected, 8)
  })
})
