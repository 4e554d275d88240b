import type { Interceptor } from '../message/call.ts'
import { messageOf } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import { withPlaceholderValues, type PlaceholderSources } from '../ground/secrets/placeholder-values.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { CallTracer } from './call-tracer.ts'
import { traceCall } from './trace-call.ts'

export interface TelemetryOptions extends PlaceholderSources {
  readonly settings: Pick<SettingsStore, 'current'>
  readonly events: Events
  readonly logger: Logger
  readonly version: string
}

export interface Telemetry {
  /** Outermost layer: the client's request. */
  readonly traceCall: Interceptor
  readonly traceUpstream: Interceptor
  close(): Promise<void>
}

/** Every export fails while the receiver is gone. */
const WARN_AGAIN_MS = 10 * 60_000

/** Follows the setting `telemetry`. Loads OpenTelemetry only with a receiver. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { settings, events, logger, version } = options
  let tracer: CallTracer | undefined
  let inEffect = ''
  let changing: Promise<void> = Promise.resolve()
  let warnedAt = -Infinity

  const open = async (): Promise<CallTracer | undefined> => {
    const { endpoint } = settings.current.telemetry
    if (endpoint === undefined) return undefined
    const { openOtlpTracer } = await import('./otlp-tracer.ts')
    return openOtlpTracer({
      endpoint,
      version,
      headers: async () => {
        const written = Object.entries(settings.current.telemetry.headers ?? {})
        const values = written.map(
          async ([name, value]) =>
            [name, await withPlaceholderValues(value, options, `telemetry.headers.${name}`)] as const,
        )
        return Object.fromEntries(await Promise.all(values))
      },
      urlOf: (serverId) => settings.current.servers[serverId]?.url,
      clock: () => performance.now(),
      warn: (message) => {
        if (performance.now() - warnedAt < WARN_AGAIN_MS) return
        warnedAt = performance.now()
        logger.warn('Traces and figures do not reach their receiver. Look at telemetry.endpoint.', {
          endpoint,
          message,
        })
      },
    })
  }
  const change = async (earlier: Promise<void>): Promise<void> => {
    await earlier
    const before = tracer
    try {
      tracer = undefined
      tracer = await open()
    } catch (error) {
      logger.error('Calls are not traced.', { cause: messageOf(error) })
    }
    await before?.close()
  }
  const follow = (): void => {
    const wanted = settings.current.telemetry.endpoint ?? ''
    if (wanted === inEffect) return
    inEffect = wanted
    changing = change(changing)
  }
  follow()
  const unfollow = events.on('settings-changed', follow)
  const hooks = { tracer: () => tracer, logger }
  return {
    traceCall: traceCall('server', hooks),
    traceUpstream: traceCall('client', hooks),
    close: async () => {
      unfollow()
      await changing
      await tracer?.close()
      tracer = undefined
    },
  }
}
