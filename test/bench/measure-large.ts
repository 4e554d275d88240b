import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { openAlone, openConnect, openRelay } from './open-targets.ts'
import type { Target } from './open-targets.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'

export interface LargeFigures {
  readonly name: string
  readonly megabytes: number
  /** Median, ms. */
  readonly ms: number
  /** Relative to the server alone in the same run. */
  readonly ratio: number
}

/** One large unshortened result through every way to the server, in alternating rounds. */
export async function measureLarge(
  folder: string,
  server: ServerSettings,
  { program, megabytes = 8, rounds = 9 }: { program: Program; megabytes?: number; rounds?: number },
): Promise<LargeFigures[]> {
  const config = (name: string, settings: Record<string, unknown>): string =>
    writeConfig(join(folder, name), { one: server }, { compression: { strategy: 'off' }, ...settings })
  const unguarded = { guard: { results: 'off', arguments: 'off', controlCharacters: 'keep' } }
  const joined = config('joined', unguarded)
  const guarded = config('guarded', {})
  const engines = [
    await startEngine(joined, process.env, { cli: program.cli }),
    await startEngine(guarded, process.env, { cli: program.cli }),
  ]
  const targets = [
    await openAlone(server),
    await openRelay(server),
    await openConnect('connect, engine running', program, joined, 'one'),
    await openConnect('connect, engine running, guarded', program, guarded, 'one'),
  ].map((target) => ({ ...target, times: [] as number[] }))
  for (const target of targets) await call(target, megabytes)
  // A full scan keeps both cores busy for a second, which would slow the next target.
  const isGuarded = ({ name }: Target): boolean => name.endsWith('guarded')
  for (const group of [targets.filter((target) => !isGuarded(target)), targets.filter(isGuarded)]) {
    for (let round = 0; round < rounds; round++) {
      for (const target of group) {
        const from = performance.now()
        await call(target, megabytes)
        target.times.push(performance.now() - from)
      }
    }
  }
  for (const { client } of targets) await client.end()
  for (const engine of engines) await engine.stop()
  const alone = quantile(targets[0]?.times ?? [], 0.5)
  return targets.map(({ name, times }) => {
    const ms = quantile(times, 0.5)
    return { name, megabytes, ms, ratio: ms / alone }
  })
}

async function call({ name, client }: Target, megabytes: number): Promise<void> {
  const bytes = megabytes * 1e6
  const answer = await client.request('tools/call', { name: 'log', arguments: { bytes } })
  const { content } = answer['result'] as { content: { text: string }[] }
  if (content[0]?.text.length !== bytes) throw new Error(`${name} did not give the whole result.`)
}
