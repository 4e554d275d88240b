import { parseArgs } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { hookTokenOf } from '../../electron/engine/clients/transports/hook-token.ts'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { bashPayload } from '../helpers/bash-payload.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { cpuMs } from './process-figures.ts'
import { programToMeasure } from './program.ts'
import { quantile } from './quantile.ts'

// What an app waits for: node test/bench/measure-hooks.ts [--rounds 5] [--outputs 6] [--sources]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    outputs: { type: 'string', default: '6' },
    sources: { type: 'boolean', default: false },
  },
})
/** The shortest time in which a model answers a prompt with a first call. */
const MODEL_MS = 1_500

interface Answered {
  readonly ms: number
  readonly cpu: number
  readonly isShortened: boolean
}

/** A build's output of about 30,000 characters, the most that Claude Code sends; another one each time. */
const output = (number: number): string =>
  Array.from({ length: 440 }, (_, line) =>
    line === 217
      ? `src/server/session-${number}.ts(88,14): error TS2345: Argument is not assignable.`
      : `[${line}] compiled src/modules/part-${line}-${number}/index.ts in ${(line * 7) % 90} ms, ${(line * 31) % 400} symbols`,
  ).join('\n')

async function ask(engine: RunningEngine, event: string, payload: JsonObject): Promise<Answered> {
  const [started, before] = [performance.now(), cpuMs(engine.pid)]
  const answer = await fetch(new URL(`/hook/claude-code/${event}`, engine.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${hookTokenOf(engine.token, 'claude-code')}`,
    },
    body: JSON.stringify(payload),
  })
  const text = await answer.text()
  const ms = performance.now() - started
  return { ms, cpu: cpuMs(engine.pid) - before, isShortened: text.includes('[Compressed: ') }
}

/** `prompted`: the user's request comes first, as in a new session; else the engine was started in the middle of one. */
async function outputsOf(dataDir: string, prompted: boolean): Promise<Answered[]> {
  const engine = await startEngine(dataDir, process.env, { cli: programToMeasure(values.sources).cli })
  try {
    if (prompted) {
      const { session_id } = bashPayload('')
      await ask(engine, 'UserPromptSubmit', { session_id, prompt: 'why does it fail?' })
    }
    await wait(MODEL_MS)
    const answers: Answered[] = []
    for (let number = 0; number < Number(values.outputs); number++)
      answers.push(
        await ask(engine, 'PostToolUse', bashPayload(output(number), {}, { tool_use_id: `toolu_${number}` })),
      )
    return answers
  } finally {
    await engine.stop()
  }
}

const ends: (() => Promise<void> | void)[] = []
const folder = temporaryFolder((end) => ends.push(end))
try {
  for (const prompted of [true, false]) {
    const rounds: Answered[][] = []
    for (let round = 0; round < Number(values.rounds); round++)
      rounds.push(await outputsOf(writeConfig(`${folder}/${prompted}-${round}`, {}), prompted))
    console.log(prompted ? 'A request, then outputs' : 'Outputs of a session that went on before')
    for (let number = 0; number < Number(values.outputs); number++) {
      const all = rounds.flatMap((answers) => answers[number] ?? [])
      const [ms, cpu] = [all.map((one) => one.ms), all.map((one) => one.cpu)]
      const shortened = all.filter(({ isShortened }) => isShortened).length
      console.log(
        `  output ${number + 1}: p50 ${quantile(ms, 0.5).toFixed(0)} ms, worst ${Math.max(...ms).toFixed(0)} ms, processor p50 ${quantile(cpu, 0.5)} ms, ${shortened} of ${all.length} shortened`,
      )
    }
  }
} finally {
  for (const end of ends.toReversed()) await end()
}
