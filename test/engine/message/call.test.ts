import { expect, test } from 'vitest'
import {
  beginUnguarded,
  composeOnce,
  onUnguarded,
  type CallTool,
  type Interceptor,
  type ToolCall,
} from '../../../electron/engine/message/call.ts'

// Layers read nothing else here.
const call = { tool: 'list' } as unknown as ToolCall

/** A server that counts its requests. */
function createServer() {
  let asked = 0
  const server: CallTool = async () => ({ result: { content: [{ type: 'text', text: `${++asked}` }] } })
  return { server, asked: () => asked }
}

/** Copies the call, as masking does, so that copies are counted too. */
const copies: Interceptor = (next) => (made) => next({ ...made, goal: 'a copy' })

test('a layer that makes a call again fails, and the server was asked once', async () => {
  const { server, asked } = createServer()
  const twice: Interceptor = (next) => async (made) => {
    await next(made)
    return next({ ...made })
  }
  await expect(composeOnce([twice, copies])(server)(call)).rejects.toThrow('list a second time')
  expect(asked()).toBe(1)
})

test('a layer that fails open keeps the result of the only time', async () => {
  const { server, asked } = createServer()
  const saving: Interceptor = (next) => async (made) => {
    const outcome = await next(made)
    return next(made).catch(() => outcome)
  }
  expect(await composeOnce([copies, saving])(server)(call)).toEqual({
    result: { content: [{ type: 'text', text: '1' }] },
  })
  expect(asked()).toBe(1)
})

test('a call that failed is not made again either', async () => {
  let asked = 0
  const again: Interceptor = (next) => async (made) => {
    try {
      return await next(made)
    } catch {
      return next(made)
    }
  }
  const failing: CallTool = async () => {
    asked++
    throw new Error('gone')
  }
  await expect(composeOnce([again])(failing)(call)).rejects.toThrow('a second time')
  expect(asked).toBe(1)
})

test('calls are counted apart, and each reaches its own innermost function', async () => {
  const [one, other] = [createServer(), createServer()]
  const pipeline = composeOnce([copies])
  await Promise.all([pipeline(one.server)(call), pipeline(other.server)(call), pipeline(other.server)(call)])
  expect([one.asked(), other.asked()]).toEqual([1, 2])
})

test('a call that a layer replaced is not made', async () => {
  const { server, asked } = createServer()
  const replaces: Interceptor = (next) => () => next({ tool: 'other' } as unknown as ToolCall)
  await expect(composeOnce([replaces])(server)(call)).rejects.toThrow('replaced the call of other')
  expect(asked()).toBe(0)
})

test('a layer hears of the result before the layers inside it have decided, through copies of the call', async () => {
  const heard: unknown[] = []
  const outer: Interceptor = (next) => async (made) => {
    onUnguarded(made, (result) => heard.push(result) > 0)
    const outcome = await next(made)
    return { ...outcome, refusedBy: String(heard.length) }
  }
  const inner: Interceptor = (next) => async (made) => {
    const outcome = await next(made)
    expect(beginUnguarded(made, outcome.result)).toBe(true)
    return outcome
  }
  const { server } = createServer()
  const { result, refusedBy } = await composeOnce([outer, copies, inner])(server)(call)
  expect([heard, refusedBy]).toEqual([[result], '1'])
  expect(beginUnguarded(call, result)).toBe(false)
})
