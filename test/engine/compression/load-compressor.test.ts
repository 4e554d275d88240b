import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const module = resolve(import.meta.dirname, '../../../electron/engine/compression/load-compressor.ts')

// With nothing under way but the compiling of grammars, Node's main thread sleeps until that is done, and one run of
// `compress` in thirty stood still for ever on two cores: a thread of V8 waited for the main thread in its turn.
test('the event loop has something to wait for while grammars are compiled, and nothing afterwards', () => {
  const script = `
    const { loadCompressor } = await import(${JSON.stringify(module)})
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const loading = loadCompressor()
    const meanwhile = timers()
    await loading
    console.log(JSON.stringify([before, meanwhile, timers()]))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect({ counts: stdout.trim(), stderr }).toEqual({ counts: '[0,1,0]', stderr: '' })
})
