import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bashPayload } from '../../helpers/bash-payload.ts'
import { buildLog } from '../../helpers/build-log.ts'
import { hooksWorld } from '../../helpers/hooks-world.ts'

const ends: (() => Promise<void> | void)[] = []
let world: Awaited<ReturnType<typeof hooksWorld>>
beforeAll(async () => {
  world = await hooksWorld((end) => ends.push(end))
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const afterTool = (payload: Parameters<typeof world.ask>[2]) =>
  world.ask('claude-code', 'PostToolUse', payload)

describe('a long output of Bash', () => {
  it('comes back shortened, in the received object', async () => {
    const answer = await afterTool(bashPayload(buildLog(), { returnCodeInterpretation: 'odd', later: [1] }))
    expect(answer).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: {
          stdout: expect.stringMatching(/^\[Compressed: \d+→\d+ tokens/),
          stderr: '',
          interrupted: false,
          isImage: false,
          noOutputExpected: false,
          returnCodeInterpretation: 'odd',
          later: [1],
        },
      },
    })
    const text = JSON.stringify(answer)
    expect(text).toContain('src/server/session.ts(88,14): error TS2345')
    expect(text).toContain('build finished in 41.2 s')
    expect(text).toMatch(/`sluice read r_\w+`/)
  })
})

describe('the folder of a session', () => {
  it('is in the ledger, and its budget makes outputs shorter', async () => {
    await afterTool(
      bashPayload(buildLog(), {}, { session_id: 'shop', cwd: '/work/shop', tool_use_id: 'toolu_a' }),
    )
    const { engine } = world
    const byProject = async () =>
      (await engine.ledger.report({ from: 0, to: Date.now() + 1000 })).byProject.map(({ project }) => project)
    await expect.poll(byProject).toContain('/work/shop')
    const steps = [{ from: 0.01, maxOutputTokens: 400 }]
    engine.settings.update([
      { path: ['budgets'], value: { shop: { project: '/work/shop', tokens: 1, steps } } },
    ])
    await engine.budgets.states()
    const header = async (session_id: string, tool_use_id: string) =>
      JSON.stringify(
        await afterTool(bashPayload(buildLog(), {}, { session_id, cwd: `/work/${session_id}`, tool_use_id })),
      )
    expect(await header('shop', 'toolu_b')).toContain('budget: shop from 1 %')
    expect(await header('site', 'toolu_c')).not.toContain('budget:')
  })
})
