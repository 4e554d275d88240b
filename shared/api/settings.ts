import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { Settings } from '../settings.ts'
import { get, patch, post, put } from './routes.ts'

/**
 * For secrets in everything leaving the engine: env, headers, detector keys, and what looks like a secret in
 * arguments and addresses. As input it means "unchanged".
 */
export const SECRET_MARK = '••••••••'

export const SettingsFault = z.object({
  line: z.int(),
  column: z.int(),
  path: z.string(),
  message: z.string(),
  server: z.string().optional(),
})
export type SettingsFault = z.infer<typeof SettingsFault>

export const SettingsText = z.object({
  path: z.string(),
  text: z.string(),
  /** Required for saving. */
  version: z.string(),
  problems: z.array(SettingsFault),
  /** Without effect. */
  notices: z.array(SettingsFault),
})
export type SettingsText = z.infer<typeof SettingsText>

/** On running servers, by id. */
export const SettingsEffect = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Launch changed. */
  restarted: z.array(z.string()),
  /** Only policies or tool settings changed (own or global): lists are refreshed. */
  reshaped: z.array(z.string()),
})
export type SettingsEffect = z.infer<typeof SettingsEffect>

/** Data folder, by file or folder. */
export const Storage = z.object({
  folder: z.string(),
  parts: z.array(z.object({ name: z.string(), bytes: z.number() })),
})
export type Storage = z.infer<typeof Storage>

const MAX_TEXT = 16_000_000
const Text = z.object({ text: z.string().max(MAX_TEXT) })

export const settingsContract = {
  get: get('/settings', 'The settings in effect; secrets are replaced by a mark').output(Settings),
  schema: get('/config/schema', 'JSON Schema of config.json').output(z.record(z.string(), z.unknown())),
  update: patch('/settings', 'Change single settings in place; comments stay')
    .input(
      z.object({
        edits: z
          .array(
            z.object({
              path: z.array(z.union([z.string(), z.number()])).min(1),
              /** Omitted: the default. */
              value: z.json().optional(),
            }),
          )
          .min(1)
          .max(1000),
      }),
    )
    .output(SettingsEffect),
  raw: get('/config', 'The text of config.json; secrets are replaced by a mark').output(SettingsText),
  save: put('/config', 'Save the text of config.json; the mark leaves a secret as it is')
    .input(Text.extend({ version: z.string().optional() }))
    .output(SettingsEffect),
  validate: post('/config/validate', 'Check a text as config.json; writes nothing')
    .input(Text)
    .output(
      z.object({ valid: z.boolean(), problems: z.array(SettingsFault), notices: z.array(SettingsFault) }),
    ),
  reload: post('/reload', 'Read config.json now; only what changed restarts').output(
    SettingsEffect.extend({ problems: z.array(SettingsFault) }),
  ),
  export: get('/config/export', 'config.json for another machine: secrets become ${env:NAME}').output(
    z.object({ text: z.string(), variables: z.array(z.string()) }),
  ),
  import: post('/config/import', 'Take the settings of an exported text in place of the present ones')
    .input(Text)
    .output(SettingsEffect),
  storage: get('/storage', 'The data folder and how much it holds').output(Storage),
  live: get('/settings/live', 'Each change of the settings and of their problems').output(
    eventIterator(z.object({ effect: SettingsEffect.optional(), problems: z.array(SettingsFault) })),
  ),
}
