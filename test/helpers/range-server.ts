import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RangeServerOptions {
  /** Served at any path; a function may vary it. */
  readonly content: Buffer | (() => Buffer)
  /** Per connection. Default: unlimited. */
  readonly bytesPerSecond?: number
  readonly ranges?: boolean
  /** Content-Type; default: none. */
  readonly type?: string
  /** Default: from the content's length. Undefined isn't sent. */
  readonly etag?: (() => string) | undefined
  /** For each request except the first byte's: a status ends it, a number of bytes cuts the connection after them. */
  readonly fault?: (request: number) => { status: number } | { cutAfter: number } | undefined
  /** Default: at the running test's end. */
  readonly atEnd?: (close: () => Promise<void>) => void
}

export interface RangeServer {
  readonly url: string
  /** Content bytes sent. */
  readonly sent: () => number
  /** The ranges that were asked for. */
  readonly ranges: string[]
  /** Most open at the same time. */
  readonly atOnce: () => number
  /** Open now. */
  readonly open: () => number
}

/** Like models' hosts: byte ranges, ETags, and all failures. */
export async function startRangeServer(options: RangeServerOptions): Promise<RangeServer> {
  const { content, bytesPerSecond, ranges: hasRanges = true, fault } = options
  const ranges: string[] = []
  let sent = 0
  let open = 0
  let most = 0
  let asked = 0

  const stream = async (response: ServerResponse, bytes: Buffer): Promise<void> => {
    const step = bytesPerSecond === undefined ? 256 * 1024 : Math.ceil(bytesPerSecond / 50)
    for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
      const chunk = bytes.subarray(at, at + step)
      const isTaken = response.write(chunk)
      sent += chunk.length
      if (bytesPerSecond !== undefined) await new Promise((resolve) => setTimeout(resolve, 20))
      else if (!isTaken) {
        await once(response, 'drain', { signal: AbortSignal.timeout(60_000) }).catch(() => response.destroy())
      }
    }
  }
  const server = createServer((request, response) => {
    const whole = typeof content === 'function' ? content() : content
    const etag = options.etag === undefined ? `"v${whole.length}"` : options.etag()
    const match = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const isProbe = request.headers.range === 'bytes=0-0'
    const ifRange = request.headers['if-range']
    const isPart = hasRanges && match !== null && (ifRange === undefined || ifRange === etag)
    const start = isPart ? Number(match[1]) : 0
    const end = isPart ? Math.min(Number(match[2]) + 1, whole.length) : whole.length
    ranges.push(request.headers.range ?? 'whole')
    const trouble = isProbe ? undefined : fault?.(asked++)
    if (trouble && 'status' in trouble) {
      response.writeHead(trouble.status).end()
      return
    }
    most = Math.max(most, isProbe ? 0 : ++open)
    let isOpen = !isProbe
    const onEnd = (): void => {
      if (isOpen) open--
      isOpen = false
    }
    response.once('finish', onEnd).once('close', onEnd)
    response.writeHead(isPart ? 206 : 200, {
      'content-length': end - start,
      ...(hasRanges ? { 'accept-ranges': 'bytes' } : {}),
      ...(isPart ? { 'content-range': `bytes ${start}-${end - 1}/${whole.length}` } : {}),
      etag,
      ...(options.type === undefined ? {} : { 'content-type': options.type }),
    })
    const bytes = whole.subarray(start, trouble ? start + trouble.cutAfter : end)
    void stream(response, bytes).then(() => (trouble ? response.destroy() : response.end()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { atEnd = onTestFinished } = options
  atEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, sent: () => sent, ranges, atOnce: () => most, open: () => open }
}
