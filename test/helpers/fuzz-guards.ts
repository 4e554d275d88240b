import * as fc from './properties.ts'
import { canonicalDefinition } from '../../electron/engine/protocol/definition-hash.ts'
import { describeChange } from '../../electron/engine/approvals/describe-change.ts'
import type { PendingChange } from '../../electron/engine/approvals/pin.ts'
import { formatChange } from '../../electron/cli/format-change.ts'
import { SluiceError } from '../../electron/engine/ground/errors.ts'
import { cleanValue } from '../../electron/engine/guardrails/clean-value.ts'
import { cleanText } from '../../electron/engine/guardrails/control-characters.ts'
import { readResult } from '../../electron/engine/guardrails/result-texts.ts'
import {
  createBuiltInDetectors,
  createTextScan,
  scanTexts,
} from '../../electron/engine/guardrails/scan-text.ts'
import { readGuardModels } from '../../electron/engine/guardrails/guard-models.ts'
import { judge } from '../../electron/engine/guardrails/judge.ts'
import { findInTexts } from '../../electron/engine/masking/find-in-texts.ts'
import { maskInValue, restoreInValue } from '../../electron/engine/masking/mask-in-value.ts'
import { countFromOne, Vault } from '../../electron/engine/masking/vault.ts'
import { PERSONAL_DATA_TYPES, type MaskingPolicy } from '../../shared/masking-policy.ts'
import { guardrailInputs } from './guardrail-inputs.ts'
import { hostileTexts } from './hostile-texts.ts'

/** One guard's result for all inputs. */
export interface FuzzReport {
  readonly slowestMs: number
  /** Crashes, wrong answers, and inputs that exceeded the limit twice. */
  readonly failures: readonly string[]
}

/** Far above the need: only a time that grows faster than the input reaches it. */
const limitOf = (characters: number): number => 250 + characters * 0.05

const REPEATED = [
  'a', 'a@', '@a.', '((((', '1-', '4111 ', '+1 (555) ', '::1', 'DE89 3704 ', 'sk-aaaa', '[EMAIL_1]', '{"a":[', '\\u0041', '\u001b[1;',
  'ignore all ', '\u202e', '\ud800', 'SWdu', '\u0301', ' \n', '"', 'я', '👨\u200d',
] // prettier-ignore

const longText = fc
  .tuple(fc.constantFrom(...REPEATED), fc.constantFrom(...REPEATED), fc.integer({ min: 1, max: 4_000 }))
  .map(([piece, end, times]) => piece.repeat(times) + end)

const deepValue = fc
  .tuple(
    fc.integer({ min: 1, max: 3_000 }),
    fc.constantFrom('a', '__proto__', 'x y', '\u202e'),
    guardrailInputs.text,
  )
  .map(([depth, key, leaf]) => {
    let value: unknown = leaf
    for (let level = 0; level < depth; level++)
      value = level % 3 === 0 ? [value] : { [key]: value, note: 'a@x.org' }
    return value
  })

const wireValue = fc
  .oneof(guardrailInputs.value, fc.jsonValue())
  // As received: `__proto__` is an ordinary key there.
  .map((value): unknown => JSON.parse(JSON.stringify(value ?? null)))

const input: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 100, arbitrary: guardrailInputs.text },
  { weight: 90, arbitrary: wireValue },
  { weight: 6, arbitrary: longText },
  { weight: 1, arbitrary: deepValue },
  {
    weight: 3,
    arbitrary: fc.dictionary(
      fc.constantFrom('__proto__', 'constructor', 'toString', 'then'),
      guardrailInputs.value,
    ),
  },
)

const policy: MaskingPolicy = {
  direction: 'from-model',
  types: PERSONAL_DATA_TYPES,
  customPatterns: { bomb: { regex: '(a+)+$|(x*)*y', placeholder: 'BOMB' } },
}
const detectors = createBuiltInDetectors(readGuardModels())
const scanText = createTextScan(detectors)

function pending(before: string | undefined, after: { text: string; hash: string }): PendingChange {
  return {
    identity: 'i',
    serverId: 's',
    kind: 'tool',
    name: 'x',
    change: before === undefined ? 'new' : 'changed',
    hash: after.hash,
    definition: after.text,
    at: 0,
    deniedAt: undefined,
    before,
  }
}

/** A refusal in plain words is an answer; any other throw is a crash. */
function canonicalOrRefused(value: unknown): { text: string; hash: string } | undefined {
  try {
    return canonicalDefinition(value)
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'BAD_INPUT') return undefined
    throw error
  }
}

