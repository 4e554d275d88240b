import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import { messageOf } from '../ground/errors.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { revealValue } from './reveal.ts'
import type { GuardOptions } from './guard.ts'
import type { GuardedOrigin } from '../message/origins.ts'
import { textsIn } from './texts-in.ts'

/** Scanned synchronously; longer ones are withheld. */
const LONGEST_SAID = 200_000
/** Too short for an instruction; most progress is numbers and a token. */
const SHORTEST_ORDER = 12
const WITHHELD = "Sluice withheld the server's text here."
const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

type SaidOptions = Pick<GuardOptions, 'scanNow' | 'whenLoaded' | 'onAttack' | 'logger'>
type SaidOrigin = Pick<GuardedOrigin, 'clientName' | 'serverId'>

/**
 * In order, once the detectors are loaded. Built-in detectors only, synchronously. Withheld texts aren't stored,
 * because no call could fetch them.
 */
export function guardSaid(
  options: SaidOptions,
  said: JsonObject,
  origin: SaidOrigin,
  policy: GuardPolicy,
  deliver: (shown: JsonObject) => void,
): void {
  if (policy.results === 'off') return deliver(shown(said, policy))
  options.whenLoaded(() => deliver(checked(options, said, origin, policy)))
}

/** Inline marks, because no original is stored. */
const shown = (said: JsonObject, { controlCharacters }: GuardPolicy): JsonObject =>
  controlCharacters === 'keep' ? said : (revealValue(said, 'visualise').value as JsonObject)

function checked(
  options: SaidOptions,
  said: JsonObject,
  origin: SaidOrigin,
  policy: GuardPolicy,
): JsonObject {
  const { clientName: client, serverId: server } = origin
  try {
    const texts = textsIn(said)
    const size = texts.reduce((sum, { text }) => sum + text.length, 0)
    if (size < SHORTEST_ORDER) return shown(said, policy)
    if (size > LONGEST_SAID) throw new Error(`${size} characters are too many beside a result`)
    const { verdict, score, reasons } = options.scanNow(texts, policy.threshold)
    if (verdict === 'benign') return shown(said, policy)
    const attack = { client, server, tool: kindOf(said), score, reasons, quarantineId: undefined }
    options.onAttack({ where: 'said', ...attack })
    return policy.results === 'warn' ? shown(said, policy) : withheld(said)
  } catch (error) {
    options.logger.error('What a server said could not be checked, so it does not pass.', {
      server,
      cause: messageOf(error),
    })
    return withheld(said)
  }
}

function kindOf(said: JsonObject): string {
  if ('progress' in said) return 'notifications/progress'
  return 'data' in said ? 'notifications/message' : 'notification'
}

/** Same kind with the notice only, because clients rely on its fields. */
function withheld(said: JsonObject): JsonObject {
  const { level } = said
  const rest = Object.fromEntries(
    Object.entries(said).filter(
      ([key, value]) => /^\w{1,24}$/.test(key) && (typeof value === 'number' || typeof value === 'boolean'),
    ),
  )
  switch (kindOf(said)) {
    case 'notifications/progress':
      return { ...rest, message: WITHHELD }
    case 'notifications/message':
      return { level: LOG_LEVELS.find((known) => known === level) ?? 'warning', data: WITHHELD }
    default:
      return rest
  }
}
