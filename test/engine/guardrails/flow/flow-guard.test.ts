import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import type { GuardPolicy } from '../../../../shared/guard-policy.ts'
import { changeableServer } from '../../../helpers/changeable-server.ts'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

const SECRET = 'The quarterly figures are to be kept inside until the ninth of March.'
const PATH = '/srv/minutes/2026/november/figures.md'
const page = {
  gives: {
    'tools/call': { content: [{ type: 'text', text: `Minutes. ${SECRET} End. See ${PATH} for more.` }] },
  },
}
const KEY = `ghp_${'a1B2c3D4e5'.repeat(4)}`
const tool = (name: string, readOnlyHint: boolean) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint },
})

async function world(flow?: GuardPolicy['flow']) {
  const wiki = changeableServer([tool('read', true)], page)
  const mail = changeableServer([tool('send', false), tool('find', true)])
  const { connect, engine } = await engineWorld(
    { wiki: wiki.server, mail: mail.server },
    { approvals: { firstSight: 'trust' }, ...(flow === undefined ? {} : { guard: { flow } }) },
  )
  return { connect, engine }
}

const all = { scope: { kind: 'all' as const } }
const textOf = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args })
  return (content as { text: string }[])[0]?.text ?? ''
}

describe('text of one server in a call to another', () => {
  it('is sent, and the ledger says whose it is', async () => {
    const { connect, engine } = await world()
    const { client } = await connect(all)
    const recorded: (string | undefined)[] = []
    engine.events.on('call-recorded', ({ tool: name, note }) => void recorded.push(`${name}: ${note ?? ''}`))
    await textOf(client, 'wiki__read', {})
    expect(await textOf(client, 'mail__send', { text: `fyi: ${SECRET}` })).toBe('called send')
    await textOf(client, 'mail__send', { text: 'Lunch at twelve in the canteen, as always?' })
    await textOf(client, 'mail__find', { text: SECRET })
    await waitFor(() =>
      expect(recorded).toEqual(['read: ', 'send: sent text of wiki (read)', 'send: ', 'find: ']),
    )
  })

  it.each([
    ['accept', { decision: 'allow this call' }, 'called send'],
    ['accept', { decision: 'do not allow it' }, 'did not allow this call'],
    ['decline', undefined, 'did not allow this call'],
  ] as const)('ask: the user says %s %j', async (action, content, expected) => {
    const { connect } = await world('ask')
    const { client } = await connect({ ...all, capabilities: { elicitation: {} } })
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action, ...(content ? { content } : {}) }
    })
    await textOf(client, 'wiki__read', {})
    expect(await textOf(client, 'mail__send', { text: SECRET })).toContain(expected)
    expect(asked).toEqual([
      expect.stringMatching(/"wiki" \(read\) to the server "mail" with its tool send\?/),
    ])
    expect(await textOf(client, 'mail__send', { text: 'Lunch at twelve?' })).toBe('called send')
    expect(asked).toHaveLength(1)
  })

  it('ask: where the client has no way to ask, the call is not made, and says how to allow it', async () => {
    const { connect } = await world('ask')
    const { client } = await connect(all)
    await textOf(client, 'wiki__read', {})
    expect(await textOf(client, 'mail__send', { text: SECRET })).toMatch(
      /did not make this call.*"flow": "warn"/,
    )
  })

  it('a path that another server named is no text of it', async () => {
    const { connect } = await world('ask')
    const { client } = await connect(all)
    await textOf(client, 'wiki__read', {})
    expect(await textOf(client, 'mail__send', { text: PATH })).toBe('called send')
    expect(await textOf(client, 'mail__send', { text: `Look at ${PATH} and say that it is done` })).toContain(
      'did not make this call',
    )
  })

  it('of one client is nothing to another, and off is off', async () => {
    const { connect } = await world('ask')
    const { client } = await connect({ ...all, name: 'one' })
    const other = await connect({ ...all, name: 'two' })
    await textOf(client, 'wiki__read', {})
    expect(await textOf(other.client, 'mail__send', { text: SECRET })).toBe('called send')
    const off = await world('off')
    const third = await off.connect(all)
    await textOf(third.client, 'wiki__read', {})
    expect(await textOf(third.client, 'mail__send', { text: SECRET })).toBe('called send')
  })
})

describe('a secret in arguments', () => {
  it('is noted, and asked about, unless the user or the called server named it', async () => {
    const vault = changeableServer([tool('open', false)], {
      gives: { 'tools/call': { content: [{ type: 'text', text: `Your token is ${KEY}.` }] } },
    })
    const mail = changeableServer([tool('send', false), tool('find', true)])
    const { connect, engine } = await engineWorld(
      { vault: vault.server, mail: mail.server },
      { approvals: { firstSight: 'trust' }, guard: { flow: 'ask' } },
    )
    const { client } = await connect({ ...all, capabilities: { elicitation: {} } })
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { decision: 'allow this call' } }
    })
    const recorded: string[] = []
    engine.events.on('call-recorded', ({ tool: name, note }) => void recorded.push(`${name}: ${note ?? ''}`))
    await textOf(client, 'mail__find', { text: KEY })
    expect(asked).toEqual([])
    expect(await textOf(client, 'mail__send', { text: `The key is ${KEY}` })).toBe('called send')
    expect(asked).toEqual([
      'Sluice: Send what looks like a key or password to the server "mail" with its tool send? Say yes only if you asked for that.',
    ])
    await waitFor(() => expect(recorded).toContain('send: sent what looks like a key or password'))
    await textOf(client, 'vault__open', {})
    await textOf(client, 'vault__open', { text: KEY })
    expect(asked).toHaveLength(1)
    await textOf(client, 'mail__send', { text: KEY })
    expect(asked[1]).toMatch(
      /^Sluice: Send what looks like a key or password, and text that came from the server "vault" \(open\) to/,
    )
  })
})
