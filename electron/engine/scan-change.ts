import type { PendingChange } from './approvals/pin-store.ts'
import type { PinnedKind } from './approvals/pinned-item.ts'
import { cleanValue } from './guardrails/clean-value.ts'
import { cleanText } from './guardrails/control-characters.ts'
import type { Definition, Finding, ImmediateDetector } from './guardrails/detector.ts'
import { runDetectors } from './guardrails/run-detectors.ts'
import type { OtherDetector } from './other-detectors.ts'

/** Something a detector noticed in a definition that waits for approval. */
export interface ChangeFinding {
  /** JSON pointer of the text within the definition. */
  readonly path: string
  readonly reason: string
  /** 0 to 1. */
  readonly score: number
}

/** `foreignTools` are names of other servers' tools, which a definition has no business with. */
export type ScanChange = (
  change: PendingChange,
  foreignTools: readonly string[],
) => Promise<readonly ChangeFinding[]>

const TYPES: Partial<Record<PinnedKind, Definition['type']>> = {
  instructions: 'instructions',
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  template: 'resource-template',
}
/** Weaker findings explain nothing. */
const WORTH_NAMING = 0.2
const MOST_REMEMBERED = 1000
/** A server with fifty tools must not be fifty requests at once for a model. */
const ASKED_AT_ONCE = 4

/**
 * What detectors notice in definitions that wait for approval: the built-in ones, and `others` of the settings. The same
 * definition is scanned once, for screens that ask again and again; not where a detector failed.
 */
export function createChangeScan(others: () => readonly OtherDetector[]): ScanChange {
  // Loaded when first needed: most commands and sessions never look at a change.
  let loading: Promise<readonly ImmediateDetector[]> | undefined
  const known = new Map<string, readonly ChangeFinding[]>()
  const inTurn = createTurns(ASKED_AT_ONCE)
  return async (change, foreignTools) => {
    const type = TYPES[change.kind]
    if (type === undefined || change.change === 'removed') return []
    const asked = others()
    const key = JSON.stringify([
      change.kind,
      change.hash,
      foreignTools,
      asked.map(({ detector }) => detector.name),
    ])
    const before = known.get(key)
    if (before) return before
    const value: unknown = JSON.parse(change.definition)
    const definition: Definition = { type, name: change.name, value, foreignTools }
    const [own, other] = await Promise.all([
      (loading ??= loadDetectors()).then((detectors) => scanBuiltIn(detectors, definition)),
      Promise.all(asked.map((each) => inTurn(() => scanElsewhere(each, definition)))),
    ])
    const found = [...own, ...other.flat()]
    const findings = worthNaming(found)
    if (found.every(({ kind }) => kind !== 'detector-failed')) {
      if (known.size >= MOST_REMEMBERED) known.clear()
      known.set(key, findings)
    }
    return findings
  }
}

async function loadDetectors(): Promise<readonly ImmediateDetector[]> {
  const [{ createBuiltInDetectors }, { readGuardModel }] = await Promise.all([
    import('./guardrails/scan-text.ts'),
    import('./guardrails/guard-model.ts'),
  ])
  return createBuiltInDetectors(readGuardModel())
}

/** As it came, and as it reads without what hides words from detectors. */
function scanBuiltIn(detectors: readonly ImmediateDetector[], definition: Definition): Finding[] {
  const shown = cleanValue(definition.value, 'strip')
  const readings = shown === definition.value ? [definition] : [definition, { ...definition, value: shown }]
  return detectors.flatMap((detector) => readings.flatMap((each) => [...detector.scanDefinition(each)]))
}

const scanElsewhere = (
  { detector, timeLimitMs }: OtherDetector,
  definition: Definition,
): Promise<Finding[]> =>
  runDetectors([detector], { definition }, { timeLimitMs, now: () => performance.now() })

/** Runs jobs in the order in which they came, at most so many at the same time. */
function createTurns(most: number): <T>(job: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (job) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await job()
    } finally {
      // Whoever waits takes this place.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

function worthNaming(found: readonly Finding[]): ChangeFinding[] {
  const findings = found
    .filter(({ score }) => score >= WORTH_NAMING)
    .map(({ path = '', reason, score }) => ({ path, reason: cleanText(reason, 'visualise'), score }))
  return [...new Map(findings.map((finding) => [`${finding.path} ${finding.reason}`, finding])).values()]
}
