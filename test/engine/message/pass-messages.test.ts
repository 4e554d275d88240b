import { describe, expect, it } from 'vitest'
import { messageOf } from '../../../electron/engine/ground/errors.ts'
import { stringIn, type JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import type { Layer } from '../../../electron/engine/message/layers.ts'
import { passMessages } from '../../../electron/engine/message/pass-messages.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'

const origin = { clientName: 'test', sessionId: 's', serverId: 'web' }

const textOf = (value: JsonObject | undefined): string => stringIn(value, 'by')

/** A layer that records what passes, and marks the value. */
const marking = (name: string, seen: string[]): Layer => ({
  read: (next) => async (read) => {
    seen.push(`${name} in`)
    const result = await next({ ...read, params: { by: `${textOf(read.params)}${name}` } })
    seen.push(`${name} out`)
    return { by: `${textOf(result)}${name}` }
  },
  notification: (next) => (notification) =>
    next({ ...notification, params: { by: `${textOf(notification.params)}${name}` } }),
  question: (next) => async (question) => {
    const answer = await next({ ...question, params: { by: `${textOf(question.params)}${name}` } })
    return { by: `${textOf(answer)}${name}` }
  },
  error: async (error) => new Error(`${messageOf(error)}${name}`),
})

function passage() {
  const seen: string[] = []
  const layers = { a: marking('a', seen), silent: {}, b: marking('b', seen) }
  const policies = { ofServer: () => BUILT_IN_POLICY }
  return { seen, passes: passMessages(layers, { policies, timed: (calls) => Object.values(calls) }) }
}

describe('messages pass the layers that work for their kind', () => {
  it('a read from the outermost to the innermost, its answer back', async () => {
    const { seen, passes } = passage()
    const content = { ...origin, method: 'resources/read', name: 'x:a' }
    const answer = await passes.read({ by: '' }, content, (params) =>
      Promise.resolve({ by: `${textOf(params)}|` }),
    )
    expect(answer).toEqual({ by: 'ab|ba' })
    expect(seen).toEqual(['a in', 'b in', 'b out', 'a out'])
  })

  it('what a server sends by itself from the innermost to the outermost', async () => {
    const { passes } = passage()
    const delivered: unknown[] = []
    passes.notification(origin, { by: '|' }, (params) => delivered.push(params))
    expect(delivered).toEqual([{ by: '|ba' }])
    const answer = await passes.question(origin, 'sampling/createMessage', { by: '|' }, async (params) => ({
      by: `${textOf(params)}|`,
    }))
    expect(answer).toEqual({ by: '|ba|ab' })
  })

  it('an error from the innermost to the outermost; what succeeds as it is', async () => {
    const { passes } = passage()
    const of = { clientName: 'test', serverId: 'web', method: 'tools/list' }
    await expect(passes.errors(of, () => Promise.reject(new Error('|')))).rejects.toThrow('|ba')
    expect(await passes.errors(of, () => Promise.resolve(7))).toBe(7)
  })
})
