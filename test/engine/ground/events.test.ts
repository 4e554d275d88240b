import { describe, expect, test } from 'vitest'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'

const stored = { resultId: 'r_1', client: 'c', server: 's', tool: 't', bytes: 1 }

describe('createEvents', () => {
  test('calls listeners of that event, in their order, until they end', () => {
    const events = createEvents(silentLogger)
    const seen: string[] = []
    const stop = events.on('result-stored', ({ resultId }) => seen.push(`a ${resultId}`))
    events.on('result-stored', ({ resultId }) => seen.push(`b ${resultId}`))
    events.on('session-opened', () => seen.push('never'))
    events.emit('result-stored', stored)
    stop()
    stop()
    events.emit('result-stored', stored)
    expect(seen).toEqual(['a r_1', 'b r_1', 'b r_1'])
  })

  test('a listener that throws is logged and harms nobody', () => {
    const logged: string[] = []
    const events = createEvents({ ...silentLogger, error: (message) => logged.push(message) })
    const seen: string[] = []
    events.on('result-stored', () => {
      throw new Error('broken')
    })
    events.on('result-stored', () => seen.push('reached'))
    events.emit('result-stored', stored)
    expect(seen).toEqual(['reached'])
    expect(logged).toEqual(['A listener of the event result-stored failed.'])
  })

  test('a function that listens twice is called twice', () => {
    const events = createEvents(silentLogger)
    let count = 0
    const listener = () => count++
    const stop = events.on('session-closed', listener)
    events.on('session-closed', listener)
    events.emit('session-closed', { sessionId: 's', client: 'c' })
    stop()
    events.emit('session-closed', { sessionId: 's', client: 'c' })
    expect(count).toBe(3)
  })
})
