import type { PendingChange } from '../approvals/pin.ts'
import type { PinnedKind } from '../approvals/pinned-item.ts'
import { cleanValue } from './clean-value.ts'
import { cleanText } from './control-characters.ts'
import { failedDetector, type Definition, type Finding, type ImmediateDetector } from './detector.ts'
import { runDetectors } from './run-detectors.ts'
import { messageOf } from '../ground/errors.ts'
import type { OtherDetector } from './other-detectors.ts'

export interface ChangeFinding {
  /** JSON pointer within the definition. */
  readonly path: string
  readonly reason: string
  /** 0 to 1. */
  readonly score: number
}

/** With the way back. Rejects if a text can't be masked: then it must not leave. */
export type MaskDefinition = (
  text: string,
) => Promise<{ readonly text: string; readonly restore: (text: string) => string }>

export type ScanChange = (
  change: PendingChange,
  foreignTools: readonly string[],
) => Promise<readonly ChangeFinding[]>

const TYPES: Partial<Record<PinnedKind, Definition['type']>> = {
  introduction: 'instructions',
  instructions: 'instructions',
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  template: 'resource-template',
}
/** Weaker findings explain nothing. */
const WORTH_NAMING = 0.2
const MOST_REMEMBERED = 1000
/** Parallel requests to a model. */
const ASKED_AT_ONCE = 4

/** `others` get placeholders for personal data. Cached for repeated views, unless a detector failed. */
export function createChangeScan(others: () => readonly OtherDetector[], mask: MaskDefinition): ScanChange {
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
      scanElsewhere(asked, definition, mask, inTurn),
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
  const [{ createBuiltInDetectors }, { readGuardModels }] = await Promise.all([
    import('./scan-text.ts'),
    import('./guard-models.ts'),
  ])
  return createBuiltInDetectors(readGuardModels())
}

/** As received, and without hiding characters. */
function scanBuiltIn(detectors: readonly ImmediateDetector[], definition: Definition): Finding[] {
  const shown = cleanValue(definition.value, 'strip')
  const readings = shown === definition.value ? [definition] : [definition, { ...definition, value: shown }]
  return detectors.flatMap((detector) => readings.flatMap((each) => [...detector.scanDefinition(each)]))
}

async function scanElsewhere(
  others: readonly OtherDetector[],
  definition: Definition,
  mask: MaskDefinition,
  inTurn: Turns,
): Promise<Finding[]> {
  if (others.length === 0) return []
  const now = (): number => performance.now()
  try {
    const { text, restore } = await mask(JSON.stringify([definition.name, definition.value]))
    const [name, value] = JSON.parse(text) as [string, unknown]
    const masked = { ...definition, name, value }
    const found = await Promise.all(
      others.map(({ detector, timeLimitMs }) =>
        inTurn(() => runDetectors([detector], { definition: masked }, { timeLimitMs, now })),
      ),
    )
    return found.flat().map((finding) => ({ ...finding, reason: restore(finding.reason) }))
  } catch (error) {
    return others.map(({ detector }) => failedDetector(detector.name, messageOf(error)))
  }
}

type Turns = <T>(job: () => Promise<T>) => Promise<T>

/** In order, with limited parallelism. */
function createTurns(most: number): Turns {
  const waiting: (() => void)[] = []
  let running = 0
  return async (job) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await job()
    } finally {
      // The next one takes this place.
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
