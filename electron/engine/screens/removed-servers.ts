import { randomBytes } from 'node:crypto'
import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import type { Answers } from './http/answers.ts'
import type { ScreensOptions } from './screens-options.ts'
import { serverOf } from './server-status.ts'

/** Undoable. */
const KEPT_REMOVALS = 50

/** Removals, which can be undone until the engine ends. */
export function createRemovals(options: ScreensOptions): Pick<Answers['servers'], 'remove' | 'undoRemove'> {
  const { settings } = options
  const removed = new Map<string, { server: string; settings: ServerSettings }>()
  const write = (server: string, value: ServerSettings | undefined): void =>
    settings.update([{ path: ['servers', server], value }])

  return {
    remove: ({ server }) => {
      const was = serverOf(options, server)
      write(server, undefined)
      const undo = randomBytes(9).toString('base64url')
      removed.set(undo, { server, settings: was })
      const [oldest] = removed.keys()
      if (removed.size > KEPT_REMOVALS && oldest !== undefined) removed.delete(oldest)
      return { undo }
    },
    undoRemove: ({ undo }) => {
      const entry = removed.get(undo)
      if (!entry)
        throw new SluiceError(
          'BAD_INPUT',
          'This removal can no longer be undone: Sluice was restarted since.',
        )
      if (Object.hasOwn(settings.current.servers, entry.server)) {
        throw new SluiceError(
          'SETTINGS_EXISTS',
          `There is a server "${entry.server}" again. Rename it first.`,
        )
      }
      write(entry.server, entry.settings)
      removed.delete(undo)
      return { server: entry.server }
    },
  }
}
