import type { Duplex } from 'node:stream'
import { isRecord } from '../../../../shared/is-record.ts'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import type { SessionScope } from '../transports/client-session.ts'

// Without a schema: a connector loads no library.

/** First line on the local socket. */
export interface ConnectorHello {
  readonly sluice: 1
  readonly scope: SessionScope
  readonly client: {
    readonly name?: string
    readonly cwd?: string
    readonly env?: Readonly<Record<string, string>>
  }
}

/** From an engine that wants this one's place; answered with a welcome. */
export interface GiveWay {
  readonly sluice: 1
  readonly giveWay: true
}

/** From `sluice hook`: one payload follows, and one answer. */
export interface HookHello {
  readonly sluice: 1
  readonly hook: { readonly app: string; readonly event: string }
}

/** The engine's answer. */
export type EngineWelcome = { sluice: 1; ok: true } | { sluice?: 1; ok: false; error: string }

export function toWelcome(value: unknown): EngineWelcome {
  if (isRecord(value)) {
    const { sluice, ok, error } = value
    if (sluice === 1 && ok === true) return { sluice, ok }
    if (ok === false && typeof error === 'string') return { ok, error }
  }
  throw new SluiceError('BAD_INPUT', 'It is no welcome.')
}

/** Notification of an engine that gave way: its connectors join the next one as soon as nothing is under way. */
export const SUCCESSOR = 'notifications/sluice/successor'

/** Error of requests during closing: nothing was done for them. */
export const ENDING = 'Sluice is ending this connection.'

/** Longest environment. */
const MAX_LINE_BYTES = 8_000_000

/** `read` throws if it is another. */
export async function readFirstLine<T>(
  stream: Duplex,
  read: (value: unknown) => T,
  timeoutMs: number,
): Promise<T> {
  const line = await firstLine(stream, timeoutMs)
  try {
    return read(JSON.parse(line.toString()))
  } catch (error) {
    throw new SluiceError(
      'BAD_INPUT',
      `The first line on the local socket is not one of Sluice's. ${messageOf(error)}`,
      { cause: error },
    )
  }
}

function firstLine(stream: Duplex, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => fail('No first line came in time.'), timeoutMs)
    const stop = (): void => {
      clearTimeout(timer)
      stream.pause()
      stream.off('data', onData)
      stream.off('error', onEnd)
      stream.off('close', onEnd)
      stream.off('end', onEnd)
    }
    const fail = (text: string): void => {
      stop()
      reject(new SluiceError('ENGINE_UNREACHABLE', text))
    }
    const onEnd = (): void => fail('The connection ended before its first line was complete.')
    const onData = (chunk: Buffer): void => {
      const end = chunk.indexOf(0x0a)
      bytes += chunk.length
      if (end === -1) {
        chunks.push(chunk)
        if (bytes > MAX_LINE_BYTES) fail(`The first line is longer than ${MAX_LINE_BYTES} bytes.`)
        return
      }
      stop()
      if (end + 1 < chunk.length) stream.unshift(chunk.subarray(end + 1))
      resolve(Buffer.concat([...chunks, chunk.subarray(0, end)]))
    }
    stream.on('data', onData)
    stream.on('error', onEnd)
    stream.on('close', onEnd)
    stream.on('end', onEnd)
  })
}
