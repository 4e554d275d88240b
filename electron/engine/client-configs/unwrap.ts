import { SluiceError, messageOf } from '../ground/errors.ts'
import { removeServers } from './config-changes.ts'
import { describeChange } from './describe-diff.ts'
import { hashOf } from './load-client-file.ts'
import { planUnwrap } from './plan-unwrap.ts'
import type { UnwrapDependencies, UnwrapRequest } from './plan-unwrap.ts'
import { WrapJournals } from './wrap-journal.ts'
import { checkWritable, writeClientFile } from './write-client-file.ts'

/** Contains no secrets. */
export interface UnwrapPreview {
  readonly request: UnwrapRequest
  readonly label: string
  readonly target: string
  readonly hash: string
  readonly resultHash: string
  readonly isExact: boolean
  readonly restored: readonly string[]
  /** Removed from config.json: added by wrapping and no longer needed. */
  readonly removedIds: readonly string[]
  readonly remarks: readonly string[]
  readonly diff: string
  readonly advice: string
}

export function previewUnwrap(request: UnwrapRequest, dependencies: UnwrapDependencies): UnwrapPreview {
  const { client, file, bytes, result, isExact, restored, removedIds, remarks } = planUnwrap(
    request,
    dependencies,
  )
  return {
    request,
    label: client.label,
    target: file.target,
    hash: file.hash,
    resultHash: hashOf(bytes),
    isExact,
    restored,
    removedIds,
    remarks,
    diff: describeChange(file, result, client, 'unwrapped'),
    advice: client.advice,
  }
}

/** On failure the file is restored. config.json is changed last. */
export function applyUnwrap(preview: UnwrapPreview, dependencies: UnwrapDependencies): void {
  const { files, dataDir, settings } = dependencies
  const { file, bytes, removedIds, done, partly } = planUnwrap(preview.request, dependencies)
  if (file.hash !== preview.hash || hashOf(bytes) !== preview.resultHash) {
    throw new SluiceError(
      'CLIENT_FILE_CHANGED',
      `${file.path} was changed after the preview, so nothing was written. Look at the change again.`,
    )
  }
  checkWritable(file)
  if (file.hash !== preview.resultHash) writeClientFile(file, bytes, files)
  const journals = new WrapJournals(dataDir, files)
  for (const journal of done) journals.markUndone(journal, file.bytes)
  for (const { folder, journal } of partly) journals.rewrite(folder, journal)
  try {
    removeServers(removedIds, settings)
  } catch (error) {
    throw new SluiceError(
      'SETTINGS_INVALID',
      `${file.path} is unwrapped, but ${removedIds.join(', ')} could not be taken out of config.json: ${messageOf(error)}`,
      { cause: error },
    )
  }
}
