import type { Writable } from 'node:stream'
import type { ReplayProgress } from '../../engine/replay/create-replay.ts'

const WIDTH = 30
const EVERY_MS = 200

/** A bar on a terminal; elsewhere a line for each tenth. */
export function showProgress(stderr: Writable): { show(progress: ReplayProgress): void; end(): void } {
  const isTerminal = 'isTTY' in stderr && stderr.isTTY === true
  const start = performance.now()
  let last = ''
  let shown = 0
  let isEnded = false
  return {
    show: (progress) => {
      const { bytes, doneBytes, doneFiles, files } = progress
      if (files === 0 || isEnded) return
      const share = bytes === 0 ? 1 : doneBytes / bytes
      const passed = performance.now() - start
      const isDue = passed - shown > EVERY_MS || doneFiles === files || shown === 0
      const news = isTerminal ? `${doneFiles}` : `${Math.floor(share * 10)}`
      if (news === last || (isTerminal && !isDue)) return
      last = news
      shown = passed
      const line = describe(progress, share, passed)
      stderr.write(isTerminal ? `\r\u001B[2K${bar(share)} ${line}` : `${line}\n`)
    },
    end: () => {
      if (isTerminal && !isEnded) stderr.write('\r\u001B[2K')
      isEnded = true
    },
  }
}

const bar = (share: number): string => {
  const full = Math.round(share * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}]`
}

function describe({ bytes, doneFiles, files }: ReplayProgress, share: number, passed: number): string {
  const left = share > 0.02 && share < 1 ? `, ${timeLeft((passed / share) * (1 - share))} left` : ''
  return `${Math.floor(share * 100)} % of ${(bytes / 1e6).toFixed(1)} MB, ${doneFiles} of ${files} sessions${left}`
}

const timeLeft = (ms: number): string =>
  ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
