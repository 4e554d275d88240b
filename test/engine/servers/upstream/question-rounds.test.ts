import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import type { UpstreamLink, UpstreamRequestOptions } from '../../../../electron/engine/protocol/link.ts'
import { legacyClient, modernClient, openTestLink, testServer, textOf } from '../../../helpers/upstream.ts'
import { removeFolder } from '../../../helpers/remove-folder.ts'

/** A client of 2026-07-28 with servers of 2025 that ask by their own requests. */

let link: UpstreamLink
const client = {
  ...modernClient,
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
}

beforeAll(async () => {
  ;({ link } = await openTestLink({ settings: testServer('asking'), client }))
})
afterAll(() => link.close())

interface Asked {
  readonly state: string
  readonly questions: Readonly<Record<string, JsonObject>>
}

function asked(result: JsonObject): Asked {
  const { resultType, inputRequests, requestState } = result
  expect(resultType).toBe('input_required')
  if (!isJsonObject(inputRequests)) throw new Error('Nothing was asked.')
  return { state: String(requestState), questions: inputRequests as Record<string, JsonObject> }
}

const call = (
  name: string,
  more: JsonObject = {},
  options: UpstreamRequestOptions = {},
  to = link,
): Promise<JsonObject> => to.request('tools/call', { name, arguments: {}, ...more }, options)

const word = (text: string): JsonObject => ({ action: 'accept', content: { word: text } })
const model = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello.' } }

describe('what a server asks in the course of a call', () => {
  test('goes out in one result; what is left unanswered is asked again', async () => {
    const first = asked(await call('two'))
    expect(first.questions).toMatchObject({
      'elicitation-1': { method: 'elicitation/create', params: { message: 'Which word?' } },
      'sampling-2': { method: 'sampling/createMessage', params: { maxTokens: 10 } },
    })
    const half = await call('two', { requestState: first.state, inputResponses: { 'sampling-2': model } })
    const second = asked(half)
    expect(Object.keys(second.questions)).toEqual(['elicitation-1'])
    expect(second.state).not.toBe(first.state)
    const answers = { 'elicitation-1': word('sluice'), unknown: word('ignored') }
    const result = await call('two', { requestState: second.state, inputResponses: answers })
    expect(textOf(result)).toBe('accept sluice, {"type":"text","text":"Hello."}')
  })

  test('may be asked in several rounds, and an answer twice is an answer once', async () => {
    const first = asked(await call('again'))
    const answer = { requestState: first.state, inputResponses: { 'elicitation-1': word('one') } }
    const second = asked(await call('again', answer))
    expect(asked(await call('again', answer)).questions).toEqual(second.questions)
    const last = { requestState: second.state, inputResponses: { 'elicitation-2': { action: 'decline' } } }
    expect(textOf(await call('again', last))).toBe('accept one, decline')
    await expect(call('again', last)).rejects.toMatchObject({ code: -32602, message: /Make the call again/ })
  })

  test('is answered for the same call and with an untouched state only', async () => {
    const { state } = asked(await call('again'))
    const inputResponses = { 'elicitation-1': word('x') }
    for (const [name, requestState] of [
      ['again', `${state}1`],
      ['again', 'made-up'],
      ['two', state],
    ] as const) {
      await expect(call(name, { requestState, inputResponses })).rejects.toMatchObject({ code: -32602 })
    }
    expect(asked(await call('again', { requestState: state })).questions).toHaveProperty('elicitation-1')
  })

  test('is forgotten when the server gives it up, and its result is there for the repetition', async () => {
    const { state } = asked(await call('impatient'))
    await call('lose-patience')
    await expect.poll(async () => textOf(await call('state'))).toContain('"gaveUp":1')
    const late = { requestState: state, inputResponses: { 'elicitation-1': word('late') } }
    expect(textOf(await call('impatient', late))).toBe('gave up')
  })

  test('does not count as time without an answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const { state } = asked(await call('again', {}, { timeoutMs: 20_000 }))
    await vi.advanceTimersByTimeAsync(25_000)
    const answer = { requestState: state, inputResponses: { 'elicitation-1': word('slow') } }
    asked(await call('again', answer))
  })

  test('pages to be opened are asked for, and the call is made again', async () => {
    const { state, questions } = asked(await call('page'))
    expect(questions).toEqual({
      'elicitation-1': {
        method: 'elicitation/create',
        params: { mode: 'url', url: 'https://example.org/sign-in', message: 'Sign in.' },
      },
    })
    const opened = { requestState: state, inputResponses: { 'elicitation-1': { action: 'accept' } } }
    expect(textOf(await call('page', opened))).toBe('signed in')
  })

  test('ends with the call when the client cancels it, or never comes back', async () => {
    const abort = new AbortController()
    const { state } = asked(await call('cancelled'))
    const again = call('cancelled', { requestState: state, inputResponses: {} }, { signal: abort.signal })
    asked(await again)
    const waiting = call('later', {}, { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})

test('a client that never answers is given up, and the server hears of it', async () => {
  const { link: own } = await openTestLink({
    settings: testServer('asking'),
    client,
    deps: { answerMs: 100 },
  })
  const { state } = asked(await call('cancelled', {}, {}, own))
  await expect.poll(async () => textOf(await call('state', {}, {}, own))).toContain('"cancelled":1')
  await expect(call('cancelled', { requestState: state }, {}, own)).rejects.toMatchObject({ code: -32602 })
  await own.close()
})

test('errors have the codes of the client’s era', async () => {
  const missing = link.request('resources/read', { uri: 'note://missing' })
  await expect(missing).rejects.toMatchObject({ code: -32602, data: { uri: 'note://missing' } })
  const blind = { ...client, capabilities: { elicitation: { form: {} } } }
  const { link: own } = await openTestLink({ settings: testServer('asking'), client: blind })
  await expect(call('page', {}, {}, own)).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: { url: {} } } },
  })
  await own.close()
  const mute = { ...legacyClient, capabilities: {} }
  const modern = testServer('features', '--era', 'modern')
  const { link: other } = await openTestLink({ settings: modern, client: mute })
  const refused = await call('ask-user', {}, {}, other)
  expect(refused).toMatchObject({ isError: true })
  expect(textOf(refused)).toMatch(/elicitation|capabilit/i)
  await other.close()
})

