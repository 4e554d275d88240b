import { describe, expect, it, vi } from 'vitest'
import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import { composeOnce, type CallTool, type ToolOutcome } from '../../../electron/engine/message/call.ts'
import { RpcError, type JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { createTestGuard, toolCall } from '../../helpers/guard.ts'

const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })
const answers =
  (result: JsonObject, more: Partial<ToolOutcome> = {}): CallTool =>
  () =>
    Promise.resolve({ result, ...more })
const SHORTENED = {
  resultId: undefined,
  strategy: 'none',
  tokensBefore: 0,
  tokensAfter: 0,
  milliseconds: 0,
  skipped: 'bypass',
}

describe('what hides text from its reader', () => {
  const dirty = '\u001b]0;pwned\u0007red \u001b[31mtext\u202e \u200b\u{e0041}end\u009b2J'
  const marked = '␛]0;pwned␇red \u001b[31mtext⟨RLO⟩ ⟨ZWSP⟩⟨tags: A⟩end⟨U+009B⟩2J'
  const note = (how: string) =>
    ({ type: 'text', text: expect.stringContaining(how) as string }) as { type: 'text'; text: string }
  const run = (
    { guard }: ReturnType<typeof createTestGuard>,
    result: JsonObject,
    policy: Partial<GuardPolicy>,
  ) => composeOnce([guard.guardShortened, guard.guardResult])(answers(result))(toolCall(policy))

  it('is out of results, with or without a scan, and the text says so and names the original', async () => {
    const kept: unknown[] = []
    const keepOriginal = (original: JsonObject) => Promise.resolve(`r_${kept.push(original)}`)
    const world = createTestGuard({ keepOriginal })
    const original = { ...text(dirty), structuredContent: { [`k${dirty}`]: dirty } }
    for (const results of ['quarantine', 'warn', 'off'] as const) {
      const { result } = await run(world, original, { results, threshold: 1, markFrom: 1 })
      expect(result).toEqual({
        content: [{ type: 'text', text: 'red \u001b[31mtext end' }, note(`id: r_${kept.length}; proxy_read`)],
        structuredContent: { [`k${marked}`]: marked },
      })
      const failing = world.guard.guardResult(() =>
        Promise.reject(new RpcError(-32001, dirty, { more: dirty })),
      )
      const error = await failing(toolCall({ results, threshold: 1, markFrom: 1 })).catch(
        (each: unknown) => each,
      )
      expect(error).toMatchObject({ code: -32001, message: marked, data: { more: marked } })
    }
    expect(kept).toEqual([original, original, original])
  })

  it('is taken out of texts alone: of the structured half the text says that marks are in it', async () => {
    const world = createTestGuard()
    const noteOf = async (result: JsonObject): Promise<unknown> => {
      const done = await run(world, result, { threshold: 1, markFrom: 1 })
      return (done.result['content'] as { text: string }[]).at(-1)?.text
    }
    const half = { structuredContent: { dish: 'soup\u001b[8m of the day' } }
    expect(await noteOf({ ...text('soup'), ...half })).toBe(
      '[Sluice put marks such as ⟨RLO⟩ or ␛ in the place of what hides text here: 1 terminal sequence that erases, conceals or acts. The original is kept, id: r_kept.]',
    )
    expect(await noteOf({ ...text('soup\u001b[8m of the day'), ...half })).toBe(
      '[Sluice took out what hides text here: 1 terminal sequence that erases, conceals or acts; in structuredContent marks such as ⟨RLO⟩ or ␛ are in its place. The original is kept, id: r_kept; proxy_read with this id shows it with marks in their places.]',
    )
    expect(await noteOf(text('soup\u001b[8m of the day'))).not.toContain('structuredContent')
  })

  it('is shown by marks where the policy says so, and stays where it says that', async () => {
    const world = createTestGuard()
    const value = text('a\u001b[31mb\u202e')
    const shown = await run(world, value, { controlCharacters: 'visualise', threshold: 1, markFrom: 1 })
    expect(shown.result).toEqual({
      content: [{ type: 'text', text: 'a\u001b[31mb⟨RLO⟩' }, note('The original is kept, id: r_kept.')],
    })
    const kept = await run(world, value, { controlCharacters: 'keep', threshold: 1, markFrom: 1 })
    expect(kept.result).toBe(value)
  })

  it('is never taken out where the original can not be kept: marks show it then', async () => {
    const world = createTestGuard({ keepOriginal: () => Promise.reject(new Error('disk full')) })
    const { result } = await run(world, text(dirty), { threshold: 1, markFrom: 1 })
    expect(result).toEqual({ content: [{ type: 'text', text: marked }, note('Sluice put marks')] })
  })

  it('an original that was kept already, since it was shortened, is named and not kept again', async () => {
    const keepOriginal = vi.fn<() => Promise<string>>()
    const { guard } = createTestGuard({ keepOriginal })
    const compression = { ...SHORTENED, resultId: 'r_short' }
    const shortened = guard.guardShortened(answers(text(dirty), { compression }))
    expect(JSON.stringify((await shortened(toolCall())).result)).toContain('id: r_short; proxy_read')
    expect(keepOriginal).not.toHaveBeenCalled()
  })

  it('what hides nothing passes as the very same object', async () => {
    const value = { ...text('\ufeffa\fb\v\u001b[1mc\u001b[0m\0\u00ad\u200b\b\u0085\r'), more: 1 }
    expect((await run(createTestGuard(), value, {})).result).toBe(value)
  })
})
