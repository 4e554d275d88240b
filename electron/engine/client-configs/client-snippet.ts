import { fromPairs } from './formats/edit-value.ts'
import type { ClientSpec } from './client-spec.ts'
import type { Launcher } from './entries/sluice-entry.ts'
import { sluiceEntry } from './entries/sluice-entry.ts'
import type { ConfigPath } from './formats/config-node.ts'
import { formatOf } from './load-client-file.ts'

/** To paste if no file was found: one entry for all servers. */
export function clientSnippet(client: ClientSpec, launcher: Launcher, path: string): string {
  const entry = sluiceEntry(launcher, client, 'sluice', 'all')
  const format = formatOf(path)
  const container: ConfigPath = client.places({})[0]?.path ?? ['mcpServers']
  if (format.name === 'JSON') {
    const nested = container.toReversed().reduce<unknown>((inner, key) => fromPairs([[String(key), inner]]), {
      sluice: entry,
    })
    return JSON.stringify(nested, null, 2)
  }
  const isList = client.id === 'continue'
  const written = format.writePair(['sluice', entry], {
    container,
    layout: 'lines',
    kind: isList ? 'list' : 'map',
    indent: format.name === 'YAML' ? '  ' : '',
    step: '  ',
    eol: '\n',
    prefix: '',
    isMultiline: true,
    asTable: true,
  })
  return format.name === 'TOML' ? written.trimStart() : `${container.join('.')}:\n  ${written}`
}
