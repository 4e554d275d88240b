import type { Duplex } from 'node:stream'
import { z } from 'zod'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import { ServerId } from '../../../../shared/settings.ts'

/** First line on the local socket. */
export const ConnectorHello = z.object({
  sluice: z.literal(1),
  scope: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('all') }),
    z.object({ kind: z.literal('server'), serverId: ServerId }),
    z.object({ kind: z.literal('sluice') }),
  ]),
  client: z.object({
    name: z.string().min(1).max(200).exactOptional(),
    cwd: z.string().exactOptional(),
    env: z.record(z.string(), z.string()).exactOptional(),
  }),
})
export type ConnectorHello = z.infer<typeof ConnectorHello>

export const EngineWelcome = z.discriminatedUnion('ok', [
  z.object({ sluice: z.literal(1), ok: z.literal(true) }),
  z.object({ sluice: z.literal(1).optional(), ok: z.literal(false), error: z.string() }),
])
export type EngineWelcome = z.infer<typeof EngineWelcome>

/** Error of requests during closing: nothing was done for them. */
export const ENDING = 'Sluice is ending this connection.'

/** Longest environment. */
const MAX_LINE_BYTES = 8_000_000

export async function readFirstLine<T>(stream: Duplex, schema: z.ZodType<T>, timeoutMs: number): Promise<T> {
  const line = await firstLine(stream, timeoutMs)
  try {
    return schema.parse(JSON.parse(line.toString()))
  } catch (error) {
    const detail = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new SluiceError(
      'BAD_INPUT',
      `The first line on the local socket is not one of Sluice's. ${detail}`,
      {
        cause: error,
      },
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
