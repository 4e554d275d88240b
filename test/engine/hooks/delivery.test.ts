import { expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { bashPayload } from '../../helpers/bash-payload.ts'
import { buildLog } from '../../helpers/build-log.ts'
import { hooksWorld } from '../../helpers/hooks-world.ts'

it('answers that the app drops save nothing, and two in a row switch the tool off', async () => {
  const { ask, engine } = await hooksWorld(onTestFinished)
  const told: string[] = []
  engine.events.on('built-in-tool-off', ({ tool, why }) => told.push(`${tool}: ${why}`))
  const log = buildLog()
  const run = (id: string): Promise<JsonObject> =>
    ask('claude-code', 'PostToolUse', bashPayload(log, {}, { tool_use_id: id }))
  const recorded = (count: number) =>
    new Promise<void>((resolve) => {
      let left = count
      const stop = engine.events.on('call-recorded', () => {
        if (--left > 0) return
        stop()
        resolve()
      })
    })
  const seen = (id: string, response: unknown): Promise<JsonObject> =>
    ask('claude-code', 'PostToolBatch', {
      session_id: 'b6c9a2f0',
      tool_calls: [{ tool_name: 'Bash', tool_use_id: id, tool_response: response }],
    })
  const net = async () => {
    const { totals, builtIn } = await engine.ledger.report({ from: 0, to: Date.now() + 60_000 })
    expect(builtIn).toEqual(totals)
    return totals.net
  }

  const booked = recorded(3)
  const shown = (await run('t1'))['hookSpecificOutput'] as { updatedToolOutput: { stdout: string } }
  await run('t2')
  await run('t3')
  await booked
  const each = (await net()) / 3
  expect(each).toBeGreaterThan(5_000)

  await seen('t1', shown.updatedToolOutput.stdout)
  expect(await net()).toBe(3 * each)
  await seen('t2', { stdout: log })
  expect(await net()).toBe(2 * each)
  await seen('t3', log)
  expect(await net()).toBe(each)
  expect(engine.hooks.states()).toMatchObject([
    { app: 'claude-code', tool: 'Bash', answered: 3, delivered: 1, dropped: 2, lost: 0, isOff: true },
  ])
  expect(told).toEqual([expect.stringContaining('Bash: claude-code used its own output 2 times in a row')])
  expect(await run('t4')).toEqual({})
})

it("another product's text is counted as lost, and switches nothing off", async () => {
  const { ask, engine } = await hooksWorld(onTestFinished)
  for (const id of ['u1', 'u2', 'u3']) {
    await ask('claude-code', 'PostToolUse', bashPayload(buildLog(), {}, { tool_use_id: id }))
    const call = { tool_use_id: id, tool_response: 'filtered by something else' }
    await ask('claude-code', 'PostToolBatch', { session_id: 'b6c9a2f0', tool_calls: [call] })
  }
  expect(engine.hooks.states()).toMatchObject([{ lost: 3, dropped: 0, isOff: false }])
})

it('what was read back counts against the savings', async () => {
  const { ask, engine } = await hooksWorld(onTestFinished)
  const answer = JSON.stringify(await ask('claude-code', 'PostToolUse', bashPayload(buildLog())))
  const id = /id: (r_\w+)/.exec(answer)?.[1] ?? ''
  await ask(
    'claude-code',
    'PostToolUse',
    bashPayload(
      'one line\n'.repeat(300),
      {},
      { tool_use_id: 't9', tool_input: { command: `sluice read ${id}` } },
    ),
  )
  const { totals } = await engine.ledger.report({ from: 0, to: Date.now() + 60_000 })
  expect(totals.fetched).toBeGreaterThan(500)
})
