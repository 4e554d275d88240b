import type { ClientApp } from '../../../shared/api/clients.ts'
import { applyWrap, launchesOf, type LaunchesById } from '../client-configs/apply-wrap.ts'
import { OTHER_CLIENT, clientNamed } from '../client-configs/clients.ts'
import { launcherOrNone, requireLauncher } from '../client-configs/entries/sluice-entry.ts'
import { findClients, type FoundServer } from '../client-configs/find-clients.ts'
import { hookStateOf } from '../client-configs/hooks/hook-state.ts'
import { switchedOff } from '../client-configs/switched-off.ts'
import { importServers, readImportable, type Importable } from '../client-configs/import-servers.ts'
import { loadClientFile } from '../client-configs/load-client-file.ts'
import { nodeClientFiles as files } from '../client-configs/node-client-files.ts'
import { previewWrap, type WrapPreview, type WrapRequest } from '../client-configs/preview-wrap.ts'
import { applyUnwrap, previewUnwrap } from '../client-configs/unwrap.ts'
import { WrapJournals } from '../client-configs/wrap-journal.ts'
import type { Answers } from './http/answers.ts'
import { SluiceError } from '../ground/errors.ts'
import { plainKeyWarnings } from '../ground/secrets/plain-keys.ts'
import { clientCosts } from './client-costs.ts'
import type { Definitions } from './definitions.ts'
import { importableWithoutKeys } from './kept-keys.ts'
import { launchLine } from './launch-line.ts'
import { NO_LAUNCHER } from './no-launcher.ts'
import type { ScreensOptions } from './screens-options.ts'
import { launchesFrom, type ReviewedEntry, type ServerReviews } from './server-reviews.ts'

