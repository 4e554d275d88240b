import type { ModelSettings } from '../../../shared/model-settings.ts'
import type { Models } from '../../engine/models/models.ts'
import { formatTable } from '../format-table.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly bytes: number
  readonly contextTokens: number
  readonly licence: string
  readonly state: string
  readonly isInUse: boolean
  readonly outputTokensPerSecond: number | undefined
}

export function listModels(
  models: Models,
  { use, endpoint }: ModelSettings,
  { json }: { json: boolean },
): string {
  const rows = toRows(models, use)
  if (json) return `${JSON.stringify(rows, null, 2)}\n`
  const table = formatTable(rows, [
    { title: '', value: ({ isInUse }) => (isInUse ? '*' : '') },
    { title: 'id', value: ({ id }) => id },
    { title: 'name', value: ({ name }) => name },
    { title: 'MB', value: ({ bytes }) => Math.round(bytes / 1e6), right: true },
    { title: 'context', value: ({ contextTokens }) => contextTokens, right: true },
    { title: 'tokens/s', value: (row) => row.outputTokensPerSecond?.toFixed(1) ?? '', right: true },
    { title: 'licence', value: ({ licence }) => licence },
    { title: 'state', value: ({ state }) => state },
  ])
  const notes = models.catalogue.flatMap(({ name, licenceNote }) =>
    licenceNote === undefined ? [] : [`${name}: ${licenceNote}`],
  )
  const address =
    endpoint && `${use === 'endpoint' ? '* ' : ''}endpoint: ${endpoint.model} at ${endpoint.baseUrl}`
  const inUse = use === undefined ? 'No model is in use.' : '* is in use.'
  return `${[table, '', ...(address ? [address] : []), inUse, ...notes].join('\n')}\n`
}

function toRows({ library, catalogue, downloads, speeds }: Models, use: string | undefined): Row[] {
  const installed = library.list()
  const coming = downloads.list()
  const ids = new Set([...installed.map(({ id }) => id), ...catalogue.map(({ id }) => id)])
  return [...ids].map((id) => {
    const here = installed.find((model) => model.id === id)
    const offered = catalogue.find((model) => model.id === id)
    const download = coming.find((each) => each.id === id)
    const percent = download && Math.floor((download.done * 100) / download.total)
    return {
      id,
      name: offered?.name ?? here?.name ?? id,
      bytes: here?.bytes ?? offered?.bytes ?? 0,
      contextTokens: here?.contextTokens ?? offered?.contextTokens ?? 0,
      licence: offered?.licence ?? '',
      state: here
        ? here.from === 'catalogue'
          ? 'installed'
          : here.from === 'bundled'
            ? 'came with Sluice'
            : 'imported'
        : download
          ? `${download.state === 'elsewhere' ? 'downloading' : download.state}, ${percent} %`
          : 'not downloaded',
      isInUse: use === id,
      outputTokensPerSecond: here && speeds.get(here.sha256)?.outputTokensPerSecond,
    }
  })
}
