import type { CompressText } from '../../electron/engine/compression/compress-text.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { generateText } from '../fixtures/servers/generate-text.ts'
import { readOwnCases } from './own-cases.ts'

export interface FuzzResult {
  readonly inputs: number
  /** One sentence per violation. */
  readonly faults: readonly string[]
  readonly slowest: { readonly ratio: number; readonly what: string }
}

const BUDGETS = [1, 15, 60, 200, 700, 2000]
const LONGEST = 12_000
/** Shorter times are noise. */
const FLOOR_MS = 25
const TOO_SLOW = 10

/**
 * Compresses mutated parts of the own cases' documents, with and without goals. The same seed gives the same inputs.
 * Processor time is compared with earlier inputs of the same kind and size.
 */
export function fuzzCompression(compress: CompressText, count: number, seed: number): FuzzResult {
  const cases = readOwnCases()
  const random = randomFrom(seed)
  const faults: string[] = []
  const usual = new Map<string, { ms: number; runs: number }>()
  let slowest = { ratio: 0, what: 'none' }
  for (let i = 0; i < count; i++) {
    const one = cases[Math.floor(random() * cases.length)]
    if (one === undefined) break
    const source = random() < 0.1 ? generateText(random() < 0.5 ? 'json' : 'log', 9000) : one.text
    const text = mutate(partOf(source, random), random)
    const budget = BUDGETS[Math.floor(random() * BUDGETS.length)] ?? 200
    const goal = random() < 0.5 ? one.goal : undefined
    const what = `input ${i} of ${one.document}, ${text.length} characters, budget ${budget}`
    const before = process.threadCpuUsage()
    try {
      const output = compress({ text, goal, budget, lossless: random() < 0.05 ? true : undefined })
      const spent = process.threadCpuUsage(before)
      const tokens = countTokens(output.text)
      if (tokens !== output.tokensAfter)
        faults.push(`${what}: says ${output.tokensAfter}, has ${tokens} tokens`)
      const isInput = output.text === text
      if (tokens > budget && !(isInput && output.strategy === 'none'))
        faults.push(`${what}: ${tokens} tokens by ${output.strategy}`)
      if (!isInput && tokens > countTokens(text)) faults.push(`${what}: larger than the input`)
      const ms = (spent.user + spent.system) / 1000
      const group = `${output.kind} ${Math.ceil(Math.log2(text.length + 1))}`
      const known = usual.get(group) ?? { ms: 0, runs: 0 }
      const ratio = ms / Math.max(FLOOR_MS, known.runs === 0 ? 0 : known.ms / known.runs)
      usual.set(group, { ms: known.ms + ms, runs: known.runs + 1 })
      if (known.runs > 20 && ratio > slowest.ratio) slowest = { ratio, what }
      if (known.runs > 20 && ratio > TOO_SLOW) faults.push(`${what}: ${ms.toFixed(0)} ms`)
    } catch (error) {
      faults.push(`${what}: crashed, ${String(error)}`)
    }
  }
  return { inputs: count, faults, slowest }
}

function partOf(text: string, random: () => number): string {
  const length = Math.floor(random() ** 2 * Math.min(LONGEST, text.length))
  const start = random() < 0.4 ? 0 : Math.floor(random() * (text.length - length))
  return text.slice(start, start + length)
}

const ODD = [
  '\u0000',
  '\ufeff',
  '\ud83d',
  '👩‍👩‍👧',
  '<|endoftext|>',
  '```',
  '"',
  '\\',
  '{"a":',
  ']',
  '\r',
  '\t\t',
  '</div>',
  '| - |',
  '@@ -1 +1 @@',
  ' '.repeat(200),
  'a'.repeat(500),
  '9'.repeat(60),
  '─'.repeat(80),
  '\n'.repeat(50),
  '[Compressed: 9→1 tokens, strategy: json]',
]

function mutate(text: string, random: () => number): string {
  let mutated = text
  const steps = Math.floor(random() * 6)
  for (let i = 0; i < steps; i++) {
    const at = Math.floor(random() * mutated.length)
    const to = Math.min(mutated.length, at + Math.floor(random() * 300))
    const kind = Math.floor(random() * 5)
    const [head, middle, tail] = [mutated.slice(0, at), mutated.slice(at, to), mutated.slice(to)]
    if (kind === 0) mutated = head + tail
    else if (kind === 1) mutated = head + middle + middle.repeat(Math.floor(random() * 8)) + tail
    else if (kind === 2) mutated = head + (ODD[Math.floor(random() * ODD.length)] ?? '') + middle + tail
    else if (kind === 3) mutated = head + middle.split('').reverse().join('') + tail
    else mutated = tail + head + middle
  }
  return mutated.slice(0, 4 * LONGEST)
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
