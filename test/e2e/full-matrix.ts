/**
 * Every tool of three official servers, called by five clients from npm, directly and through Sluice on both ways in:
 * `npx node test/e2e/full-matrix.ts`. Prints differences; exit code 1 if there are any.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost } from '../helpers/at-most.ts'
import { compareRoutes, everyRoute, setStage } from './third-party/compare-routes.ts'
import { removeFolder } from '../helpers/remove-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-matrix-'))
const started = performance.now()
const stage = await setStage(folder)
try {
  const inTurn = atMost(2)
  const results = await Promise.all(
    stage.clients.flatMap((client) =>
      stage.serversFor(client).map(async (server) => {
        const result = await compareRoutes(stage, client, server, everyRoute, inTurn)
        const { compared, differences, listed, called } = result
        const missed = listed.filter((tool) => !called.includes(tool))
        console.log(
          `${client.name.padEnd(10)} ${server.id.padEnd(11)} ${String(compared).padStart(3)} comparisons, ` +
            `${listed.length} tools listed, ${missed.length} of them not called, ${differences.length} differences`,
        )
        for (const { what, route, direct, through } of differences) {
          console.log(
            `--- ${what} over ${route}\ndirect  ${direct.code}: ${direct.stdout}\nthrough ${through.code}: ${through.stdout}`,
          )
        }
        return differences.length + missed.length
      }),
    ),
  )
  const wrong = results.reduce((sum, count) => sum + count, 0)
  console.log(
    `${wrong === 0 ? 'Nothing differs' : `${wrong} faults`}, ${Math.round((performance.now() - started) / 1000)} s`,
  )
  process.exitCode = wrong === 0 ? 0 : 1
} finally {
  await stage.close()
  removeFolder(folder)
}
