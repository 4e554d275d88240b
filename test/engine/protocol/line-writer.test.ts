import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLineWriter } from '../../../electron/engine/protocol/line-writer.ts'
import { waitForDrain } from '../../../electron/engine/protocol/wait-for-drain.ts'

const writerTo = (output: Writable) => createLineWriter(output, waitForDrain(output))

test('lines of one turn leave in one write, also those that promises of the turn bring', async () => {
  const chunks: string[] = []
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      chunks.push(chunk)
      done()
    },
  })
  const { write } = writerTo(output)
  void write('one')
  await Promise.resolve()
  void write('two')
  expect(chunks).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(chunks).toEqual(['one\ntwo\n'])
})

test('a line that fills the output leaves at once, after those before it', () => {
  const output = new PassThrough()
  const { write } = writerTo(output)
  void write('one')
  void write('x'.repeat(100_000))
  expect(String(output.read())).toBe(`one\n${'x'.repeat(100_000)}\n`)
})

test('flush writes what waits, so that other bytes may follow', () => {
  const output = new PassThrough()
  const { write, flush } = writerTo(output)
  void write('one')
  flush()
  output.write('two')
  expect(String(output.read())).toBe('one\ntwo')
})

test('who writes to a full output waits, and learns that it closed', async () => {
  const output = new PassThrough({ highWaterMark: 4 })
  const { write } = writerTo(output)
  const waiting = write('longer than the output takes')
  expect(waiting).toBeInstanceOf(Promise)
  output.destroy()
  await expect(waiting).rejects.toThrow('closed the connection')
})
