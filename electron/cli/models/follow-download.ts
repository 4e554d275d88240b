import type { InstalledModel } from '../../engine/models/library.ts'
import type { DownloadStatus } from '../../engine/models/download/fetch-model-file.ts'
import type { Models } from '../../engine/models/models.ts'
import { SluiceError } from '../../engine/ground/errors.ts'
import type { CliContext } from '../cli-context.ts'

const EVERY_MS = 500

export async function followDownload(
  models: Models,
  id: string,
  { stderr, signals }: CliContext,
): Promise<InstalledModel> {
  const isTerminal = 'isTTY' in stderr && stderr.isTTY === true
  let last = ''
  const show = (): void => {
    const status = models.downloads.list().find((each) => each.id === id)
    if (!status) return
    const line = describe(status)
    // Outside a terminal, each tenth only.
    const news = isTerminal ? line : `${status.state} ${Math.floor((status.done * 10) / status.total)}`
    if (news === last) return
    last = news
    stderr.write(isTerminal ? `\r\u001B[2K${line}` : `${line}\n`)
  }
  let isPaused = false
  const onInterrupt = (): void => {
    isPaused = true
    void models.downloads.pause(id)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) signals.on(signal, onInterrupt)
  const timer = setInterval(show, EVERY_MS)
  try {
    return await models.download(id)
  } catch (error) {
    if (!isPaused) throw error
    throw new SluiceError('DOWNLOAD_FAILED', `Paused. \`sluice models download ${id}\` goes on from here.`, {
      cause: error,
    })
  } finally {
    clearInterval(timer)
    for (const signal of ['SIGINT', 'SIGTERM']) signals.off(signal, onInterrupt)
    if (isTerminal) stderr.write('\r\u001B[2K')
  }
}

function describe({ state, done, total, speed, secondsLeft }: DownloadStatus): string {
  const share = `${Math.floor((done * 100) / total)} % of ${Math.round(total / 1e6)} MB`
  if (state === 'checking') return `checking: ${share}`
  const pace = speed === undefined ? '' : `, ${(speed / 1e6).toFixed(1)} MB/s`
  const left = secondsLeft === undefined ? '' : `, ${timeLeft(secondsLeft)} left`
  return `${share}${pace}${left}`
}

const timeLeft = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`
