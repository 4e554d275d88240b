import { beforeAll, expect, it } from 'vitest'
import type { CompressText } from '../../../electron/engine/compression/compress-text.ts'
import { loadCompressor } from '../../../electron/engine/compression/load-compressor.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { createEndpointModel } from '../../../electron/engine/models/endpoint/endpoint-model.ts'
import { longestPrompt, slowdownAt, type ModelCapacity } from '../../../electron/engine/models/text-model.ts'
import { checkAnswer } from '../../../electron/engine/summaries/check-answer.ts'
import { createSummarise } from '../../../electron/engine/summaries/summarise.ts'
import type { SummaryOptions } from '../../../electron/engine/summaries/summary-types.ts'
import { generateText } from '../../fixtures/servers/generate-text.ts'
import { openTestModel } from '../../helpers/local-model.ts'
import { startChatServer, type ChatBehaviour, type ChatQuestionSeen } from '../../helpers/chat-server.ts'

let compressText: CompressText
beforeAll(async () => {
  compressText = await loadCompressor()
})

// Random words, so that no two lines are alike.
const TEXT = generateText('prose', 60_000)
const INPUT = {
  text: TEXT,
  goal: 'what they said about people',
  budget: 600,
  wish: { instructions: undefined, form: 'with-extract', guardThreshold: 0.5 },
} as const

async function world(
  behaviour: ChatBehaviour | ((question: ChatQuestionSeen) => ChatBehaviour),
  more: Partial<SummaryOptions> & {
    contextTokens?: number
    capacity?: Partial<ModelCapacity>
    isMasked?: boolean
  } = {},
) {
  const server = await startChatServer(behaviour)
  const { contextTokens, capacity, isMasked = false, ...options } = more
  const model = createEndpointModel({
    settings: { baseUrl: server.baseUrl, model: 'm', contextTokens, retries: 0, concurrency: 2, extra: {} },
    apiKey: () => Promise.resolve(undefined),
    timeLimitMs: () => 60_000,
    fetch,
  })
  const summarise = createSummarise({
    writer: () =>
      Promise.resolve({
        model: { ...model, capacity: () => ({ ...model.capacity(), ...capacity }) },
        isMasked,
      }),
    timeLimitMs: () => 60_000,
    compress: (input) => Promise.resolve(compressText(input)),
    countTokens: (text) => Promise.resolve(countTokens(text)),
    check: (answer) => Promise.resolve(checkAnswer(answer)),
    mask: (texts) => Promise.resolve({ texts, restore: (answer) => answer }),
    guard: (text) => Promise.resolve(text),
    longestPrompt,
    slowdownAt,
    ...options,
  })
  const asked = (): { system: string; document: string }[] =>
    server.seen.map(({ body }) => {
      const [system, user] = body.messages
      const document = /BEGIN (\w+)\n([\s\S]*)\nEND \1$/.exec(user?.content ?? '')?.[2] ?? ''
      return { system: system?.content ?? '', document }
    })
  return { summarise, server, asked }
}

it('MCPCP fault: what was over the window of the model was sent all the same; here it is read in parts', async () => {
  const { summarise, asked } = await world(
    ({ body }) =>
      /one part of what/.test(body.messages[0]?.content ?? '')
        ? { says: 'They said that about people.' }
        : { says: 'They would have said that about some other people.' },
    {
      contextTokens: 1500,
      capacity: { promptTokensPerSecond: 5000, outputTokensPerSecond: 500 },
    },
  )
  const output = await summarise(INPUT, undefined)
  expect(output.text).toContain('Summary: They would have said that about some other people.')
  const questions = asked()
  const parts = questions.filter(({ system }) => system.includes('one part of what'))
  expect(parts.length).toBeGreaterThan(1)
  for (const { document } of parts) expect(countTokens(document)).toBeLessThan(1500)
  expect(new Set(parts.map(({ document }) => document)).size).toBe(parts.length)
  const last = questions.at(-1)
  expect(last?.system).toContain('You join notes')
  expect(last?.document).toContain('They said that about people.\n\nThey said')
})

