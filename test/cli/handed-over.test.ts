import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { HANDED_OVER, signalsOf } from '../../electron/cli/handed-over.ts'

/** A process started by an older Node, as far as its signals are concerned. */
function handedOver() {
  const killed: unknown[] = []
  const env: Record<string, string | undefined> = { [HANDED_OVER]: '1' }
  const inside = Object.assign(new EventEmitter(), {
    pid: 7,
    kill: (_pid: number, signal?: string | number) => killed.push(signal) > 0,
    channel: { ref: () => {}, unref: () => {} },
    env,
  })
  const signals = signalsOf(inside as unknown as Parameters<typeof signalsOf>[0])
  return { inside, signals, killed }
}

function listening() {
  const world = handedOver()
  let asked = 0
  world.signals.on('SIGTERM', () => void asked++)
  return { ...world, asked: () => asked }
}

test('what comes directly and is passed on is one request, in either order; a further one is a second', () => {
  const { inside, asked } = listening()
  inside.emit('SIGTERM')
  inside.emit('message', { signal: 'SIGTERM' })
  expect(asked()).toBe(1)
  inside.emit('message', { signal: 'SIGTERM' })
  inside.emit('SIGTERM')
  expect(asked()).toBe(2)
})

test('the end of the process outside is a request, and none on top of another', () => {
  const { inside, asked } = listening()
  inside.emit('disconnect')
  expect(asked()).toBe(1)
  const ending = listening()
  ending.inside.emit('SIGTERM')
  ending.inside.emit('disconnect')
  expect(ending.asked()).toBe(1)
})

test('without a listener the system ends it; servers inherit no mark, and other messages are nothing', () => {
  const { inside, killed } = handedOver()
  inside.emit('message', { signal: 'SIGKILL' })
  inside.emit('message', 'SIGTERM')
  expect(killed).toEqual([])
  inside.emit('message', { signal: 'SIGINT' })
  expect(killed).toEqual(['SIGINT'])
  expect(inside.env).toEqual({})
})
