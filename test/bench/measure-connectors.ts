/**
 * `node test/bench/measure-connectors.ts [--connectors 30] [--served] [--rest 60]`: memory (PSS) of so many connectors
 * and their engine, servers aside: started, after a call each, after a result of 1 MB each, and after a rest. Without
 * `--served` the first connector starts the engine, and a `serve` takes over in mid-traffic at the end. Linux only.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { writeConfig } from '../helpers/data-folder.ts'
import { backgroundEngineOf } from '../helpers/process-tree.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import { processFigures } from './process-figures.ts'
import { programToMeasure } from './program.ts'

const { values } = parseArgs({
  options: {
    connectors: { type: 'string', default: '30' },
    served: { type: 'boolean', default: false },
    rest: { type: 'string', default: '60' },
  },
})
const { cli } = programToMeasure(false)
const folder = mkdtempSync(join(tmpdir(), 'sluice-connectors-'))
const dataDir = writeConfig(join(folder, 'data'), { s: testServer('big-result') })
let serve = values.served ? await startEngine(dataDir, process.env, { cli }) : undefined

const began = performance.now()
const clients = Array.from(
  { length: Number(values.connectors) },
  () =>
    new RawClient({
      command: process.execPath,
      args: [cli, 'connect', '--server', 's', '--data-dir', dataDir],
    }),
)
await Promise.all(clients.map((client) => client.initialize()))
console.log(`${clients.length} connectors initialised after ${Math.round(performance.now() - began)} ms`)

const pss = (pid: number): number => Math.round(processFigures(pid).pss)
function note(what: string): void {
  const each = clients.map(({ pid }) => pss(pid))
  const connectors = each.reduce((sum, one) => sum + one, 0)
  const pid = serve?.pid ?? backgroundEngineOf(dataDir)
  const engine = pid === undefined ? 0 : pss(pid)
  const [least, most] = [Math.min(...each), Math.max(...each)]
  console.log(
    `${what}: ${connectors + engine} MB = ${connectors} for the connectors (${least} to ${most} each) + ${engine} for the engine`,
  )
}
/** Each with its own: equal results at once share most work. */
const callAll = (name: string, argsOf: (client: number) => Record<string, unknown>): Promise<unknown> =>
  Promise.all(clients.map((client, n) => client.request('tools/call', { name, arguments: argsOf(n) })))

note('started')
await callAll('echo', () => ({ text: 'hi' }))
note('after a call each')
await callAll('log', (client) => ({ bytes: 1_000_000, seed: client + 1 }))
note('after a result of 1 MB each')
await wait(Number(values.rest) * 1000)
note(`after ${values.rest} s of rest`)
if (!serve) {
  const taken = new AbortController()
  const failed: string[] = []
  const traffic = clients.map(async (client, index) => {
    for (let n = 0; !taken.signal.aborted; n++) {
      const { result, error } = await client.request('tools/call', {
        name: 'echo',
        arguments: { text: `${index} ${n}` },
      })
      if (result === undefined) failed.push(`${index} ${n}: ${JSON.stringify(error)}`)
      await wait(200)
    }
  })
  await wait(2000)
  serve = await startEngine(dataDir, process.env, { cli })
  await wait(5000)
  taken.abort()
  await Promise.all(traffic)
  console.log(`taken over in mid-traffic: ${failed.length} calls failed`)
  for (const one of failed) console.log(`  ${one}`)
  await callAll('echo', () => ({ text: 'after' }))
  note('after serve took over, and a call each')
}
await Promise.all(clients.map((client) => client.end()))
await serve.stop()
rmSync(folder, { recursive: true, force: true })
