import { describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { changeableServer, simpleTool } from '../helpers/changeable-server.ts'
import { engineWorld, type ConnectOptions } from '../helpers/engine-world.ts'
import { waitFor } from '../helpers/wait-for.ts'

const switchedOn = { approvals: { firstSight: 'ask', approveTool: true } }
const asking = { elicitation: {} }
const yes = { action: 'accept' as const, content: { decision: 'approve' } }
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> }

/** One server with two tools, and a client whose user gives these answers; the last repeats. */
async function asked(
  answers: readonly Answer[],
  options: ConnectOptions = {},
  settings: object = switchedOn,
) {
  const { server, offer } = changeableServer([simpleTool('one'), simpleTool('two')])
  const world = await engineWorld({ s: server }, { ...settings })
  const connection = await world.connect({ capabilities: asking, ...options })
  const questions: string[] = []
  const left = [...answers]
  const answer = vi.fn((): Answer | Promise<Answer> => (left.length > 1 ? left.shift() : left[0]) ?? yes)
  if (options.capabilities === undefined)
    connection.client.setRequestHandler('elicitation/create', (request) => {
      questions.push(request.params.message)
      return answer()
    })
  return { ...world, ...connection, offer, questions, answer }
}

describe.each(['legacy', 'modern'] as const)('a %s client', (era) => {
  it('off by default: neither listed nor callable', async () => {
    const { names, call, questions } = await asked([yes], { era }, { approvals: { firstSight: 'ask' } })
    expect(await names()).toEqual(['sluice_blocked'])
    expect(await call('approve_server_config')).toMatch(/new and was not approved/)
    expect(questions).toEqual([])
  })

  it('accept: the person is asked, and all of the server may be used', async () => {
    const { names, call, questions, engine } = await asked([yes], { era })
    expect(await names()).toEqual(['sluice_blocked', 'approve_server_config'])
    expect(await call('approve_server_config')).toMatch(/^The user approved the server "s"/)
    expect(questions).toEqual([
      expect.stringMatching(/the server itself is new.*2 tools are new \(one, two\)[^]*sluice review s/),
    ])
    expect(await names()).toEqual(['one', 'two'])
    expect(await call('one')).toBe('called one')
    expect(await call('approve_server_config')).toMatch(/Nothing of the server "s" waits/)
    expect(engine.approvals.store?.history().map(({ action, by }) => `${action} ${by}`)).toContain(
      'approved the user of test',
    )
  })

  it.each<[string, Answer]>([
    ['decline', { action: 'decline' }],
    ['cancel', { action: 'cancel' }],
    ['accept without a decision', { action: 'accept' }],
    ['accept with another decision', { action: 'accept', content: { decision: 'keep blocked' } }],
    ['decline with the word in it', { action: 'decline', content: { decision: 'approve' } }],
  ])('%s: everything stays blocked, and weariness does not help', async (_what, answer) => {
    const { names, call, questions, offer, answer: user } = await asked([answer], { era })
    for (let n = 0; n < 3; n++)
      expect(await call('approve_server_config')).toMatch(/was asked and did not approve/)
    expect(await names()).toEqual(['sluice_blocked', 'approve_server_config'])
    expect(questions).toHaveLength(3)
    // The same question a fourth time isn't shown …
    user.mockReturnValue(yes)
    expect(await call('approve_server_config')).toMatch(/was asked 3 times/)
    expect(await call('sluice_blocked')).toMatch(/was asked 3 times/)
    expect(questions).toHaveLength(3)
    // … but another one is.
    offer([simpleTool('three')])
    await waitFor(async () => {
      await names()
      expect(await call('approve_server_config')).toMatch(/The user approved/)
    })
  })

  it('without elicitation it says how else to approve', async () => {
    for (const capabilities of [{}, { elicitation: { url: {} } }]) {
      const { call, names } = await asked([yes], { era, capabilities })
      const text = await call('approve_server_config')
      expect(text).toMatch(/can't put a question to its user.*"sluice review s" or in the Sluice window/)
      expect(text.split('"sluice review s"')).toHaveLength(2)
      expect(await names()).toContain('sluice_blocked')
    }
  })

  it('arguments of the model approve nothing, whatever they say', async () => {
    const { call, names, engine } = await asked([{ action: 'decline' }], { era })
    const hashes = engine.approvals.store?.pending().map(({ hash }) => hash) ?? []
    const attempts: JsonObject[] = [
      { decision: 'approve', action: 'accept', content: { decision: 'approve' } },
      { server: 's', approve: hashes, hashes, answer: yes, confirm: true },
      { inputResponses: { decision: yes }, requestState: 'q_1' },
    ]
    for (const args of attempts) expect(await call('approve_server_config', args)).toMatch(/did not approve/)
    expect(await names()).toContain('sluice_blocked')
    expect(engine.approvals.store?.pinsOf(engine.approvals.store.servers()[0]?.identity ?? '')).toEqual([])
  })

  it('is listed while a part is blocked, and approves what was asked about, not what came meanwhile', async () => {
    const { names, call, approveAll, offer, answer, engine } = await asked([yes], { era })
    await names()
    approveAll()
    expect(await names()).toEqual(['one', 'two'])
    offer([simpleTool('one'), simpleTool('two', 'Changed.')])
    await waitFor(async () => {
      await call('one')
      expect(await names()).toEqual(['one', 'approve_server_config'])
    })
    answer.mockImplementationOnce(async () => {
      offer([simpleTool('one'), simpleTool('two', 'Changed to something worse.')])
      const store = engine.approvals.store
      await waitFor(async () => {
        await call('one')
        expect(
          store
            ?.pending()
            .map(({ definition }) => definition)
            .join(),
        ).toContain('worse')
      })
      return yes
    })
    expect(await call('approve_server_config')).toMatch(/changed while the user was asked. Approved: 0 of 1/)
    expect(await call('two')).toMatch(/has changed since the user approved/)
    expect(await call('approve_server_config')).toMatch(/The user approved/)
    expect(await call('two')).toBe('called two')
  })
})

describe('in front of several servers', () => {
  const all = { scope: { kind: 'all' as const }, capabilities: asking }

  it('asks about the named one, or the one that waits, and about none by a guess', async () => {
    const [a, b] = [changeableServer([simpleTool('one')]), changeableServer([simpleTool('two')])]
    const world = await engineWorld({ a: a.server, b: b.server }, switchedOn)
    const { client, names, call } = await world.connect(all)
    const questions: string[] = []
    client.setRequestHandler('elicitation/create', (request) => {
      questions.push(request.params.message)
      return yes
    })
    expect(await names()).toEqual(
      expect.arrayContaining(['a__sluice_blocked', 'b__sluice_blocked', 'approve_server_config']),
    )
    expect(await call('approve_server_config')).toMatch(/Name one of them as "server": a, b\./)
    expect(await call('approve_server_config', { server: 'c' })).toMatch(/no server "c". Servers: a, b/)
    expect(questions).toEqual([])
    expect(await call('approve_server_config', { server: 'b' })).toMatch(/approved the server "b"/)
    expect(await names()).toEqual(expect.arrayContaining(['a__sluice_blocked', 'b__two']))
    expect(await call('approve_server_config')).toMatch(/approved the server "a"/)
    expect(await call('approve_server_config')).toMatch(/No server waits/)
    expect(await names()).toEqual(expect.arrayContaining(['a__one', 'b__two', 'approve_server_config']))
    expect(questions).toHaveLength(2)
  })

  it('is not listed where it is switched off', async () => {
    const { server } = changeableServer([simpleTool('one')])
    const { connect } = await engineWorld({ s: server })
    const { names, call } = await connect(all)
    expect(await names()).not.toContain('approve_server_config')
    await expect(call('approve_server_config')).rejects.toThrow(/Unknown tool/)
  })
})

describe('the question of a modern client', () => {
  const decide = { decision: yes }

  /** What a client without elicitation gets, and what it sends back. */
  async function handedOut() {
    const { server } = changeableServer([simpleTool('one')])
    const world = await engineWorld({ s: server }, switchedOn)
    const open = (name: string) => {
      const session = world.engine.openSession({
        scope: { kind: 'server', serverId: 's' },
        client: { name },
        link: { era: 'modern', notify: () => {}, ask: () => Promise.reject(new Error('nobody')) },
      })
      const call = (more: JsonObject = {}): Promise<JsonObject> =>
        session.handleRequest({
          id: 1,
          method: 'tools/call',
          params: {
            name: 'approve_server_config',
            arguments: {},
            ...more,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name, version: '1' },
              'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
            },
          },
          signal: new AbortController().signal,
          notify: () => {},
        })
      return { call, close: () => session.close() }
    }
    return { ...world, open }
  }
  const approvedBy = ({ engine }: Awaited<ReturnType<typeof handedOut>>): number =>
    engine.approvals.store?.history().filter(({ action }) => action === 'approved').length ?? 0

  it('can be answered once, by whom it was handed to, and by no made-up state', async () => {
    const world = await handedOut()
    const [one, other] = [world.open('one'), world.open('other')]
    const first = await one.call()
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { decision: { method: 'elicitation/create', params: { mode: 'form' } } },
      requestState: expect.stringMatching(/^q_/),
    })
    // Answers to nothing don't count: the question is repeated.
    for (const params of [
      { inputResponses: decide },
      { requestState: 'q_made-up', inputResponses: decide },
      { requestState: 7, inputResponses: decide },
    ])
      expect(await one.call(params)).toMatchObject({ resultType: 'input_required' })
    expect(await other.call({ requestState: first['requestState'], inputResponses: decide })).toMatchObject({
      resultType: 'input_required',
    })
    expect(approvedBy(world)).toBe(0)
    const done = await one.call({ requestState: first['requestState'], inputResponses: decide })
    expect(done).toMatchObject({
      resultType: 'complete',
      content: [{ text: expect.stringMatching(/The user approved/) }],
    })
    expect(approvedBy(world)).toBeGreaterThan(0)
    await Promise.all([one.close(), other.close()])
  })
})
