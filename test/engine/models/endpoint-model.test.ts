import { describe, expect, it } from 'vitest'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import {
  createEndpointModel,
  isLoopback,
  type EndpointSettings,
} from '../../../electron/engine/models/endpoint/endpoint-model.ts'
import { startChatServer, type ChatBehaviour } from '../../helpers/chat-server.ts'

const ASK = { system: 'You are brief.', prompt: 'Say something about the 42 files.', maxTokens: 32 }
const KEY = 'sk-planted-4Gh7'

async function modelBehind(
  behaviour: Parameters<typeof startChatServer>[0],
  settings: Partial<EndpointSettings> = {},
  timeLimitMs = 5000,
) {
  const server = await startChatServer(behaviour)
  const model = createEndpointModel({
    settings: {
      baseUrl: server.baseUrl,
      model: 'small',
      contextTokens: undefined,
      retries: 2,
      concurrency: 2,
      extra: {},
      ...settings,
    },
    apiKey: () => Promise.resolve(KEY),
    timeLimitMs: () => timeLimitMs,
    fetch,
    countTokens: (text) => Promise.resolve(countTokens(text)),
  })
  return { ...server, model }
}

const failureOf = (behaviour: ChatBehaviour, settings?: Partial<EndpointSettings>, timeLimitMs?: number) =>
  modelBehind(behaviour, settings, timeLimitMs).then(({ model, seen }) =>
    model.complete(ASK).then(
      () => ({ code: 'none', message: '', seen }),
      (error: { code: string; message: string }) => ({ code: error.code, message: error.message, seen }),
    ),
  )

