import type { DownloadState, ModelCard, ModelsStatus } from '../../shared/api/models.ts'
import { formatBytes, formatCount } from './numbers.ts'
import { formatDuration } from './times.ts'

const deviceWords = { cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal', cpu: 'processor' } as const

type Device = NonNullable<NonNullable<ModelsStatus['local']>['device']>

export const describeDevice = ({ device, deviceName, threads }: Device): string =>
  device === 'cpu'
    ? `${deviceWords.cpu}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`
    : [deviceWords[device], deviceName].filter((part) => part !== undefined).join(', ')

/** Why faster devices aren't used. */
export const describeRefused = ({ refused }: Device): string =>
  refused.map(({ device, reason }) => `${deviceWords[device]}: ${reason.replace(/\.$/, '')}`).join(' · ')

export const formatSpeed = (tokensPerSecond: number): string =>
  `${tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : formatCount(Math.round(tokensPerSecond))} tokens/s`

export function describeDownload({ state, done, total, speed, secondsLeft }: DownloadState): string {
  const share = total > 0 ? Math.floor((100 * done) / total) : 0
  const place = `${share} % · ${formatBytes(done)} of ${formatBytes(total)}`
  if (state === 'downloading') {
    const pace = [
      speed === undefined ? undefined : `${formatBytes(speed)}/s`,
      secondsLeft === undefined ? undefined : `${formatDuration(0, Math.max(1, secondsLeft) * 1000)} left`,
    ]
    return [place, ...pace].filter((part) => part !== undefined).join(' · ')
  }
  return {
    checking: 'Downloaded; its checksum is compared',
    paused: `Paused at ${place}`,
    failed: `Stopped at ${place}`,
    elsewhere: `${place} · another Sluice process downloads it`,
  }[state]
}

/** If known. */
export const fitsMemory = ({ memoryBytes }: ModelCard, { freeMemory }: ModelsStatus['machine']): boolean =>
  memoryBytes === undefined || memoryBytes <= freeMemory
