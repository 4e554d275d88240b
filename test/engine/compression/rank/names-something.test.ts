import { describe, expect, it } from 'vitest'
import { namesSomething } from '../../../../electron/engine/compression/rank/names-something.ts'

const log = Array.from(
  { length: 500 },
  (_, n) => `INFO request ${1_000 + n} of Payments took ${n % 17} ms at worker.ts`,
)
const text = [...log, 'ERROR chargeCard failed in src/billing/queue.ts for order A-7781 of Müller'].join('\n')

describe('a request', () => {
  it.each([
    'Why does `chargeCard` fail?',
    'why does chargeCard fail',
    'what happened in src/billing/queue.ts',
    'look for order a-7781, please',
    'Was it the order of Müller?',
    'find request 1404',
  ])('that names what few lines have is a goal: %s', (request) => {
    expect(namesSomething(request, text)).toBe(true)
  })

  it.each([
    'Something is broken, find out why.',
    'The pipeline fails since my last commit. Please repair it.',
    // What every line has, nothing has, or is part of a longer word.
    'Which calls of Payments are slow in worker.ts?',
    'Look at deployCluster and eu-west-1.',
    'Is it the order of Müll?',
    'Do 17 ms matter to the API?',
    '',
  ])('that is general, or about something else, is none: %s', (request) => {
    expect(namesSomething(request, text)).toBe(false)
  })

  it('is judged by pieces where a text has one line', () => {
    const json = JSON.stringify(log.map((message, id) => ({ id, message })))
    expect(namesSomething('find request 1404', json)).toBe(true)
    expect(namesSomething('what about worker.ts', json)).toBe(false)
  })
})
