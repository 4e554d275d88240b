import { availableParallelism, cpus, totalmem } from 'node:os'
import type { DeviceKind } from '../process-messages.ts'
import { usableMemory } from './usable-memory.ts'

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly cpu: string
  readonly cores: number
  freeMemory(): number
}

export function readMachine(platform: NodeJS.Platform): Machine {
  const total = totalmem()
  return {
    platform,
    arch: process.arch,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    freeMemory: () => usableMemory({ platform, total, available: process.availableMemory() }),
  }
}

/** Fastest first. */
export function devicesOf(
  { platform, arch }: Pick<Machine, 'platform' | 'arch'>,
  gpu: 'auto' | 'off',
): DeviceKind[] {
  if (gpu === 'off') return ['cpu']
  if (platform === 'darwin') return arch === 'arm64' ? ['metal', 'cpu'] : ['cpu']
  return ['cuda', 'vulkan', 'cpu']
}

/**
 * Safest first. All cores are often slower than all but one, because waiting threads spin and one core serves
 * everything else.
 */
export function threadCounts(cores: number, device: DeviceKind): number[] {
  const usual = Math.max(1, cores - 1)
  // With a graphics card threads only feed it.
  if (device !== 'cpu') return [Math.min(usual, 4)]
  return [...new Set([usual, Math.max(1, Math.round(cores / 2)), 1, cores])]
}
