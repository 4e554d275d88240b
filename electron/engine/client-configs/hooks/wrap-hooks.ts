import { messageOf, SluiceError } from '../../ground/errors.ts'
import type { ClientFiles } from '../client-files.ts'
import { describeDiff } from '../describe-diff.ts'
import { decodeFile, hashOf } from '../load-client-file.ts'
import { checkWritable, writeClientFile } from '../write-client-file.ts'
import { HookBackups } from './hook-backups.ts'
import type { HookPlace, HookSpec } from './hook-spec.ts'
import { planHooks, planHooksRemoval, type HookPlan } from './plan-hooks.ts'

interface HookDependencies {
  readonly files: ClientFiles
  /** Backups go into it. */
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly now: () => number
}

export interface HooksPreview {
  readonly plan: HookPlan
  /** The file gets the bytes from before wrapping. */
  readonly isExact: boolean
  /** Lines with `+` and `-`; the token isn't shown. */
  readonly diff: string
}

export function previewHooks(
  spec: HookSpec,
  place: HookPlace,
  files: ClientFiles,
  options: { readonly insists?: boolean } = {},
): HooksPreview {
  const plan = planHooks(spec, place, files, options)
  return { plan, isExact: false, diff: diffOf(plan) }
}

/** Backup, then the file, atomically. Returns the backup. */
export function applyHooks(spec: HookSpec, { plan }: HooksPreview, dependencies: HookDependencies): string {
  const { files, dataDir, now } = dependencies
  const { file, bytes, path, created } = plan
  if (!bytes) throw new SluiceError('BAD_INPUT', `There is nothing to write to ${path}.`)
  if (file) checkWritable(file)
  const backups = new HookBackups(dataDir, files)
  const facts = { version: 1 as const, app: spec.id, path, at: now(), afterHash: hashOf(bytes) }
  const backup = backups.write({ ...facts, created: [...created] }, file?.bytes)
  try {
    write(plan, bytes, files)
  } catch (error) {
    backups.remove(backup)
    throw error
  }
  return backup
}

/** The exact bytes where the file is as wrapping left it; else only what Sluice put in goes. */
export function previewHooksRemoval(
  spec: HookSpec,
  path: string,
  { files, dataDir }: Pick<HookDependencies, 'files' | 'dataDir'>,
): HooksPreview {
  const known = new HookBackups(dataDir, files).of(spec.id, path)
  const created = known.flatMap(({ facts }) => facts.created)
  const plan = planHooksRemoval(spec, path, files, created)
  const first = known.at(-1)
  // Every later backup is of a file that Sluice itself had written.
  const isChain = known.every(
    (one, index) =>
      index === known.length - 1 ||
      hashOf(one.original ?? new Uint8Array()) === known[index + 1]?.facts.afterHash,
  )
  const isExact = plan.file !== undefined && isChain && known[0]?.facts.afterHash === plan.file.hash
  const exact = isExact && first ? { ...plan, bytes: first.original, isChange: true } : plan
  return { plan: exact, isExact, diff: diffOf(exact) }
}

export function applyHooksRemoval(
  spec: HookSpec,
  { plan }: HooksPreview,
  dependencies: HookDependencies,
): void {
  const { files, dataDir } = dependencies
  const { file, bytes, path } = plan
  if (!file) return
  checkWritable(file)
  if (bytes) writeClientFile(file, bytes, files)
  else files.remove(path)
  const backups = new HookBackups(dataDir, files)
  for (const backup of backups.of(spec.id, path)) backups.markUndone(backup, file.bytes)
}

function write({ file, path }: HookPlan, bytes: Uint8Array, files: ClientFiles): void {
  if (file) return writeClientFile(file, bytes, files)
  try {
    files.create(path, bytes)
  } catch (error) {
    throw new SluiceError(
      'CLIENT_FILE_UNWRITABLE',
      `${path} can't be written (${messageOf(error)}). Nothing was changed.`,
      { cause: error },
    )
  }
}

const TOKEN = /(Bearer )[\w-]+/g

function diffOf({ file, bytes, path }: HookPlan): string {
  const before = file?.text ?? ''
  const after = bytes ? decodeFile(path, bytes) : ''
  return describeDiff(path, before, after, 'with hooks').replaceAll(TOKEN, '$1…')
}
