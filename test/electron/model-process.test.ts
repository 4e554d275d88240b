import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createForkModelProcess } from '../../electron/app/fork-model-process.ts'
import { isRunning } from '../helpers/processes.ts'
import { openTestModel } from '../helpers/local-model.ts'
import { removeFolder } from '../helpers/remove-folder.ts'

// The desktop app's way to the model process. test/engine/models covers the same, and more, with Node's `fork`.

vi.mock('electron', () => import('./stand-in/utility-process.ts'))

const ASK = { system: 'You are brief.', prompt: 'Say the letters.', maxTokens: 1 }
const fork = createForkModelProcess(process.env)
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  )

describe('a model in a process of Electron’s', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  afterAll(() => removeFolder(dataDir))
  const model = openTestModel({
    fork,
    dataDir,
    file: { endless: true, width: 256, layers: 8, context: 8192 },
    contextTokens: 8192,
    atEnd: afterAll,
  })
  /** Killing 0 would kill the tests. */
  const pidNow = (): number => {
    const { pid } = model.status()
    if (pid === undefined) throw new Error('The model process does not run.')
    return pid
  }
  const endless = (signal?: AbortSignal) =>
    model.complete({ ...ASK, maxTokens: 7000, ...(signal ? { signal } : {}) })

  it('is loaded when it is first asked', async () => {
    expect(model.status()).toMatchObject({ state: 'unloaded' })
    expect((await model.complete({ ...ASK, maxTokens: 2 })).text).toBe('alpha beta')
    expect(model.status()).toMatchObject({ state: 'ready', facts: { device: 'cpu' } })
    expect(isRunning(pidNow())).toBe(true)
  })

  it('stops in the middle when it is cancelled, and answers the next one', async () => {
    const pid = pidNow()
    const controller = new AbortController()
    const cancelled = endless(controller.signal)
    setTimeout(() => controller.abort(new Error('not wanted any more')), 200)
    await expect(cancelled).rejects.toThrow('not wanted any more')
    expect((await model.complete(ASK)).text).toBe('alpha')
    expect(model.status().pid).toBe(pid)
  })

  it('rejects what it was doing when its process ends, waits, and starts again', async () => {
    // It measures itself after its first answers, and must not be killed during that.
    await expect.poll(() => model.status().measured).toBeDefined()
    await model.complete(ASK)
    const pid = pidNow()
    const running = codeOf(endless())
    setTimeout(() => process.kill(pid, 'SIGKILL'), 300)
    expect(await running).toBe('MODEL_FAILED')
    expect(model.status()).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('exit code 9') as string,
    })
    await expect.poll(() => model.status().state).toBe('unloaded')
    expect((await model.complete(ASK)).text).toBe('alpha')
    expect(model.status().pid).not.toBe(pid)
  })

  it('ends its process when nobody has asked for a while', async () => {
    const impatient = openTestModel({ fork, idleMs: 300 })
    await impatient.complete(ASK)
    const { pid = 0 } = impatient.status()
    await expect.poll(() => impatient.status().state).toBe('unloaded')
    await expect.poll(() => isRunning(pid)).toBe(false)
  })
})
