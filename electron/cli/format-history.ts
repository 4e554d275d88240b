import { describeChange } from '../engine/approvals/describe-change.ts'
import type { HistoryEntry } from '../engine/approvals/pin.ts'
import { cleanText } from '../engine/guardrails/control-characters.ts'
import { withoutSecrets } from '../engine/screens/waiting-change.ts'
import { formatPlace } from './format-change.ts'

const visible = (text: string): string => cleanText(text, 'visualise')

export const formatHistory = (entries: readonly HistoryEntry[]): string =>
  entries.length === 0 ? 'Nothing was decided yet.' : entries.map(formatEntry).join('\n')

function formatEntry(entry: HistoryEntry): string {
  const { at, serverId, kind, name, action, by } = entry
  const when = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  const what = visible(`${kind} ${name}`.trim())
  return [`${when}  ${serverId}: ${what}  ${action}  by ${visible(by)}`, ...differenceOf(entry)].join('\n')
}

/** Empty for new and removed definitions. */
function differenceOf(entry: HistoryEntry): string[] {
  const { before, after, identity, serverId, kind, name, at } = entry
  if (before === undefined || after === undefined || before === after) return []
  const change = {
    identity,
    serverId,
    kind,
    name,
    change: 'changed',
    hash: '',
    at,
    deniedAt: undefined,
  } as const
  const { places } = describeChange(withoutSecrets({ ...change, definition: after, before }), visible)
  return places.map((place) => `    ${formatPlace(place).replaceAll('\n', '\n    ')}`)
}
