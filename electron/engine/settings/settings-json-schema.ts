import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { Settings } from '../../../shared/settings.ts'
import {
  ENABLED_FIELDS,
  IGNORED_FIELDS,
  IGNORED_TOP_LEVEL,
  TYPE_FIELDS,
  URL_FIELDS,
} from './foreign-fields.ts'

interface EditableSchema {
  [key: string]: unknown
  properties: Record<string, EditableSchema>
  additionalProperties: EditableSchema
}

/** Beside this module in a build, because every engine writes it at its start. */
export const SCHEMA_ASSET = 'settings-json-schema.json'

/** For editors, generated from the zod schema. */
export const settingsJsonSchema = (): string =>
  import.meta.url.endsWith('.ts')
    ? (generated ??= generateJsonSchema())
    : readFileSync(new URL(SCHEMA_ASSET, import.meta.url), 'utf8')

let generated: string | undefined

export function generateJsonSchema(): string {
  // For input: defaults may be omitted. The shape is that of z.strictObject and z.record above.
  const schema = z.toJSONSchema(Settings, { io: 'input' }) as unknown as EditableSchema
  const servers = schema.properties['servers']
  if (servers) {
    const entry = servers.additionalProperties
    for (const name of [...URL_FIELDS, ...ENABLED_FIELDS, ...TYPE_FIELDS, ...Object.keys(IGNORED_FIELDS)]) {
      entry.properties[name] = foreign('A field of other clients.')
    }
    schema.properties['mcpServers'] = {
      ...servers,
      description: 'The same as "servers": a block from another client can be pasted here.',
    }
  }
  for (const name of Object.keys(IGNORED_TOP_LEVEL))
    schema.properties[name] = foreign('A key of other clients.')
  return `${JSON.stringify({ title: 'Sluice settings', allowComments: true, allowTrailingCommas: true, ...schema }, null, 2)}\n`
}

const foreign = (description: string): EditableSchema =>
  ({ description, deprecated: true }) as unknown as EditableSchema
