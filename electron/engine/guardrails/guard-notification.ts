import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import { messageOf } from '../ground/errors.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { revealValue } from './reveal.ts'
import type { GuardOptions } from './guard.ts'
import type { GuardedOrigin } from '../message/origins.ts'
import { textsIn } from './texts-in.ts'

/** Scanned synchronously; longer ones are withheld. */
const LONGEST_NOTIFICATION = 200_000
/** Too short for an instruction; most progress is numbers and a token. */
const SHORTEST_ORDER = 12
const WITHHELD = "Sluice withheld the server's text here."
const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

type NotificationOptions = Pick<GuardOptions, 'scanNow' | 'whenLoaded' | 'onAttack' | 'logger'>
type NotificationOrigin = Pick<GuardedOrigin, 'clientName' | 'serverId'>

/**
 * In order, once the detectors are loaded. Built-in detectors only, synchronously. Withheld texts aren't stored,
 * because no call could fetch them.
 */
export function guardNotification(
  options: NotificationOptions,
  notification: JsonObject,
  origin: NotificationOrigin,
  policy: GuardPolicy,
  deliver: (shown: JsonObject) => void,
): void {
  if (policy.results === 'off') return deliver(shown(notification, policy))
  options.whenLoaded(() => deliver(checked(options, notification, origin, policy)))
}

/** Inline marks, because no original is stored. */
const shown = (notification: JsonObject, { controlCharacters }: GuardPolicy): JsonObject =>
  controlCharacters === 'keep' ? notification : (revealValue(notification, 'visualise').value as JsonObject)

function checked(
  options: NotificationOptions,
  notification: JsonObject,
  origin: NotificationOrigin,
  policy: GuardPolicy,
): JsonObject {
  const { clientName: client, serverId: server } = origin
  try {
    const texts = textsIn(notification)
    const size = texts.reduce((sum, { text }) => sum + text.length, 0)
    if (size < SHORTEST_ORDER) return shown(notification, policy)
    if (size > LONGEST_NOTIFICATION) throw new Error(`${size} characters are too many beside a result`)
    const { verdict, score, reasons } = options.scanNow(texts, policy.threshold)
    if (verdict === 'benign') return shown(notification, policy)
    const attack = { client, server, tool: kindOf(notification), score, reasons, quarantineId: undefined }
    options.onAttack({ where: 'said', ...attack })
    return policy.results === 'warn' ? shown(notification, policy) : withheld(notification)
  } catch (error) {
    options.logger.error('What a server said could not be checked, so it does not pass.', {
      server,
      cause: messageOf(error),
    })
    return withheld(notification)
  }
}

function kindOf(notification: JsonObject): string {
  if ('progress' in notification) return 'notifications/progress'
  return 'data' in notification ? 'notifications/message' : 'notification'
}

/** Same kind with the notice only, because clients rely on its fields. */
function withheld(notification: JsonObject): JsonObject {
  const { level } = notification
  const rest = Object.fromEntries(
    Object.entries(notification).filter(
      ([key, value]) => /^\w{1,24}$/.test(key) && (typeof value === 'number' || typeof value === 'boolean'),
    ),
  )
  switch (kindOf(notification)) {
    case 'notifications/progress':
      return { ...rest, message: WITHHELD }
    case 'notifications/message':
      return { level: LOG_LEVELS.find((known) => known === level) ?? 'warning', data: WITHHELD }
    default:
      return rest
  }
}