describe('a model behind an address', () => {
  it('is asked for a stream, with the key, and its answer is put together', async () => {
    const { model, seen } = await modelBehind({ says: 'There are 42 files.' })
    const done = await model.complete(ASK)
    expect(done).toMatchObject({ text: 'There are 42 files.', isCut: false, outputTokens: 4 })
    expect(done.promptTokens).toBeGreaterThan(10)
    expect(seen[0]?.authorization).toBe(`Bearer ${KEY}`)
    expect(seen[0]?.body).toMatchObject({
      model: 'small',
      temperature: 0,
      max_tokens: 32,
      stream: true,
      messages: [
        { role: 'system', content: ASK.system },
        { role: 'user', content: ASK.prompt },
      ],
    })
    expect(model.isRemote).toBe(false)
  })

  it('may answer in one piece, and may be cut', async () => {
    const { model } = await modelBehind({ says: 'All of it', whole: true, finish: 'length' })
    expect(await model.complete(ASK)).toMatchObject({ text: 'All of it', isCut: true })
  })

  it.each([
    ['<think>There are 43.</think>There are 42.', 'There are 42.'],
    ['Let me see…</think>\n\nThere are 42.', 'There are 42.'],
    ['<think>I never stop', ''],
    ['<thinking>a</thinking> b <think>c</think>', 'b'],
    ['A <thought> is no tag.', 'A <thought> is no tag.'],
  ])('leaves out of %j what was thought', async (says, text) => {
    const { model } = await modelBehind({ says })
    expect((await model.complete(ASK)).text).toBe(text)
  })

  it('asks for a grammar in the words of the API', async () => {
    const { model, seen } = await modelBehind({ says: '{"a":1}' })
    const jsonSchema = { type: 'object', properties: { a: { type: 'integer' } } }
    await model.complete({ ...ASK, grammar: { jsonSchema } })
    await model.complete({ ...ASK, grammar: { gbnf: 'root ::= "a"' } })
    expect(seen[0]?.body['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: jsonSchema },
    })
    expect(seen[1]?.body['grammar']).toBe('root ::= "a"')
  })

  it('is asked again when it is overloaded, as late as it wishes', async () => {
    const { model, seen } = await modelBehind([
      { status: 503 },
      { status: 429, headers: { 'retry-after': '0' } },
      { says: 'At last.' },
    ])
    expect((await model.complete(ASK)).text).toBe('At last.')
    expect(seen).toHaveLength(3)
  })

  it('learns how newer models want to be asked, once', async () => {
    const { model, seen } = await modelBehind(({ body }) => {
      if ('max_tokens' in body) {
        return { status: 400, body: { error: { message: "Use 'max_completion_tokens' instead." } } }
      }
      return 'temperature' in body
        ? { status: 400, body: { error: { message: "'temperature' is not supported." } } }
        : { says: 'Fine.' }
    })
    expect((await model.complete(ASK)).text).toBe('Fine.')
    expect(seen).toHaveLength(3)
    expect((await model.complete(ASK)).text).toBe('Fine.')
    expect(seen).toHaveLength(4)
    expect(seen[3]?.body).toMatchObject({ max_completion_tokens: 32 })
  })

  it('is late: when it never answers, when it stops in the middle, when it is slow', async () => {
    for (const behaviour of [
      { never: true },
      { never: true, afterHead: true },
      { never: true, afterWords: 'There' },
      { says: 'a b c d e f g h', msPerWord: 100 },
    ] as const) {
      expect(await failureOf(behaviour, {}, 300)).toMatchObject({
        code: 'MODEL_LATE',
        message: expect.stringContaining('0.3 s') as string,
      })
    }
  })

  it('stops the server when the call is cancelled', async () => {
    const { model, seen } = await modelBehind({ says: 'a '.repeat(1000), msPerWord: 20 })
    const controller = new AbortController()
    const asked = model.complete({ ...ASK, signal: controller.signal })
    await expect.poll(() => seen.length).toBe(1)
    controller.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
  })

  it('says what is wrong and never the key', async () => {
    const body = { error: { message: `Incorrect API key provided: ${KEY}.` } }
    const unauthorised = await failureOf({ status: 401, body })
    expect(unauthorised).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(/answered 401: Incorrect.*Check the key/) as string,
    })
    expect(unauthorised.message).not.toContain(KEY)
    expect(unauthorised.seen).toHaveLength(1)
    expect(await failureOf({ status: 404 })).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('ends with /v1') as string,
    })
    expect(await failureOf({ status: 500, body: 'x'.repeat(100_000) }, { retries: 0 })).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    })
    expect(await failureOf({ breaksAfter: 'There' }, { retries: 0 })).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(/broke off in the middle of its answer: .*\. Its own log/) as string,
    })
  })

  it.each([
    ['no JSON', { raw: 'hello' }],
    ['another JSON', { raw: '{"answer":42}' }],
    ['a stream of something else', { raw: 'data: hello\n\n', type: 'text/event-stream' }],
    ['a stream of another JSON', { raw: 'data: {"choices":"none"}\n\n', type: 'text/event-stream' }],
  ] as const)('notices nonsense: %s', async (_, behaviour) => {
    expect(await failureOf(behaviour)).toMatchObject({ code: 'MODEL_FAILED' })
  })

  it('is not listened to for ever', async () => {
    const { model } = await modelBehind({ says: `${'word '.repeat(20)}${'x'.repeat(400_000)} end` })
    expect((await model.complete(ASK)).text.length).toBeLessThan(450_000)
  })

  it('says that nothing listens there', async () => {
    const { model, close } = await modelBehind({ says: 'x' }, { retries: 0 })
    await close()
    await expect(model.complete(ASK)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(/can't be reached.*Check the address/) as string,
    })
  })

  it('is asked no more questions at once than it can take', async () => {
    const { model, atOnce } = await modelBehind({ says: 'a b c', msPerWord: 20 })
    await Promise.all(Array.from({ length: 8 }, () => model.complete(ASK)))
    expect(atOnce()).toBe(2)
  })

  it('learns its speeds', async () => {
    const { model } = await modelBehind({ says: 'a b c d e f g h i j', msPerWord: 5 })
    await model.complete({ ...ASK, prompt: 'word '.repeat(200) })
    const capacity = model.capacity()
    expect(capacity.charactersPerToken).toBeCloseTo(4, 0)
    expect(capacity.promptTokensPerSecond).toBeGreaterThan(0)
    expect(capacity.outputTokensPerSecond).toBeGreaterThan(10)
  })

  it('learns its speeds by counting itself where the server does not count', async () => {
    const pieces = ['The', ' disk', ' is', ' full'].flatMap((word) => Array.from({ length: 4 }, () => word))
    const stream = pieces.map(
      (content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`,
    )
    const { model } = await modelBehind({
      raw: `${stream.join('')}data: [DONE]\n\n`,
      type: 'text/event-stream',
    })
    const { promptTokens } = await model.complete({ ...ASK, prompt: 'word '.repeat(200) })
    expect(promptTokens).toBeUndefined()
    expect(model.capacity().promptTokensPerSecond).toBeGreaterThan(0)
    expect(model.capacity().charactersPerToken).toBeCloseTo(5, 0)
    // A non-streamed answer does not separate reading from writing.
    const { model: other } = await modelBehind({ says: 'a b c d e f g h i j', whole: true })
    await other.complete({ ...ASK, prompt: 'word '.repeat(200) })
    expect(other.capacity()).toMatchObject({
      promptTokensPerSecond: undefined,
      outputTokensPerSecond: undefined,
    })
  })
})

it('knows what stays on this machine', () => {
  const loopback = [
    'http://localhost:1234/v1',
    'http://127.0.0.1/v1',
    'http://[::1]:8080/v1',
    'http://127.8.0.1/v1',
  ]
  const remote = [
    'https://api.example.com/v1',
    'http://192.168.1.2/v1',
    'http://127.0.0.1.example.com/v1',
    'nonsense',
  ]
  expect(loopback.filter(isLoopback)).toEqual(loopback)
  expect(remote.filter(isLoopback)).toEqual([])
})