export function createClientsAnswers(
  options: ScreensOptions,
  { reviews, definitions }: { reviews: ServerReviews; definitions: Definitions },
): Answers['clients'] {
  const { settings, dataDir, now, platform, homeDir, env } = options
  const given = options.launcher ?? NO_LAUNCHER
  const machine = { platform, homeDir, env }
  const deps = () => ({ files, launcher: requireLauncher(given), machine, settings, dataDir, now })
  /** Unwrapping needs no launcher. */
  const undoDeps = () => ({ files, launcher: launcherOrNone(given), settings, dataDir, now })
  const own = () => ({ launcher: launcherOrNone(given), httpPort: settings.current.http.port })
  const found = () => findClients({ ...machine, files, own: own() })
  const journals = new WrapJournals(dataDir, files)
  const importable = ({ client: id, path, ...wanted }: WrapRequest): Importable => {
    const client = id === OTHER_CLIENT.id ? OTHER_CLIENT : clientNamed(id)
    if (!client) throw new SluiceError('BAD_INPUT', `There is no app "${id}".`)
    const { servers: names, project, leaveOut } = wanted
    const { value } = loadClientFile(path, files).parsed
    return readImportable(value, {
      client,
      isOff: switchedOff({ path, value, machine }, client, files),
      own: own(),
      servers: settings.current.servers,
      names,
      project,
      leaveOut,
    })
  }

  const builtInOf = (app: string): Pick<ClientApp, 'builtIn'> => {
    const { port } = settings.current.http
    const state = hookStateOf(app, { machine: { platform, homeDir, env }, files, port })
    if (!state) return {}
    const seen = options.hooks.states().filter((one) => one.app === app)
    return { builtIn: { ...state, tools: [...state.tools], seen: [...seen] } }
  }

  /** Each as after those before it, whose servers config.json has by then. */
  const previewAll = (
    requests: readonly WrapRequest[],
  ): { readonly preview: WrapPreview; readonly launches: LaunchesById }[] => {
    let current = settings.current
    return requests.map((request) => {
      const preview = previewWrap(request, { ...deps(), settings: current })
      const launches = launchesOf(preview, { ...deps(), settings: { path: settings.path, current } })
      const added = [...launches].map(([id, launch]) => [id, launch.settings] as const)
      current = { ...current, servers: { ...Object.fromEntries(added), ...current.servers } }
      return { preview, launches }
    })
  }

  return {
    launcher: () => ('unavailable' in given ? { unavailable: given.unavailable } : {}),
    list: () => {
      const done = journals.list().filter(({ isUndone }) => !isUndone)
      return found().map((app): ClientApp => ({
        ...app,
        ...builtInOf(app.id),
        files: app.files.map(({ path, isMissing, problem, servers }) => ({
          path,
          isMissing: isMissing ?? false,
          ...(problem === undefined ? {} : { problem }),
          servers: servers.map(describeServer),
          undo: done
            .filter(({ journal }) => journal.client === app.id && journal.target === targetOf(path))
            .map(({ journal }) => ({ at: journal.at, servers: journal.servers.map(({ name }) => name) })),
        })),
      }))
    },
    costs: () => clientCosts(found(), options, definitions),
    previewWrap: ({ requests }) => previewAll(requests).map(({ preview }) => toPreview(preview)),
    wrap: ({ hash, resultHash, reviews: reviewed, ...request }) => {
      const pin = reviews.pinner(reviewed)
      const preview = previewWrap(request, { ...deps(), settings: settings.current })
      checkSame(preview, { hash, resultHash })
      let approved = 0
      const pinOffers = (launches: LaunchesById): void => void (approved = pin(launches))
      const { serverIds } = applyWrap(preview, { ...deps(), pinOffers })
      return { serverIds: [...serverIds], approved, advice: preview.advice }
    },
    review: async function* ({ purpose, requests }, { signal }) {
      const all =
        purpose === 'import'
          ? requests.map((request) => {
              const found = importable(request)
              return { path: request.path, servers: found.servers, launches: launchesFrom(found) }
            })
          : previewAll(requests).map(({ preview, launches }) => ({
              path: preview.request.path,
              servers: preview.servers,
              launches,
            }))
      // A server of several apps is started once.
      const launches: LaunchesById = new Map(all.flatMap((each) => [...each.launches]))
      const entries = all.flatMap(({ path, servers }) => servers.map((server) => entryOf(server, path)))
      yield* reviews.look(launches, entries, signal)
    },
    previewUnwrap: (request) => {
      const preview = previewUnwrap(request, undoDeps())
      return {
        ...preview,
        request,
        restored: [...preview.restored],
        removedIds: [...preview.removedIds],
        remarks: [...preview.remarks],
      }
    },
    unwrap: ({ hash, resultHash, ...request }) => {
      const preview = previewUnwrap(request, undoDeps())
      checkSame(preview, { hash, resultHash })
      applyUnwrap(preview, undoDeps())
      return { restored: [...preview.restored] }
    },
    import: async ({ reviews: reviewed, keepKeys, ...request }) => {
      const pin = reviews.pinner(reviewed)
      const read = importable(request)
      const found = keepKeys ? await importableWithoutKeys(options, read) : read
      const added = [...importServers(found.servers, settings)]
      return {
        added,
        approved: pin(launchesFrom(found)),
        skipped: [...found.skipped],
        warnings: found.servers.flatMap(({ warnings, serverId, settings: taken }) => [
          ...warnings,
          ...plainKeyWarnings(serverId, taken),
        ]),
      }
    },
  }
}

const entryOf = ({ name, project, serverId }: ReviewedEntry, path: string): ReviewedEntry => ({
  path,
  name,
  project,
  serverId,
})

function targetOf(path: string): string {
  try {
    return loadClientFile(path, files).target
  } catch {
    return path
  }
}

function checkSame(
  preview: { readonly hash: string; readonly resultHash: string; readonly target: string },
  seen: { readonly hash: string; readonly resultHash: string },
): void {
  if (preview.hash === seen.hash && preview.resultHash === seen.resultHash) return
  throw new SluiceError(
    'CLIENT_FILE_CHANGED',
    `${preview.target}, or config.json, was changed after the preview, so nothing was written. Look at the change again.`,
  )
}

const toPreview = ({ request, servers, skipped, changes, warnings, ...rest }: WrapPreview) => ({
  ...rest,
  request: {
    ...request,
    servers: request.servers && [...request.servers],
    leaveOut: request.leaveOut && [...request.leaveOut],
  },
  servers: servers.map((server) => ({ ...server, launch: launchLine(server.launch) })),
  skipped: [...skipped],
  changes: [...changes],
  warnings: [...warnings],
})

const describeServer = ({ launch, ...server }: FoundServer) => ({
  ...server,
  ...(launch === undefined ? {} : { launch: launchLine(launch) }),
})
