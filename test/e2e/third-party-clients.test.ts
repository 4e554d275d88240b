import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atMost } from '../helpers/at-most.ts'
import { removeFolder } from '../helpers/remove-folder.ts'
import { compareRoutes, everyRoute, inRotation, setStage } from './third-party/compare-routes.ts'
import type { Comparison, Stage } from './third-party/compare-routes.ts'

/**
 * The MCP Inspector's CLI, mcporter, mcpc, the AI SDK's client and LangChain's adapters, from npm, with three
 * official servers: output through Sluice equals direct output, byte for byte. The libraries make every call, each on one
 * way in, the command lines one, and all do on both with SLUICE_FULL_MATRIX=1 and in full-matrix.ts.
 */
const plan = process.env['SLUICE_FULL_MATRIX'] ? everyRoute : inRotation
const MINUTES = 60_000
/** Each start of a command line takes over a second of processor time: normally each compares one server, and all three are compared. */
const STARTED: Record<string, readonly string[]> = {
  inspector: ['everything'],
  mcporter: ['filesystem'],
  mcpc: ['memory'],
}
const isCompared = (client: string, server: string): boolean =>
  plan === everyRoute || (STARTED[client]?.includes(server) ?? true)

describe('unmodified clients from npm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-third-party-'))
  const comparisons = new Map<string, Promise<Comparison>>()
  let stage: Stage

  beforeAll(async () => {
    stage = await setStage(folder)
    const inTurn = atMost(2)
    for (const client of stage.clients) {
      for (const server of stage.serversFor(client).filter(({ id }) => isCompared(client.name, id))) {
        const comparing = compareRoutes(stage, client, server, plan, inTurn)
        // The awaiting test reports a failure.
        comparing.catch(() => {})
        comparisons.set(`${client.name} ${server.id}`, comparing)
      }
    }
  })

  afterAll(async () => {
    await Promise.allSettled(comparisons.values())
    await stage?.close()
    removeFolder(folder)
  })

  test.each(
    ['inspector', 'mcporter', 'mcpc', 'ai-sdk', 'langchain'].flatMap((client) =>
      ['everything', 'filesystem', 'memory']
        .filter((server) => isCompared(client, server))
        .map((server) => [client, server] as const),
    ),
  )(
    '%s sees no difference between %s and the same behind Sluice',
    async (client, server) => {
      const comparison = await comparisons.get(`${client} ${server}`)
      expect(comparison?.compared).toBeGreaterThanOrEqual(2)
      expect(comparison?.differences).toEqual([])
      expect(comparison?.listed.filter((tool) => !comparison.called.includes(tool))).toEqual([])
      expect(comparison?.listed.length).toBeGreaterThanOrEqual(9)
    },
    20 * MINUTES,
  )
})
