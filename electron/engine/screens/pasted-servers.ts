import { launcherOrNone } from '../client-configs/entries/sluice-entry.ts'
import { importServers, type Importable } from '../client-configs/import-servers.ts'
import { parsePastedServers } from '../client-configs/parse-pasted.ts'
import { argumentKeyWarnings, placeOfKey, plainKeys } from '../ground/secrets/plain-keys.ts'
import type { Answers } from './http/answers.ts'
import { importableWithoutKeys } from './kept-keys.ts'
import { launchLine } from './launch-line.ts'
import type { ScreensOptions } from './screens-options.ts'
import { launchesFrom, type ServerReviews } from './server-reviews.ts'

/** Servers from text that the user pastes: what a README tells to put into a client's file. */
export function createPastedAnswers(
  options: ScreensOptions,
  reviews: ServerReviews,
): Pick<Answers['servers'], 'readPasted' | 'reviewPasted' | 'addPasted'> {
  const { settings } = options

  const readPasted = (text: string, names?: readonly string[]): Importable =>
    parsePastedServers(text, {
      servers: settings.current.servers,
      own: { launcher: launcherOrNone(options.launcher), httpPort: settings.current.http.port },
      ...(names ? { names } : {}),
    })

  return {
    readPasted: ({ text }) => {
      const { servers, skipped } = readPasted(text)
      return {
        servers: servers.map(({ name, serverId, renamed, isNew, launch, warnings, settings: own }) => ({
          name,
          serverId,
          ...(renamed && { renamed }),
          isNew,
          launch: launchLine(launch),
          secrets: [...launch.env, ...launch.headers],
          warnings: [...warnings, ...argumentKeyWarnings(serverId, own)],
          keys: plainKeys(own).map(placeOfKey),
        })),
        skipped: [...skipped],
      }
    },
    reviewPasted: async function* ({ text, names }, { signal }) {
      const found = readPasted(text, names)
      const entries = found.servers.map(({ name, serverId }) => ({ name, serverId }))
      yield* reviews.look(launchesFrom(found), entries, signal)
    },
    addPasted: async ({ text, names, reviews: reviewed, keepKeys }) => {
      const pin = reviews.pinner(reviewed)
      const read = readPasted(text, names)
      const found = keepKeys ? await importableWithoutKeys(options, read) : read
      const added = [...importServers(found.servers, settings)]
      pin(launchesFrom(found))
      return { added }
    },
  }
}
