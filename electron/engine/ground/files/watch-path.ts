import { unwatchFile, watch, watchFile } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Logger } from '../logger.ts'
import { messageOf } from '../errors.ts'

/** Editors write in steps; within this time they count as one change. */
const SETTLE_MS = 100
const POLL_MS = 2000

/** The folder, because a file watch would stay on a replaced file. Returns the stop. */
export function watchPath(path: string, onChange: () => void, logger: Logger): () => void {
  let timer: NodeJS.Timeout | undefined
  const settle = (): void => {
    clearTimeout(timer)
    timer = setTimeout(onChange, SETTLE_MS)
    timer.unref()
  }
  const stopTimer = () => clearTimeout(timer)

  const poll = (): void => {
    watchFile(path, { interval: POLL_MS, persistent: false }, settle)
  }
  const stopPolling = () => unwatchFile(path, settle)
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || name === basename(path)) settle()
    })
    // Used-up watches, or a removed folder.
    watcher.on('error', (error) => {
      logger.warn(`Watching ${path} failed; it is looked at every two seconds instead.`, {
        cause: messageOf(error),
      })
      watcher.close()
      poll()
    })
    return () => {
      watcher.close()
      stopPolling()
      stopTimer()
    }
  } catch (error) {
    logger.warn(`${path} cannot be watched; it is looked at every two seconds instead.`, {
      cause: messageOf(error),
    })
    poll()
    return () => {
      stopPolling()
      stopTimer()
    }
  }
}
