import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { createReleaseTool } from '../../../electron/engine/guardrails/release-tool.ts'
import { temporaryQuarantine } from '../../helpers/guard.ts'

async function kept(result: JsonObject) {
  const store = temporaryQuarantine()
  const { id } = await store.put({
    owner: 'cursor',
    server: 'web',
    tool: 'fetch',
    arguments: undefined,
    findings: [],
    result,
  })
  const tool = createReleaseTool(store, () => 'strip')
  const take = (owner = 'cursor', args: JsonObject | undefined = { id }) => tool.call(args, owner)
  return { store, id, take }
}

const words = ({ content, isError }: JsonObject): string =>
  `${isError === true ? 'error: ' : ''}${(content as { text: string }[])[0]?.text}`

describe('quarantine_release', () => {
  it('hands nothing over before the user has released it, and says who can', async () => {
    const { id, take } = await kept({ content: [{ type: 'text', text: 'secret' }] })
    const answer = words(await take())
    expect(answer).toMatch(/^error: The user has not released/)
    expect(answer).toContain(`sluice quarantine release ${id}`)
    expect(answer).not.toContain('secret')
  })

  it('hands the whole result over once', async () => {
    const result = {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
      structuredContent: { b: [1] },
      isError: true,
      _meta: { c: 1 },
    }
    const { store, id, take } = await kept(result)
    store.release(id)
    expect(await take()).toEqual(result)
    expect(words(await take())).toMatch(/^error: .* was handed over already/)
  })

  it('says the same of another client’s result as of none', async () => {
    const { store, id, take } = await kept({ content: [] })
    store.release(id)
    const foreign = words(await take('claude'))
    const none = words(await take('claude', { id: 'q_none' }))
    expect(foreign.replace(id, '')).toBe(none.replace('q_none', ''))
    for (const args of [{}, { id: 7 }]) expect(words(await take('cursor', args))).toMatch(/^error/)
  })

  it('shows what hides text by marks even then: the user released words', async () => {
    const { store, id, take } = await kept({ content: [{ type: 'text', text: 'a\u001b]0;x\u0007b\u202e' }] })
    store.release(id)
    const result = await take()
    expect(words(result)).toBe('a␛]0;x␇b⟨RLO⟩')
    expect(JSON.stringify(result)).toMatch(/Sluice put marks/)
  })

  it.each<[string, JsonObject, unknown[], boolean]>([
    [
      'a resource',
      {
        contents: [
          { uri: 'x:a', text: 'hi' },
          { uri: 'x:b', blob: 'AAAA' },
        ],
      },
      [
        { type: 'resource', resource: { uri: 'x:a', text: 'hi' } },
        { type: 'resource', resource: { uri: 'x:b', blob: 'AAAA' } },
      ],
      false,
    ],
    [
      'a prompt',
      { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] },
      [
        { type: 'text', text: 'user:' },
        { type: 'text', text: 'hi' },
      ],
      false,
    ],
    [
      'an error',
      { error: { code: -32000, message: 'no', data: { more: 1 } } },
      [
        { type: 'text', text: 'no' },
        { type: 'text', text: '{"more":1}' },
      ],
      true,
    ],
    [
      'anything else',
      { completion: { values: ['a'] } },
      [{ type: 'text', text: '{"completion":{"values":["a"]}}' }],
      false,
    ],
  ])('hands %s over as what a tool can return', async (_, value, content, isError) => {
    const { store, id, take } = await kept(value)
    store.release(id)
    expect(await take()).toEqual({ content, ...(isError ? { isError } : {}) })
  })

  it('its definition offers no way to release', () => {
    const { definition } = createReleaseTool(temporaryQuarantine(), () => 'strip')
    expect(definition['inputSchema']).toEqual({
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
    })
  })
})
