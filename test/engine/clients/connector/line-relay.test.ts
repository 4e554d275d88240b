import { expect, test } from 'vitest'
import { LineRelay } from '../../../../electron/engine/clients/connector/line-relay.ts'

function relayOf(onLine: (line: Buffer) => Buffer | undefined = (line) => line) {
  const written: string[] = []
  const relay = new LineRelay({
    onLine,
    mayStream: () => false,
    write: (bytes) => written.push(bytes.toString()),
  })
  return { relay, written }
}

test('lines of one chunk that pass unchanged are written together, without a copy', () => {
  const writes: Buffer[] = []
  const relay = new LineRelay({
    onLine: (line) => line,
    mayStream: () => false,
    write: (bytes) => writes.push(bytes),
  })
  const chunk = Buffer.from('one\ntwo\nthree\n')
  relay.push(chunk)
  expect(writes).toEqual([chunk])
  expect(writes[0]).toBe(chunk)
})

test('the order stays where some lines are changed, left out or unfinished', () => {
  const { relay, written } = relayOf((line) => {
    const text = line.toString()
    if (text === 'gone') return undefined
    return text === 'old' ? Buffer.from('new') : line
  })
  relay.push(Buffer.from('one\ngone\ntwo\nold\nthree\nbe'))
  relay.push(Buffer.from('gun\nlast\n'))
  expect(written.join('')).toBe('one\ntwo\nnew\nthree\nbegun\nlast\n')
  expect(written).toEqual(['one\n', 'two\n', 'new\n', 'three\n', 'begun\n', 'last\n'])
})
