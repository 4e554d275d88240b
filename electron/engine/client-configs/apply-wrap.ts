import type { Machine } from '../ground/surroundings.ts'
import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import { addServers } from './config-changes.ts'
import type { WrapSettings } from './config-changes.ts'
import type { Launcher } from './entries/sluice-entry.ts'
import type { ClientFiles } from './client-files.ts'
import { encodeLike, hashOf } from './load-client-file.ts'
import type { LoadedFile } from './load-client-file.ts'
import type { WrapPlan } from './plan-wrap.ts'
import { prepareWrap } from './preview-wrap.ts'
import type { WrapPreview } from './preview-wrap.ts'
import { settingsHash } from './settings-hash.ts'
import { checkUnchanged, checkWritable, writeClientFile } from './write-client-file.ts'
import { WrapJournals, toJournalEdit } from './wrap-journal.ts'
import type { WrapJournal } from './wrap-journal.ts'

export interface WrapDependencies {
  readonly files: ClientFiles
  readonly launcher: Launcher
  readonly machine?: Machine
  readonly settings: WrapSettings
  /** Backups go into it. */
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** By config.json id: after config.json has them, before the app can start them. Throwing cancels the wrapping. */
  readonly pinOffers?: (servers: LaunchesById) => void
}

/** With secrets, by config.json id. */
export type LaunchesById = ReadonlyMap<string, FirstLaunch>

interface FirstLaunch {
  readonly settings: ServerSettings
  /** Only the app has their values. */
  readonly appVariables: readonly string[]
}

export interface WrapOutcome {
  /** With the file's former bytes. */
  readonly backup: string
  readonly serverIds: readonly string[]
}

type Preparing = Pick<WrapDependencies, 'files' | 'launcher' | 'machine'> & {
  readonly settings: Pick<WrapSettings, 'current' | 'path'>
}

/** Throws CLIENT_FILE_CHANGED if outdated. */
export const launchesOf = (preview: WrapPreview, dependencies: Preparing): LaunchesById =>
  launchesIn(prepareAsPreviewed(preview, dependencies).plan)

/** Throws CLIENT_FILE_UNWRITABLE, before servers are started for a change that can't be made. */
export const requireWritable = (preview: WrapPreview, dependencies: Preparing): void =>
  checkWritable(prepareAsPreviewed(preview, dependencies).file)

/** Backup → config.json → pins → the app's file, atomically → read back. On failure both files are restored. */
export function applyWrap(preview: WrapPreview, dependencies: WrapDependencies): WrapOutcome {
  const { files } = dependencies
  const { client, file, plan } = prepareAsPreviewed(preview, dependencies)
  if (plan.servers.length === 0) {
    throw new SluiceError('BAD_INPUT', `There is nothing to wrap in ${file.path}.`)
  }
  checkWritable(file)
  const launches = launchesIn(plan)
  const bytes = encodeLike(file, plan.result.text)
  const journals = new WrapJournals(dependencies.dataDir, files)
  const at = dependencies.now()
  const backup = journals.write(journalOf({ client: client.id, file, plan, bytes, at }), file.bytes)
  const undo: (() => void)[] = [() => journals.remove(backup)]
  try {
    checkUnchanged(file, files)
    undo.push(addServers(newServers(plan), dependencies.settings, files))
    dependencies.pinOffers?.(launches)
    writeClientFile(file, bytes, files)
    return { backup, serverIds: [...launches.keys()] }
  } catch (error) {
    for (const step of undo.toReversed()) step()
    throw error
  }
}

/** Those that their app has switched off are not started. */
const launchesIn = ({ servers }: WrapPlan): LaunchesById =>
  new Map(
    servers
      .toSorted((a, b) => Number(b.isOff) - Number(a.isOff))
      .map(({ serverId, settings, appVariables, isOff }) => [
        serverId,
        { settings: isOff ? { ...settings, disabled: true } : settings, appVariables },
      ]),
  )

function prepareAsPreviewed(
  preview: WrapPreview,
  { settings, ...dependencies }: Preparing,
): ReturnType<typeof prepareWrap> {
  const prepared = prepareWrap(preview.request, { ...dependencies, settings: settings.current })
  const { file, plan } = prepared
  if (file.hash === preview.hash && hashOf(encodeLike(file, plan.result.text)) === preview.resultHash)
    return prepared
  const changed = file.hash === preview.hash ? settings.path : file.path
  throw new SluiceError(
    'CLIENT_FILE_CHANGED',
    `${changed} was changed after the preview, so nothing was written. Look at the change again.`,
  )
}

const newServers = ({ servers }: WrapPlan): Record<string, ServerSettings> =>
  Object.fromEntries(
    servers.filter(({ isNew }) => isNew).map(({ serverId, settings }) => [serverId, settings]),
  )

function journalOf(done: {
  client: string
  file: LoadedFile
  plan: WrapPlan
  bytes: Uint8Array
  at: number
}): WrapJournal {
  const { client, file, plan, bytes, at } = done
  return {
    version: 1,
    client,
    target: file.target,
    at,
    afterHash: hashOf(bytes),
    servers: plan.servers.map(({ name, place, serverId, isNew, settings, edits }) => ({
      name,
      place: [...place.path],
      serverId,
      ...(isNew ? { settingsHash: settingsHash(settings) } : {}),
      edits: edits.map(toJournalEdit),
    })),
    added: plan.added.map(({ name, place, edit }) => ({
      name,
      place: [...place.path],
      edits: [toJournalEdit(edit)],
    })),
  }
}
