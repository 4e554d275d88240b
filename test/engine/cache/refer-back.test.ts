import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '../../../electron/engine/goals/create-goals.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { engineWorld } from '../../helpers/engine-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { testServer } from '../../helpers/upstream.ts'

const ends: (() => Promise<void> | void)[] = []
const folder = temporaryFolder((end) => void ends.unshift(end))
const path = join(folder, 'status')
let world: Awaited<ReturnType<typeof engineWorld>>
let conversations = 0

beforeAll(async () => {
  world = await engineWorld(
    { s: testServer('files') },
    { approvals: { firstSight: 'trust' } },
    { folder, whenDone: (end) => void ends.unshift(end) },
  )
})
afterAll(async () => {
  for (const end of ends) await end()
})

const status = (step: number): string =>
  Array.from(
    { length: 40 },
    (_, n) => `job ${n}: ${n < step ? 'finished without errors' : 'waits for a free runner'}`,
  ).join('\n')

/** A client in a conversation of its own. */
async function polling({ app = 'claude-code', told = true } = {}) {
  const id = `conversation ${++conversations}`
  const conversation: Conversation = { app, id, folder }
  const { client } = await world.connect({ name: app })
  if (told) world.engine.conversations.prompted(conversation, 'Wait until all jobs have finished.')
  const read = async (text: string, meta: Record<string, unknown> = { sessionId: id }): Promise<string> => {
    writeFileSync(path, text)
    const { content } = await client.callTool({ name: 'read', arguments: { path }, _meta: meta })
    return (content as { text: string }[])[0]?.text ?? ''
  }
  const whole = async (answer: string): Promise<string> => {
    const { content } = await client.callTool({
      name: 'proxy_read',
      arguments: { id: /r_[0-9a-f]+/.exec(answer)?.[0], max_tokens: 20_000 },
    })
    return (content as { text: string }[])[0]?.text ?? ''
  }
  return { read, whole, conversation, client, tell: world.engine.conversations }
}

describe('a repeated call', () => {
  test('with the same result names the earlier one, which can be read', async () => {
    const { read, whole, client } = await polling()
    expect(await read(status(1))).toBe(status(1))
    const again = await read(status(1))
    expect(again).toMatch(
      /^\[Unchanged: the same result as less than a minute ago, r_\w+\. You have it above;/,
    )
    expect(countTokens(again)).toBeLessThan(60)
    expect(await read(status(1))).toBe(again)
    // The tools are listed from then on.
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('proxy_read')
    expect((await whole(again)).trimEnd()).toBe(status(1))
  })

  test('with a changed result says what changed since the one that came whole, and has the whole kept', async () => {
    const { read, whole } = await polling()
    await read(status(1))
    const changed = await read(status(2))
    expect(changed).toMatch(/^\[Changed: this is the difference to the result of less than a minute ago/)
    expect(changed).toContain('-job 1: waits for a free runner\n+job 1: finished without errors')
    expect((await whole(changed)).trimEnd()).toBe(status(2))
    expect(await read(status(2))).toMatch(/^\[Unchanged/)
    // Against the one that came whole, not against a difference.
    const more = await read(status(3))
    expect(more).toContain('-job 1: waits for a free runner')
    expect(more).toContain('-job 2: waits for a free runner')
    // More than half of it has changed.
    expect(await read(status(39))).toBe(status(39))
    expect(await read(status(40))).toContain('@@ -39')
  })

  test('after a compaction, a new prompt or the end gets the whole', async () => {
    const { read, tell, conversation } = await polling()
    await read(status(1))
    tell.compacted(conversation)
    expect(await read(status(1))).toBe(status(1))
    expect(await read(status(1))).toMatch(/^\[Unchanged/)
    // The user may have gone back to before it.
    tell.prompted(conversation, 'And now tell me the first one that fails.')
    expect(await read(status(2))).toBe(status(2))
    tell.ended(conversation)
    expect(await read(status(2))).toBe(status(2))
    expect(await read(status(2))).toBe(status(2))
  })

  test('of an app that doesn’t tell of compactions, or of an unknown conversation, gets the whole', async () => {
    for (const options of [{ app: 'gemini-cli' }, { told: false }]) {
      const { read } = await polling(options)
      await read(status(1))
      expect(await read(status(1))).toBe(status(1))
    }
  })

  test('of a sub-agent names only what that agent has seen', async () => {
    const { read, tell, conversation } = await polling()
    await read(status(1))
    tell.agentStarted(conversation, 'a1')
    // Whose call this is isn't known …
    expect(await read(status(1))).toBe(status(1))
    // … unless a tool use tells.
    tell.toolUsed(conversation, 'of-a1', 'a1')
    tell.toolUsed(conversation, 'of-main')
    const byAgent = { 'claudecode/toolUseId': 'of-a1' }
    expect(await read(status(1), byAgent)).toBe(status(1))
    expect(await read(status(1), byAgent)).toMatch(/^\[Unchanged/)
    const ofMain = await read(status(2), { 'claudecode/toolUseId': 'of-main' })
    expect(ofMain).toMatch(/^\[Changed/)
  })

  test('of a shortened result gets more within its time, and failures, short or marked results stay', async () => {
    const { read } = await polling()
    const long = Array.from(
      { length: 400 },
      (_, n) => `job ${n} of runner ${n * 7} has ended with code ${n % 3}`,
    ).join('\n')
    const first = await read(long)
    expect(first).toMatch(/^\[Compressed/)
    expect(await read(long)).toContain('escalation: 2x')
    expect(await read('ready')).toBe('ready')
    expect(await read('ready')).toBe('ready')
  })

  test('is whole where cache.repeats is off or nothing is shortened', async () => {
    const { read } = await polling()
    await read(status(1))
    for (const [key, off, on] of [
      ['cache', { repeats: false }, {}],
      ['compression', { strategy: 'off' }, {}],
    ] as const) {
      world.engine.settings.update([{ path: [key], value: off }])
      expect(await read(status(1))).toBe(status(1))
      world.engine.settings.update([{ path: [key], value: on }])
    }
    expect(await read(status(1))).toMatch(/^\[Unchanged/)
  })
})
