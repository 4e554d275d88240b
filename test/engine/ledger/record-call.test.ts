import { describe, expect, test } from 'vitest'
import type { CallTool, ToolCall, ToolOutcome } from '../../../electron/engine/message/call.ts'
import { SluiceError } from '../../../electron/engine/ground/errors.ts'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { recordCall } from '../../../electron/engine/ledger/record-call.ts'
import { textsOf } from '../../../electron/engine/text/joined-texts.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'

const toolCall = (fields: Partial<ToolCall> = {}): ToolCall => ({
  id: 'c1',
  clientName: 'cursor',
  sessionId: 's1',
  serverId: 'files',
  tool: 'read',
  arguments: { path: 'a' },
  definition: undefined,
  policy: {
    ...BUILT_IN_POLICY,
    hidden: false,
    description: undefined,
    hideParameters: [],
    parameterOverrides: {},
  },
  goal: undefined,
  bypass: false,
  signal: new AbortController().signal,
  ...fields,
})

const textOutcome = (text: string): ToolOutcome => ({ result: { content: [{ type: 'text', text }] } })

/** Runs one call through the layer; `next` is the layer below. */
async function run(next: CallTool, call = toolCall(), record?: (row: CallRow) => void) {
  const rows: CallRow[] = []
  const logged: string[] = []
  const deferred: (() => void | Promise<void>)[] = []
  const wordsIn = (text: string): number => text.split(' ').length
  let time = 100
  const layer = recordCall({
    record: record ?? ((row) => rows.push(row)),
    countAll: async (documents) =>
      documents.map((document) => [...textsOf(document)].reduce((sum, text) => sum + wordsIn(text), 0)),
    countTokens: wordsIn,
    logger: { ...silentLogger, error: (message) => logged.push(message) },
    clean: (text) => text.replaceAll('s3cret', '[redacted]'),
    contextOf: ({ context, sessionId }) => context ?? sessionId,
    now: () => 5000,
    clock: () => (time += 2.5),
    defer: (work) => deferred.push(work),
  })
  const settled = await layer(next)(call).then(
    (outcome) => ({ outcome, error: undefined }),
    (error: unknown) => ({ outcome: undefined, error }),
  )
  expect(rows).toEqual([])
  for (const work of deferred) await work()
  return { ...settled, rows, logged }
}

describe('recordCall', () => {
  test('passes the very outcome and books it after it has left', async () => {
    const answer = textOutcome('one two three')
    const { outcome, rows } = await run(async () => answer)
    expect(outcome).toBe(answer)
    expect(rows).toEqual([
      {
        id: 'c1',
        at: 5000,
        client: 'cursor',
        session: 's1',
        server: 'files',
        tool: 'read',
        outcome: 'ok',
        tokensBefore: 3,
        tokensAfter: 3,
        tokensAdded: 0,
        strategy: undefined,
        resultId: undefined,
        ms: 2.5,
        cached: false,
        note: undefined,
      },
    ])
  })

  test('takes over what compression counted', async () => {
    const compression = {
      resultId: 'r_1',
      strategy: 'json',
      tokensBefore: 900,
      tokensAfter: 90,
      milliseconds: 4,
      skipped: undefined,
    }
    const { rows } = await run(async () => ({ ...textOutcome('short'), compression, cached: true }))
    expect(rows).toMatchObject([
      { tokensBefore: 900, tokensAfter: 90, strategy: 'json', resultId: 'r_1', cached: true },
    ])
  })

  test("the words the model put into Sluice's own parameters are a cost", async () => {
    const { rows } = await run(
      async () => textOutcome('x'),
      toolCall({ arguments: { path: 'a', _sluice_goal: 'find the needle' } }),
    )
    expect(rows).toMatchObject([{ tokensAdded: 3 }])
  })

  test('counts embedded text and the structured half, not pictures; a very large text whole', async () => {
    const { rows } = await run(async () => ({
      result: {
        content: [
          { type: 'text', text: 'a b' },
          { type: 'image', data: 'x y z' },
          { type: 'resource', resource: { uri: 'u', text: 'c d e' } },
        ],
        structuredContent: { words: 'f g h i' },
      },
    }))
    expect(rows).toMatchObject([{ tokensBefore: 9, tokensAfter: 9 }])
    const large = await run(async () => textOutcome(`${'word '.repeat(10_000)}${'letters'.repeat(10_000)}`))
    expect(large.rows).toMatchObject([{ tokensBefore: 10_001, tokensAfter: 10_001 }])
  })

  test.each<[string, CallTool, object]>([
    [
      'a failed tool',
      async () => ({ result: { isError: true, content: [] } }),
      { outcome: 'error', note: undefined },
    ],
    [
      'a refusal by a layer',
      async () => ({ result: { isError: true }, refusedBy: 'guard-result' }),
      { outcome: 'refused', note: 'guard-result' },
    ],
    [
      'a refusal that is thrown',
      () => Promise.reject(new SluiceError('CALL_REFUSED', 'Not approved.')),
      { outcome: 'refused', note: 'Not approved.' },
    ],
    ['a lost server', () => Promise.reject(new Error('gone')), { outcome: 'error', note: 'gone' }],
  ])('%s', async (_, next, expected) => {
    const { rows } = await run(next)
    expect(rows).toMatchObject([expected])
  })

  test("a refusal's own words came from no server, so they count as sent alone", async () => {
    const { rows } = await run(async () => ({
      ...textOutcome('This was not handed on.'),
      refusedBy: 'guard-result',
    }))
    expect(rows).toMatchObject([{ outcome: 'refused', tokensBefore: 0, tokensAfter: 5 }])
  })

  test('an error passes as it is', async () => {
    const thrown = new Error('gone')
    const { error, rows } = await run(() => Promise.reject(thrown))
    expect(error).toBe(thrown)
    expect(rows).toHaveLength(1)
  })

  test('a cancelled call is one, whether it failed or answered with an error', async () => {
    const signal = AbortSignal.abort()
    for (const next of [
      () => Promise.reject(new Error('aborted')),
      async () => ({ result: { isError: true } }),
    ]) {
      const { rows } = await run(next, toolCall({ signal }))
      expect(rows).toMatchObject([{ outcome: 'cancelled' }])
    }
  })

  test('a broken ledger is logged and the call passes', async () => {
    const { outcome, logged } = await run(
      async () => textOutcome('x'),
      toolCall(),
      () => {
        throw new Error('database is locked')
      },
    )
    expect(outcome).toEqual(textOutcome('x'))
    expect(logged).toHaveLength(1)
  })

  test('the layer below is called once, whatever happens', async () => {
    let calls = 0
    await run(async () => {
      calls++
      throw new Error('x')
    })
    expect(calls).toBe(1)
  })
})

test('notes the last words of a server without its secrets, also where they would be cut in two', async () => {
  const words = `${'x'.repeat(196)} s3cret`
  const { rows } = await run(() => Promise.reject(new Error(words)))
  expect(rows[0]?.note).toBe(`${'x'.repeat(196)} [re`)
})
