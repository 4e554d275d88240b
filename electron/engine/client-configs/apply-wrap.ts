import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError } from '../errors.ts'
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
  readonly settings: WrapSettings
  /** The data folder; backups go into it. */
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly now: () => number
  /**
   * Shows what the servers offer and asks; false ends it, with nothing written. Called before config.json has them, so
   * their settings come along.
   */
  readonly reviewServers?: (
    serverIds: readonly string[],
    servers: Readonly<Record<string, ServerSettings>>,
  ) => Promise<boolean>
}

export type WrapOutcome =
  | { readonly outcome: 'declined' }
  | {
      readonly outcome: 'wrapped'
      /** The folder with the file's former bytes. */
      readonly backup: string
      readonly serverIds: readonly string[]
    }

/**
 * Makes the change of a preview: review → backup → config.json → the app's file, atomically → read back. Whatever
 * fails, both files are as before.
 */
export async function applyWrap(preview: WrapPreview, dependencies: WrapDependencies): Promise<WrapOutcome> {
  const { files, reviewServers } = dependencies
  const first = prepareAsPreviewed(preview, dependencies)
  if (first.plan.servers.length === 0) {
    throw new SluiceError('BAD_INPUT', `There is nothing to wrap in ${first.file.path}.`)
  }
  checkWritable(first.file)
  const serverIds = [...new Set(first.plan.servers.map(({ serverId }) => serverId))]
  const settings = Object.fromEntries(first.plan.servers.map((server) => [server.serverId, server.settings]))
  if (reviewServers && !(await reviewServers(serverIds, settings))) return { outcome: 'declined' }

  // A review takes its time: the file must still be the one that was shown.
  const { client, file, plan } = prepareAsPreviewed(preview, dependencies)
  const bytes = encodeLike(file, plan.result.text)
  const journals = new WrapJournals(dependencies.dataDir, files)
  const at = dependencies.now()
  const backup = journals.write(journalOf({ client: client.id, file, plan, bytes, at }), file.bytes)
  const undo: (() => void)[] = [() => journals.remove(backup)]
  try {
    checkUnchanged(file, files)
    undo.push(addServers(newServers(plan), dependencies.settings, files))
    writeClientFile(file, bytes, files)
    return { outcome: 'wrapped', backup, serverIds }
  } catch (error) {
    for (const step of undo.toReversed()) step()
    throw error
  }
}

function prepareAsPreviewed(
  preview: WrapPreview,
  { files, launcher, settings }: WrapDependencies,
): ReturnType<typeof prepareWrap> {
  const prepared = prepareWrap(preview.request, { files, launcher, settings: settings.current })
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
