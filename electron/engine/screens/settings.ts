import { createHash } from 'node:crypto'
import { getNodeValue, parseTree } from 'jsonc-parser'
import type { SettingsEffect, SettingsFault } from '../../../shared/api/settings.ts'
import type { Answers } from './http/answers.ts'
import { SluiceError } from '../ground/errors.ts'
import { follow } from './live-events.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { diffServers } from '../settings/diff-servers.ts'
import { editConfig } from '../settings/edit-config.ts'
import { preparePatterns } from '../settings/check-patterns.ts'
import { parseSettings } from '../settings/parse-settings.ts'
import { settingsJsonSchema } from '../settings/settings-json-schema.ts'
import type { SettingsProblem } from '../settings/settings-problem.ts'
import { STARTER_CONFIG } from '../settings/starter-config.ts'
import { exportConfigText } from './export-config.ts'
import { markConfigText, restoreConfigText } from './marked-config.ts'
import { markSecrets, restoreSecrets } from './secret-marks.ts'
import type { ScreensOptions } from './screens-options.ts'
import { storageOf } from './storage.ts'

export function createSettingsAnswers({
  settings,
  events,
  logger,
  dataDir,
}: ScreensOptions): Answers['settings'] {
  const faults = (problems: readonly SettingsProblem[]): SettingsFault[] =>
    problems.map(({ line, column, path, message, serverId }) => ({
      line,
      column,
      path,
      message: logger.cleanText(message),
      ...(serverId === undefined ? {} : { server: serverId }),
    }))
  const effectOf = (change: () => void): SettingsEffect => {
    const before = settings.current
    change()
    return diffServers(before, settings.current)
  }
  const text = (): string => settings.read() ?? STARTER_CONFIG
  const replace = (next: string, version: string | undefined): SettingsEffect =>
    effectOf(() => {
      const onDisk = settings.read()
      if (version !== undefined && version !== versionOf(onDisk ?? STARTER_CONFIG)) {
        throw new SluiceError(
          'SETTINGS_CHANGED',
          `${settings.path} was changed since it was shown here, so nothing was written. Look at it again and repeat the change.`,
        )
      }
      settings.replace(restoreConfigText(next, onDisk ?? ''), onDisk)
    })

  // Some may be written here; nothing waits for it.
  void preparePatterns('customPatterns')
  return {
    get: () => markSecrets(settings.current),
    schema: () => JSON.parse(settingsJsonSchema()) as JsonObject,
    update: ({ edits }) =>
      effectOf(() =>
        settings.update(
          edits.map(({ path, value }) => ({ path, value: restoreSecrets(value, settings.current, path) })),
        ),
      ),
    raw: () => {
      const now = text()
      const { problems, notices } = parseSettings(now)
      return {
        path: settings.path,
        text: markConfigText(now),
        version: versionOf(now),
        problems: faults(problems),
        notices: faults(notices),
      }
    },
    save: ({ text: next, version }) => replace(next, version),
    validate: ({ text: next }) => {
      const { settings: valid, problems, notices } = parseSettings(next)
      return { valid: valid !== undefined, problems: faults(problems), notices: faults(notices) }
    },
    reload: () => ({ ...effectOf(() => settings.reload()), problems: faults(settings.problems) }),
    export: () => exportConfigText(text()),
    import: ({ text: next }) => {
      const value: unknown = getNodeValue(parseTree(next, [], { allowTrailingComma: true }) ?? NOTHING)
      if (!isJsonObject(value))
        throw new SluiceError('BAD_INPUT', "This text isn't valid settings: it should be a JSON object.")
      const known = parseSettings(next)
      // A whole exported text replaces the file with comments; a settings block is merged.
      if (known.settings && 'servers' in value) return replace(next, undefined)
      const edits = Object.entries(value).map(([key, part]) => ({ path: [key], value: part }))
      return replace(editConfig(text(), edits), undefined)
    },
    storage: () => storageOf(dataDir),
    live: (_input, { signal }) =>
      follow({
        signal,
        subscribe: (listener) => {
          const stops = [
            events.on('settings-changed', (effect) =>
              listener({ effect, problems: faults(settings.problems) }),
            ),
            events.on('settings-problems', ({ problems }) => listener({ problems: faults(problems) })),
          ]
          return () => stops.forEach((stop) => stop())
        },
      }),
  }
}

const NOTHING = { type: 'null', offset: 0, length: 0 } as const

const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
