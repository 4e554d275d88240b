import { SluiceError } from '../../ground/errors.ts'
import type { GgufHeader } from '../gguf/read-gguf-header.ts'
import type { DeviceKind, PromptFormat } from '../process-messages.ts'
import { devicesOf, threadCounts, type Machine } from './machine.ts'
import { fitContext } from './memory-need.ts'
import type { ModelQuestion } from './process-session.ts'
import type { SpeedStore } from './speed-store.ts'

export interface LoadPlanOptions {
  /** Names the weights. */
  readonly key: string
  readonly path: string
  readonly promptFormat: PromptFormat
  /** Called before each load. */
  readonly readHeader: (path: string) => Promise<GgufHeader>
  readonly machine: Machine
  readonly speeds: SpeedStore
  readonly settings: () => { readonly gpu: 'auto' | 'off'; readonly contextTokens: number }
}

/**
 * Devices, threads and context for the next start. `isAfresh` repeats the device selection. Rejects with
 * MODEL_UNAVAILABLE if the free memory does not suffice.
 */
export async function planLoad(
  options: LoadPlanOptions,
  { isAfresh }: { isAfresh: boolean },
): Promise<Extract<ModelQuestion, { type: 'load' }>> {
  const { key, path, promptFormat, machine, speeds, settings } = options
  const header = await options.readHeader(path)
  const free = machine.freeMemory()
  const fit = fitContext(header, settings().contextTokens, free)
  if (!fit.fits) {
    throw new SluiceError(
      'MODEL_UNAVAILABLE',
      `The model needs ${gigabytes(fit.bytes)} of memory, and ${gigabytes(free)} are free. Close other programs, or use a smaller model.`,
    )
  }
  const [usual = 1] = threadCounts(machine.cores, 'cpu')
  const threads = speeds.get(key)?.threads ?? speeds.usualThreads() ?? usual
  const devices = devicesFor(options, isAfresh)
  return { type: 'load', path, devices, threads, contextTokens: fit.contextTokens, promptFormat }
}

/** In the order to try. */
function devicesFor({ key, machine, speeds, settings }: LoadPlanOptions, isAfresh: boolean): DeviceKind[] {
  const wanted = devicesOf(machine, settings().gpu)
  const known = speeds.get(key)
  if (!known || isAfresh) return wanted
  // Detecting a missing graphics card takes seconds, so not at each start.
  const before = wanted.slice(0, Math.max(0, wanted.indexOf(known.device)))
  const isTried = before.every((device) => known.refused.some((refused) => refused.device === device))
  return isTried && wanted.includes(known.device) ? [...new Set<DeviceKind>([known.device, 'cpu'])] : wanted
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
