import { describe, expect, it, vi } from 'vitest'
import type { CallTool, ToolOutcome } from '../../../electron/engine/message/call.ts'
import type { GuardOptions } from '../../../electron/engine/guardrails/guard.ts'
import { ATTACK, createTestGuard, scan, toolCall } from '../../helpers/guard.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const answers =
  (outcome: ToolOutcome): CallTool =>
  () =>
    Promise.resolve(outcome)
const OK: ToolOutcome = { result: { content: [{ type: 'text', text: 'ok' }] } }

/** A scan that the test ends. */
function heldScan() {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const scanLater: GuardOptions['scan'] = async (texts, threshold) => {
    await promise
    return scan(texts, threshold)
  }
  return { scanLater, release }
}

describe('large arguments', () => {
  it('warn: they are scanned while the call is under way, and the attack is noted', async () => {
    const { scanLater, release } = heldScan()
    const { guard, attacks } = createTestGuard({ scan: scanLater })
    const next = vi.fn<CallTool>(answers(OK))
    const large = { arguments: { text: `${ATTACK} ${'x'.repeat(1_000_000)}` } }
    await guard.guardResult(next)(toolCall({ results: 'off' }, large))
    expect(next).toHaveBeenCalledOnce()
    expect(attacks).toEqual([])
    release()
    await waitFor(() => expect(attacks).toMatchObject([{ where: 'arguments' }]))
  })

  it('refuse: they wait for the scan', async () => {
    const { scanLater, release } = heldScan()
    const { guard } = createTestGuard({ scan: scanLater })
    const next = vi.fn<CallTool>(answers(OK))
    const large = { arguments: { text: `${ATTACK} ${'x'.repeat(1_000_000)}` } }
    const called = guard.guardResult(next)(toolCall({ arguments: 'refuse' }, large))
    release()
    expect(await called).toMatchObject({ refusedBy: 'guard-result' })
    expect(next).not.toHaveBeenCalled()
  })
})
