import { expect, test } from 'vitest'
import {
  composeOnce,
  type CallTool,
  type Interceptor,
  type ToolCall,
} from '../../../electron/engine/message/call.ts'
import { createCallTraces } from '../../../electron/engine/message/call-traces.ts'

/** A clock that advances only when a layer reports its work time. */
function createWorld() {
  let now = 1000
  // Deferred work never runs, yet the trace must be available.
  const traces = createCallTraces({ clock: () => now, defer: () => {} })
  const works =
    (before: number, after: number): Interceptor =>
    (next) =>
    async (call) => {
      now += before
      const outcome = await next(call)
      now += after
      return outcome
    }
  const server: CallTool = async () => {
    now += 40
    return { result: { content: [] } }
  }
  const pipe = composeOnce(
    traces.timedLayers({
      outer: works(1, 2),
      'keep-trace': traces.keepTrace,
      inner: works(10, 20),
      refuses: (next) => async (call) => {
        if (call.tool !== 'refused') return next(call)
        now += 5
        throw new Error('no')
      },
    }),
  )(traces.timed(server))
  // Only what traces read of a call.
  const call = (tool: string) =>
    pipe({ id: tool, sessionId: 's', tool, arguments: {} } as unknown as ToolCall)
  return { traces, call }
}

test('each layer is told its own time, without what it wraps, those outside of keep-trace too', async () => {
  const { traces, call } = createWorld()
  await call('one')
  expect(Object.fromEntries(traces.of('one')?.layers ?? [])).toEqual({
    refuses: 0,
    inner: 30,
    'keep-trace': 0,
    outer: 3,
  })
  expect(traces.of('one')?.serverMs).toBe(40)
})

test('a refused call has the time of the layer that refused, and none of the server', async () => {
  const { traces, call } = createWorld()
  await expect(call('refused')).rejects.toThrow('no')
  expect(Object.fromEntries(traces.of('refused')?.layers ?? [])).toEqual({
    refuses: 5,
    inner: 10,
    'keep-trace': 0,
    outer: 1,
  })
  expect(traces.of('refused')?.serverMs).toBeUndefined()
})
