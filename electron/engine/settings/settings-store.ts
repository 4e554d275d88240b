import { join } from 'node:path'
import { makeFolder } from '../ground/files/make-folder.ts'
import { readOrNothing } from '../ground/files/read-or-nothing.ts'
import type { Settings } from '../../../shared/settings.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'
import { preparePatterns } from './check-patterns.ts'
import { diffServers } from './diff-servers.ts'
import type { SettingsDiff } from './diff-servers.ts'
import { editConfig } from './edit-config.ts'
import type { SettingsEdit } from './edit-config.ts'
import { parseSettings } from './parse-settings.ts'
import type { ParsedSettings } from './parse-settings.ts'
import { readConfig, readConfigOrNothing } from './read-config.ts'
import { formatProblem } from './settings-problem.ts'
import type { SettingsProblem } from './settings-problem.ts'
import { STARTER_CONFIG } from './starter-config.ts'
import { watchPath } from '../ground/files/watch-path.ts'

export const CONFIG_FILE = 'config.json'
export const SCHEMA_FILE = 'config.schema.json'
/** Slower than reading settings, and nothing waits for it. */
const SCHEMA_AFTER_MS = 1_000

export interface SettingsStoreOptions {
  /** Created if missing. */
  dataDir: string
  logger: Logger
  events?: Events
  watch?: boolean
}

/** Sole reader and writer of config.json while an engine runs. */
export interface SettingsStore {
  readonly path: string
  /** Last valid settings; the same object until they change. */
  readonly current: Settings
  readonly problems: readonly SettingsProblem[]
  /** Accepted without effect. */
  readonly notices: readonly SettingsProblem[]
  /** Why a server isn't in effect: its own mistakes, or those of the whole file. */
  faultOf(serverId: string): string | undefined
  onChange(listener: (diff: SettingsDiff) => void): () => void
  reload(): void
  refresh(): void
  /**
   * In place, and applies it. Throws SETTINGS_CHANGED if the file changed since it was read, SETTINGS_INVALID if it
   * is or would become invalid.
   */
  update(edits: readonly SettingsEdit[]): void
  /** On disk; undefined if missing. */
  read(): string | undefined
  /** And applies it. Throws SETTINGS_INVALID for mistakes, SETTINGS_CHANGED if the file isn't `expected`. */
  replace(text: string, expected: string | undefined): void
  close(): void
}

