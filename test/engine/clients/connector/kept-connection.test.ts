import { duplexPair, PassThrough } from 'node:stream'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { SUCCESSOR } from '../../../../electron/engine/clients/connector/connector-hello.ts'
import { KeptConnection } from '../../../../electron/engine/clients/connector/kept-connection.ts'

const LINES = 2_000
const line = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`

describe('KeptConnection', () => {
  const ends: (() => void)[] = []
  afterEach(() => ends.splice(0).forEach((end) => end()))

  function open() {
    const [stdin, stdout] = [new PassThrough(), new PassThrough({ highWaterMark: 1_000 })]
    const [near, far] = duplexPair({ highWaterMark: 1_000 })
    const stop = new AbortController()
    const gone = new Promise<void>((resolve) => near.once('close', resolve))
    const link = { stream: near, gone, destroy: () => void near.destroy() }
    const connection = new KeptConnection({
      stdin,
      stdout,
      graceMs: 0,
      stop: stop.signal,
      join: () => Promise.resolve(undefined),
      start: () => Promise.reject(new Error('no engine here')),
      say: () => {},
    })
    const ended = connection.run(link)
    ends.push(() => stop.abort())
    return { stdin, stdout, near, far, ended }
  }

  const linesOf = (stream: Duplex): (() => number) => {
    let count = 0
    stream.on('data', (chunk: Buffer) => (count += chunk.toString().split('\n').length - 1))
    return () => count
  }

  it('waits once for an engine that takes nothing, however many lines come at a time', async () => {
    const { stdin, near, far } = open()
    stdin.write(Array.from({ length: LINES }, (_, id) => line(id)).join(''))
    await expect.poll(() => stdin.isPaused()).toBe(true)
    expect(near.listenerCount('drain')).toBeLessThanOrEqual(2)
    const count = linesOf(far)
    await expect.poll(count).toBe(LINES)
    expect(stdin.isPaused()).toBe(false)
  })

  it('waits once for a client that reads nothing', async () => {
    const { stdin, stdout, near, far } = open()
    stdin.write(Array.from({ length: LINES }, (_, id) => line(id)).join(''))
    await expect.poll(linesOf(far)).toBe(LINES)
    far.write(Array.from({ length: LINES }, (_, id) => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`).join(''))
    await expect.poll(() => near.isPaused()).toBe(true)
    expect(stdout.listenerCount('drain')).toBeLessThanOrEqual(2)
    await expect.poll(linesOf(stdout)).toBe(LINES)
    expect(near.isPaused()).toBe(false)
  })

  it('sends to the successor what is asked while it leaves an engine that gave way', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const [[near, far], [next, successor]] = [duplexPair(), duplexPair()]
    const left = Promise.withResolvers<void>()
    const destroyed = Promise.withResolvers<void>()
    const stop = new AbortController()
    ends.push(() => stop.abort())
    const connection = new KeptConnection({
      stdin,
      stdout,
      graceMs: 0,
      stop: stop.signal,
      join: () =>
        Promise.resolve({
          stream: next,
          gone: new Promise((resolve) => next.once('close', () => resolve())),
          destroy: () => void next.destroy(),
        }),
      start: () => Promise.reject(new Error('no engine here')),
      say: () => {},
    })
    const answered = linesOf(stdout)
    const reached = linesOf(successor)
    void connection.run({ stream: near, gone: left.promise, destroy: () => destroyed.resolve() })
    far.write(`${JSON.stringify({ jsonrpc: '2.0', method: SUCCESSOR })}\n`)
    await destroyed.promise
    near.destroy()
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } }
    stdin.write(`${JSON.stringify(call)}\n`)
    await expect.poll(() => stdin.readableLength).toBe(0)
    left.resolve()
    await expect.poll(reached).toBe(1)
    expect(answered()).toBe(0)
  })

  it('says of a call that was sent that it may have been carried out, of a list that it was not', async () => {
    const { stdin, stdout, near, far, ended } = open()
    const count = linesOf(far)
    for (const [id, method] of ['tools/call', 'tools/list'].entries())
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { name: 'pay' } })}\n`)
    await expect.poll(count).toBe(2)
    stdin.end()
    near.destroy()
    await ended
    const [call = '', list = ''] = String(stdout.read()).split('\n')
    expect(call).toMatch(
      /no answer came in time\. tools\/call of \\"pay\\" was under way .* it may have been/,
    )
    expect(list).toContain('tools/list was not carried out.')
  })

  it('answers both requests of one id when the engine is lost', async () => {
    const { stdin, stdout, near, far, ended } = open()
    const [count, answers] = [linesOf(far), linesOf(stdout)]
    const texts: string[] = []
    stdout.on('data', (chunk: Buffer) => texts.push(chunk.toString()))
    for (const name of ['pay', 'write'])
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name } })}\n`)
    await expect.poll(count).toBe(2)
    near.destroy()
    await expect.poll(answers).toBe(2)
    expect(texts.join('')).toMatch(
      /"id":5.*of \\"pay\\" was under way.*\n.*"id":5.*of \\"write\\" was under way/,
    )
    stdin.end()
    await ended
  })

  it('takes more from the client after an engine that took nothing is gone', async () => {
    const { stdin, stdout, near } = open()
    stdin.write(Array.from({ length: LINES }, (_, id) => line(id)).join(''))
    await expect.poll(() => stdin.isPaused()).toBe(true)
    const count = linesOf(stdout)
    near.destroy()
    await expect.poll(count).toBe(LINES)
    expect(stdin.isPaused()).toBe(false)
  })
})