describe('what a server asks while no call is under way', () => {
  test('is carried by the next call, which the server gets when it has the answer', async () => {
    const { link: own } = await openTestLink({ settings: testServer('asking', '30000'), client })
    await own.request('tools/list', {})
    const { state, questions } = asked(await call('state', {}, {}, own))
    expect(questions).toEqual({ 'roots-1': { method: 'roots/list', params: {} } })
    const answer = { 'roots-1': { roots: [{ uri: 'file:///project' }] } }
    const result = await call('state', { requestState: state, inputResponses: answer }, {}, own)
    expect(textOf(result)).toContain('"roots":"file:///project"')
    await own.close()
  })

  test('roots that the server has given up waiting for are offered again', async () => {
    const { link: own } = await openTestLink({ settings: testServer('asking', '100'), client })
    await expect.poll(async () => JSON.stringify(await own.request('tools/list', {}))).toContain('not told')
    const { state, questions } = asked(await call('state', {}, {}, own))
    expect(Object.keys(questions)).toEqual(['roots-1'])
    const answer = { 'roots-1': { roots: [{ uri: 'file:///late' }] } }
    const result = await call('state', { requestState: state, inputResponses: answer }, {}, own)
    expect(textOf(result)).toContain('"roots":"file:///late"')
    await own.close()
  })

  test('the reference server for files, from npm, learns its roots', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-roots-')))
    const program = resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
    const settings = { command: process.execPath, args: [program] }
    const { link: own } = await openTestLink({ settings, client })
    await own.request('tools/list', {})
    const { state } = asked(await call('list_allowed_directories', {}, {}, own))
    const answer = { 'roots-1': { roots: [{ uri: pathToFileURL(folder).href }] } }
    await call('list_allowed_directories', { requestState: state, inputResponses: answer }, {}, own)
    await expect
      .poll(async () => textOf(await call('list_allowed_directories', {}, {}, own)))
      .toContain(folder)
    await own.close()
    removeFolder(folder)
  })
})