it('asks once more with less when the text has more tokens for the model than anybody could know', async () => {
  const model = openTestModel({ file: { context: 8192 }, contextTokens: 8192 })
  const { summarise } = await world(
    { says: '' },
    { writer: () => Promise.resolve({ model, isMasked: false }) },
  )
  // A byte is a token for it; it says only its four words.
  expect((await summarise(INPUT, undefined)).note).toContain('has little to do with the source')
})

it('gives the model what it can read in time by its measured speeds, the best of it for the goal', async () => {
  const says = { says: 'They said that about people.' }
  const read = async (promptTokensPerSecond: number): Promise<string> => {
    const { summarise, asked } = await world(says, {
      timeLimitMs: () => 10_000,
      contextTokens: 32_000,
      capacity: { promptTokensPerSecond, outputTokensPerSecond: 40, charactersPerToken: 4 },
    })
    await summarise(INPUT, undefined)
    return asked()[0]?.document ?? ''
  }
  const [slow, fast] = [await read(200), await read(800)]
  expect(countTokens(slow)).toBeLessThan(200 * 8)
  expect(countTokens(slow)).toBeGreaterThan(200)
  expect(countTokens(fast)).toBeGreaterThan(countTokens(slow) * 3)
  expect(slow).toMatch(/said/)
  const { summarise, server } = await world(says, {
    timeLimitMs: () => 10_000,
    capacity: { promptTokensPerSecond: 20, outputTokensPerSecond: 40 },
  })
  expect((await summarise(INPUT, undefined)).note).toBe(
    'deterministic: the model is too slow or too small: it reads 20 tokens a second, too few for the time limit',
  )
  expect(server.seen).toHaveLength(0)
})

it('MCPCP fault: personal data went to the model as it was; here nothing leaves that can not be masked', async () => {
  const { summarise, server } = await world(
    { says: 'x' },
    { isMasked: true, mask: () => Promise.reject(new Error('no masking')) },
  )
  const output = await summarise(INPUT, undefined)
  expect(server.seen).toHaveLength(0)
  expect(output).toMatchObject({ note: 'deterministic: the model failed: no masking' })
})

it('asks less of a model that was late, and ends what it asked', async () => {
  let isSlow = true
  const { summarise, asked, server } = await world(
    () => (isSlow ? { never: true } : { says: 'They said that about people.' }),
    { timeLimitMs: () => 2000, capacity: { promptTokensPerSecond: 5000, outputTokensPerSecond: 500 } },
  )
  expect((await summarise(INPUT, undefined)).note).toBe('deterministic: the model was late (2 s)')
  await expect.poll(() => server.open()).toBe(0)
  isSlow = false
  await summarise(INPUT, undefined)
  const [first, second] = asked()
  expect(countTokens(second?.document ?? '')).toBeLessThan(countTokens(first?.document ?? '') * 0.7)
})

it('ends when the client cancels, and gives the deterministic form to nobody', async () => {
  const { summarise, server } = await world({ never: true })
  const cancel = new AbortController()
  const answer = summarise(INPUT, cancel.signal)
  await expect.poll(() => server.seen.length).toBeGreaterThan(0)
  cancel.abort(new Error('cancelled'))
  await expect(answer).rejects.toThrow('cancelled')
  await expect.poll(() => server.open()).toBe(0)
})

it('alone, words that are no shorter than the deterministic form do not go out', async () => {
  const { summarise } = await world({ says: 'They said that about people. '.repeat(9) })
  const short = { ...INPUT, budget: 100, wish: { ...INPUT.wish, form: 'alone' } } as const
  const output = await summarise(short, undefined)
  expect(output.strategy).not.toBe('model')
  expect(output.note).toMatch(/^deterministic: /)
})
