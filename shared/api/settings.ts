import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { Settings } from '../settings.ts'

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
  restarted: z.array(z.string()),
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
  get: oc
    .route({
      method: 'GET',
      path: '/settings',
      summary: 'The settings in effect; secrets are replaced by a mark',
    })
    .output(Settings),
  schema: oc
    .route({ method: 'GET', path: '/config/schema', summary: 'JSON Schema of config.json' })
    .output(z.record(z.string(), z.unknown())),
  update: oc
    .route({ method: 'PATCH', path: '/settings', summary: 'Change single settings in place; comments stay' })
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
  raw: oc
    .route({
      method: 'GET',
      path: '/config',
      summary: 'The text of config.json; secrets are replaced by a mark',
    })
    .output(SettingsText),
  save: oc
    .route({
      method: 'PUT',
      path: '/config',
      summary: 'Save the text of config.json; the mark leaves a secret as it is',
    })
    .input(Text.extend({ version: z.string().optional() }))
    .output(SettingsEffect),
  validate: oc
    .route({
      method: 'POST',
      path: '/config/validate',
      summary: 'Check a text as config.json; writes nothing',
    })
    .input(Text)
    .output(
      z.object({ valid: z.boolean(), problems: z.array(SettingsFault), notices: z.array(SettingsFault) }),
    ),
  reload: oc
    .route({
      method: 'POST',
      path: '/reload',
      summary: 'Read config.json now; only what changed restarts',
    })
    .output(SettingsEffect.extend({ problems: z.array(SettingsFault) })),
  export: oc
    .route({
      method: 'GET',
      path: '/config/export',
      summary: 'config.json for another machine: secrets become ${env:NAME}',
    })
    .output(z.object({ text: z.string(), variables: z.array(z.string()) })),
  import: oc
    .route({
      method: 'POST',
      path: '/config/import',
      summary: 'Take the settings of an exported text in place of the present ones',
    })
    .input(Text)
    .output(SettingsEffect),
  storage: oc
    .route({ method: 'GET', path: '/storage', summary: 'The data folder and how much it holds' })
    .output(Storage),
  live: oc
    .route({
      method: 'GET',
      path: '/settings/live',
      summary: 'Each change of the settings and of their problems',
    })
    .output(eventIterator(z.object({ effect: SettingsEffect.optional(), problems: z.array(SettingsFault) }))),
}
