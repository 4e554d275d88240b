import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { readGgufHeader } from '../../electron/engine/models/gguf/read-gguf-header.ts'
import { createLocalModel } from '../../electron/engine/models/local/local-model.ts'
import { readMachine } from '../../electron/engine/models/local/machine.ts'
import { memoryNeed } from '../../electron/engine/models/local/memory-need.ts'
import { createForkModelProcess } from '../../electron/engine/models/local/model-process.ts'
import { openSpeedStore } from '../../electron/engine/models/local/speed-store.ts'
import { longestPrompt } from '../../electron/engine/models/text-model.ts'
import { writeQwenShapedGguf } from './qwen-shape-gguf.ts'

// Read and write speed of a 0.6B model on this machine, its memory, and the longest text that fits 10 s. Prints JSON.
// `node test/bench/measure-model.ts`; takes a minute or two and 640 MB of disk.

const LIMIT_MS = 10_000
const ANSWER_TOKENS = 40
const CONTEXT = 4096

const folder = mkdtempSync(join(tmpdir(), 'sluice-model-'))
const path = join(folder, 'qwen-shape.gguf')
writeQwenShapedGguf(path)
const header = await readGgufHeader(path)
const machine = readMachine(process.platform)
const freeBefore = machine.freeMemory()
const model = createLocalModel({
  key: 'qwen-shape',
  path,
  promptFormat: 'chatml',
  ownContext: header.contextTokens,
  readHeader: readGgufHeader,
  fork: createForkModelProcess(process.env),
  machine,
  speeds: openSpeedStore(join(folder, 'speeds.json'), machine, silentLogger),
  settings: () => ({ gpu: 'auto', contextTokens: CONTEXT, idleMs: 60_000, timeLimitMs: 300_000 }),
  now: Date.now,
  logger: silentLogger,
})
const ask = async (tokens: number) => {
  // Every letter is a token of this vocabulary.
  const text = 'xq zj vk '.repeat(Math.ceil(tokens / 9)).slice(0, tokens)
  const done = await model.complete({ system: 'x', prompt: text, maxTokens: ANSWER_TOKENS })
  return { tokens: done.promptTokens, written: done.outputTokens, ms: Math.round(done.ms) }
}
try {
  const measured = await model.measure()
  const prompts = [await ask(256), await ask(1024)]
  const capacity = model.capacity()
  const longest = longestPrompt(capacity, { outputTokens: ANSWER_TOKENS, withinMs: LIMIT_MS })
  const atLongest = longest === undefined || longest < 100 ? undefined : await ask(longest - 32)
  const { memory, pid } = model.status()
  const status = pid === undefined ? '' : readFileSync(`/proc/${pid}/status`, 'utf8')
  const resident = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024
  await model.close()
  await new Promise((resolve) => setTimeout(resolve, 500))
  const report = {
    load: loadavg()[0],
    cores: machine.cores,
    cpu: machine.cpu,
    fileBytes: statSync(path).size,
    measured,
    prompts,
    capacity,
    longestPromptFor10s: longest,
    atLongest,
    // Resident memory includes file pages that the system can reclaim.
    memory: { own: memory, resident, reckoned: memoryNeed(header, CONTEXT) },
    freeMemory: { before: freeBefore, afterUnload: machine.freeMemory() },
  }
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
} finally {
  await model.close()
  rmSync(folder, { recursive: true, force: true })
}
