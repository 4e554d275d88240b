import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atMost } from '../helpers/at-most.ts'
import { compareRoutes, everyRoute, inRotation, setStage } from './third-party/compare-routes.ts'
import type { Comparison, Stage } from './third-party/compare-routes.ts'

/**
 * The MCP Inspector's CLI and mcporter, as npm installs them, in front of three official servers: what they print
 * through Sluice is, byte for byte, what they print directly. Here every second call is made, by one of the clients on one
 * of the two ways in; with SLUICE_FULL_MATRIX=1, and in full-matrix.ts, by both clients on both.
 */
const plan = process.env['SLUICE_FULL_MATRIX'] ? everyRoute : inRotation
const MINUTES = 60_000

describe('unmodified clients from npm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-third-party-'))
  const comparisons = new Map<string, Promise<Comparison>>()
  let stage: Stage

  beforeAll(async () => {
    stage = await setStage(folder)
    const inTurn = atMost(2)
    for (const client of stage.clients) {
      for (const server of stage.serversFor(client)) {
        const comparing = compareRoutes(stage, client, server, plan, inTurn)
        // The test that waits for it reports a failure; until then nobody listens.
        comparing.catch(() => {})
        comparisons.set(`${client.name} ${server.id}`, comparing)
      }
    }
  })

  afterAll(async () => {
    await Promise.allSettled(comparisons.values())
    await stage?.engine.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const servers = ['everything', 'filesystem', 'memory']
  test.each(
    ['inspector', 'mcporter'].flatMap((client) => servers.map((server) => [client, server] as const)),
  )(
    '%s sees no difference between %s and %s behind Sluice',
    async (client, server) => {
      const comparison = await comparisons.get(`${client} ${server}`)
      expect(comparison?.compared).toBeGreaterThanOrEqual(4)
      expect(comparison?.differences).toEqual([])
      expect(comparison?.listed.filter((tool) => !comparison.called.includes(tool))).toEqual([])
      expect(comparison?.listed.length).toBeGreaterThanOrEqual(9)
    },
    5 * MINUTES,
  )
})