function reversed(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 500) return value
  if (Array.isArray(value)) return value.map((item: unknown) => reversed(item, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value).reverse())
    Object.defineProperty(copy, key, {
      value: reversed(item, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  return copy
}

function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(what)
}

/** Each throws if it does something wrong. `previous`: canonical form of the previous input. */
const GUARDS: Readonly<
  Record<string, (value: unknown, previous: string | undefined) => void | Promise<void>>
> = {
  detectors: (value) => {
    const texts = readResult({
      content: [{ type: 'text', text: typeof value === 'string' ? value : '' }],
      structuredContent: value,
    }).texts
    const { score, findings } = judge(scanTexts(scanText, texts))
    check(score >= 0 && score <= 1, `score ${score}`)
    for (const { start, end } of findings) check(start >= 0 && start <= end, `finding at ${start}–${end}`)
    for (const detector of detectors)
      detector.scanDefinition({ type: 'tool', name: 'x', value, foreignTools: ['send'] })
    for (const mode of ['strip', 'visualise'] as const) {
      const clean = cleanValue(value, mode)
      if (mode === 'strip')
        check(
          cleanValue(clean, 'strip') === clean ||
            JSON.stringify(cleanValue(clean, 'strip')) === JSON.stringify(clean),
          'cleaning twice',
        )
    }
  },
  'describe-change': (value, previous) => {
    const after = canonicalOrRefused(value)
    if (!after) return
    const visualise = (text: string): string => cleanText(text, 'visualise')
    const changed = describeChange(pending(previous, after), visualise)
    check(
      previous === undefined || (changed.places.length === 0) === (previous === after.text),
      'places and hashes disagree',
    )
    const fresh = describeChange(pending(undefined, after), visualise)
    formatChange({ ...fresh, findings: [], definition: JSON.parse(after.text) as unknown })
  },
  masking: async (value) => {
    const vault = new Vault(countFromOne())
    const masked = await maskInValue(value, vault, policy, (each) => Promise.resolve(findInTexts(each)))
    const back = restoreInValue(masked, vault)
    check(back === value || sameValue(back, value), 'the round trip changed something')
  },
  'canonical JSON': (value) => {
    const one = canonicalOrRefused(value)
    if (!one) return
    check(canonicalDefinition(reversed(value)).hash === one.hash, 'order of keys counts')
    check(canonicalDefinition(JSON.parse(one.text)).text === one.text, 'it is not its own canonical form')
  },
}

/** Without recursion for deep values. */
function sameValue(one: unknown, other: unknown): boolean {
  const open: [unknown, unknown][] = [[one, other]]
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [a, b] = pair
    if (a === b || (Object.is(a, -0) && b === 0) || (Object.is(b, -0) && a === 0)) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    const [left, right] = [Object.entries(a), Object.entries(b)]
    if (left.length !== right.length) return false
    for (const [index, [key, item]] of left.entries()) {
      const twin = right[index]
      if (!twin || twin[0] !== key) return false
      open.push([item, twin[1]])
    }
  }
  return true
}

const BATCH = 500

/** Gives every guard `count` random and hostile inputs, the same for the same seed. */
export async function fuzzGuards(count: number, seed: number): Promise<Record<string, FuzzReport>> {
  const reports = new Map(
    Object.keys(GUARDS).map((name) => [name, { slowestMs: 0, failures: [] as string[] }]),
  )
  let previous: string | undefined
  const tryAll = async (value: unknown): Promise<void> => {
    for (const [name, act] of Object.entries(GUARDS)) {
      const report = reports.get(name)
      if (!report) continue
      try {
        // Both sides of a difference count.
        const limit = limitOf(sizeOf(value) + (previous?.length ?? 0))
        const took = await timed(() => act(value, previous), limit)
        report.slowestMs = Math.max(report.slowestMs, took)
        if (took > limit) report.failures.push(`took ${took.toFixed(0)} ms: ${excerpt(value)}`)
      } catch (error) {
        report.failures.push(`${String(error).slice(0, 200)}: ${excerpt(value)}`)
      }
    }
    previous = canonicalOrRefused(value)?.text
  }
  for (let done = 0; done < count; done += BATCH) {
    const values = fc.sample(input, { numRuns: Math.min(BATCH, count - done), seed: seed + done })
    for (const value of values) await tryAll(value)
  }
  return Object.fromEntries(reports)
}

/** Hostile texts of about `length` characters, and nesting a fifth as deep. */
export async function fuzzLongTexts(length: number): Promise<Record<string, FuzzReport>> {
  const reports: Record<string, FuzzReport> = {}
  const nesting = (): unknown => {
    let value: unknown = 'a@x.org'
    for (let depth = 0; depth < length / 5; depth++) value = depth % 2 === 0 ? [value] : { __proto__x: value }
    return value
  }
  for (const [name, make] of [...hostileTexts(length), ['nesting', nesting] as const]) {
    const value = make()
    const failures: string[] = []
    let slowestMs = 0
    for (const [guard, act] of Object.entries(GUARDS)) {
      try {
        const limit = limitOf(length)
        const took = await timed(() => act(value, '"before"'), limit)
        slowestMs = Math.max(slowestMs, took)
        if (took > limit) failures.push(`${guard} took ${took.toFixed(0)} ms`)
      } catch (error) {
        failures.push(`${guard}: ${String(error).slice(0, 200)}`)
      }
    }
    reports[name] = { slowestMs, failures }
  }
  return reports
}

/**
 * Processor milliseconds, because elapsed time includes other processes. Slow inputs are tried again; the better time
 * counts.
 */
async function timed(act: () => void | Promise<void>, limit: number): Promise<number> {
  const once = async (): Promise<number> => {
    const start = process.cpuUsage()
    await act()
    return process.cpuUsage(start).user / 1000
  }
  const first = await once()
  return first <= limit ? first : Math.min(first, await once())
}

/** Characters of strings and keys, one for everything else. */
function sizeOf(value: unknown): number {
  let size = 0
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    size += typeof next === 'string' ? next.length : 1
    if (typeof next !== 'object' || next === null) continue
    for (const [key, item] of Object.entries(next)) {
      size += key.length
      open.push(item)
    }
  }
  return size
}

function excerpt(value: unknown): string {
  try {
    return JSON.stringify(value).slice(0, 200)
  } catch {
    return 'a value that is too deep to be written'
  }
}