export function openSettings({ dataDir, logger, events, watch = true }: SettingsStoreOptions): SettingsStore {
  makeFolder(dataDir)
  const path = join(dataDir, CONFIG_FILE)
  const writingSchema = setTimeout(
    () => void writeSchema(join(dataDir, SCHEMA_FILE), logger),
    SCHEMA_AFTER_MS,
  )
  writingSchema.unref()

  const listeners = new Set<(diff: SettingsDiff) => void>()
  let lastRead = readConfig(path)
  let parsed = parseSettings(lastRead ?? STARTER_CONFIG)
  let current = parsed.usable ?? parsed.bare
  let problems = parsed.problems
  report(parsed)

  function report({ notices }: Pick<ParsedSettings, 'notices'>): void {
    for (const problem of problems) logger.error(formatProblem(problem, path))
    for (const notice of notices) logger.info(formatProblem(notice, path))
  }

  function reload(): void {
    const text = readConfig(path)
    if (text === lastRead) return
    lastRead = text
    if (text === undefined) {
      problems = [missingFile()]
      logger.warn(formatProblem(missingFile(), path))
      events?.emit('settings-problems', { problems })
      return
    }
    const hadProblems = problems.length > 0
    parsed = parseSettings(text)
    problems = parsed.problems
    report(parsed)
    if (parsed.settings) takeEffect(parsed.settings)
    if (hadProblems || problems.length > 0) events?.emit('settings-problems', { problems })
  }

  function takeEffect(next: Settings): void {
    const diff = diffServers(current, next)
    current = next
    logger.info('New settings are in effect.', { ...diff })
    for (const listener of listeners) {
      try {
        listener(diff)
      } catch (error) {
        logger.error('Some of the new settings could not be applied.', { cause: messageOf(error) })
      }
    }
    events?.emit('settings-changed', diff)
  }

  const stopWatching = watch
    ? watchPath(path, () => void preparePatterns(readConfigOrNothing(path)).then(tryReload), logger)
    : () => {}
  function tryReload(): void {
    try {
      reload()
    } catch (error) {
      logger.error(`The settings in ${path} cannot be read; they stay as they were.`, {
        cause: messageOf(error),
      })
    }
  }

  return {
    path,
    get current() {
      return current
    },
    get problems() {
      return problems
    },
    get notices() {
      return parsed.notices
    },
    faultOf: (serverId) =>
      Object.hasOwn(current.servers, serverId) ? undefined : whyNot(problems, serverId),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload,
    refresh: tryReload,
    update: (edits) => {
      const onDisk = readConfig(path)
      if (onDisk !== lastRead) throw changedMeanwhile(path)
      if (problems.length > 0 && onDisk !== undefined) throw invalid(path, 'has mistakes', problems)
      const text = editConfig(onDisk ?? STARTER_CONFIG, edits)
      const next = parseSettings(text)
      if (!next.settings) throw invalid(path, 'would not be right after this change', next.problems)
      writeFileAtomically(path, text)
      reload()
    },
    read: () => readConfig(path),
    replace: (text, expected) => {
      if (readConfig(path) !== expected) throw changedMeanwhile(path)
      const next = parseSettings(text)
      if (!next.settings) throw invalid(path, 'would not be right with this text', next.problems)
      writeFileAtomically(path, text)
      reload()
    },
    close: () => {
      clearTimeout(writingSchema)
      stopWatching()
    },
  }
}

export const forSessions = (store: SettingsStore, clean: (text: string) => string) => ({
  settings: () => store.current,
  settingsFault: (serverId: string) => {
    const fault = store.faultOf(serverId)
    return fault === undefined ? undefined : clean(fault)
  },
})

function whyNot(problems: readonly SettingsProblem[], serverId: string): string | undefined {
  const own = problems.filter((problem) => problem.serverId === serverId)
  const [found, what] =
    own.length > 0
      ? [own, `Server "${serverId}" is not in effect, since its entry in the settings has mistakes.`]
      : [
          problems.filter((problem) => problem.serverId === undefined),
          `Server "${serverId}" is not in effect, since the settings as a whole have mistakes.`,
        ]
  if (found.length === 0) return undefined
  return `${what} ${found.map((problem) => formatProblem(problem, CONFIG_FILE)).join(' ')} Fix that and save the file; it takes effect at once.`
}

const missingFile = (): SettingsProblem => ({
  line: 1,
  column: 1,
  path: '',
  message: 'The file was removed. The last settings apply until it is back.',
  serverId: undefined,
})

const changedMeanwhile = (path: string): SluiceError =>
  new SluiceError(
    'SETTINGS_CHANGED',
    `${path} was changed meanwhile, so nothing was written. Look at it again and repeat the change.`,
  )

const invalid = (path: string, what: string, problems: readonly SettingsProblem[]): SluiceError =>
  new SluiceError(
    'SETTINGS_INVALID',
    `${path} ${what}, so nothing was written:\n${problems.map((problem) => formatProblem(problem, CONFIG_FILE)).join('\n')}`,
    { data: { problems } },
  )

/** For editors, through `$schema`; without it only completion is missing. */
async function writeSchema(path: string, logger: Logger): Promise<void> {
  try {
    const { settingsJsonSchema } = await import('./settings-json-schema.ts')
    const schema = settingsJsonSchema()
    if (readOrNothing(path) !== schema) writeFileAtomically(path, schema, 0o644)
  } catch (error) {
    logger.warn(`The schema for editors could not be written to ${path}.`, { cause: messageOf(error) })
  }
}
