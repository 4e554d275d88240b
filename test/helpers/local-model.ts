import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { readGgufHeader } from '../../electron/engine/models/gguf/read-gguf-header.ts'
import { createLocalModel, type LocalModel } from '../../electron/engine/models/local/local-model.ts'
import { readMachine, type Machine } from '../../electron/engine/models/local/machine.ts'
import {
  createForkModelProcess,
  type ForkModelProcess,
} from '../../electron/engine/models/local/model-process.ts'
import { openSpeedStore } from '../../electron/engine/models/local/speed-store.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { writeTinyGguf, type TinyGgufOptions } from './tiny-gguf.ts'

export interface TestModelOptions {
  readonly file?: TinyGgufOptions
  /** Instead of a generated file. */
  readonly path?: string
  readonly idleMs?: number
  readonly timeLimitMs?: number
  readonly contextTokens?: number
  readonly gpu?: 'auto' | 'off'
  readonly machine?: Partial<Machine>
  readonly fork?: ForkModelProcess
  readonly dataDir?: string
  /** Default: at the running test's end. */
  readonly atEnd?: (close: () => Promise<void>) => void
}

/** The tests' machine is shared: one thread is fastest for a tiny model, and measuring has its own test. */
const ONE_CORE: Partial<Machine> = { cores: 1 }

/** A tiny model in a real model process, which ends with the test. */
export function openTestModel(options: TestModelOptions = {}): LocalModel {
  const dataDir = options.dataDir ?? temporaryFolder()
  const path = options.path ?? join(dataDir, 'tiny.gguf')
  if (options.path === undefined) writeTinyGguf(path, options.file)
  const machine: Machine = { ...readMachine(process.platform), ...ONE_CORE, ...options.machine }
  const model = createLocalModel({
    key: 'tiny',
    path,
    promptFormat: 'template',
    ownContext: options.file?.context ?? 2048,
    readHeader: readGgufHeader,
    fork: options.fork ?? createForkModelProcess(process.env),
    machine,
    speeds: openSpeedStore(join(dataDir, 'speeds.json'), machine, silentLogger),
    settings: () => ({
      gpu: options.gpu ?? 'off',
      contextTokens: options.contextTokens ?? 2048,
      idleMs: options.idleMs ?? 60_000,
      timeLimitMs: options.timeLimitMs ?? 240_000,
    }),
    now: Date.now,
    logger: silentLogger,
  })
  const { atEnd = onTestFinished } = options
  atEnd(() => model.close())
  return model
}
