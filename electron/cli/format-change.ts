import {
  listPlaces,
  type ChangedPlace,
  type ReadableChange,
  type WordRun,
} from '../engine/approvals/describe-change.ts'
import { cleanText } from '../engine/guardrails/control-characters.ts'
import type { ChangeFinding } from '../engine/guardrails/scan-change.ts'
import { formatDefinition, quoted } from './format-definition.ts'

export interface ChangeToFormat extends ReadableChange {
  readonly findings: readonly ChangeFinding[]
  /** As received. */
  readonly definition: unknown
}

const STATE = { new: 'NEW', changed: 'CHANGED', removed: 'GONE' } as const

const visible = (text: string): string => cleanText(text, 'visualise')

/**
 * New definitions in full; changed ones only where they differ, with `[-removed-]` and `{+added+}` words, followed by
 * findings.
 */
export function formatChange(change: ChangeToFormat): string {
  const title = `${STATE[change.change]}  ${change.serverId}: ${change.kind} ${change.name}`.trimEnd()
  const denied = change.denied ? '  (denied before)' : ''
  const findings = change.findings.map(
    ({ path, reason, score }) =>
      `! ${path ? `${visible(path)}: ` : ''}${reason} (${Math.round(score * 100)} %)`,
  )
  const body = change.change === 'new' ? newLines(change) : change.places.map((place) => formatPlace(place))
  return [
    `${title}${denied}  ${change.hash.slice(0, 20)}`,
    ...[...body, ...findings].map((line) => `    ${line.replaceAll('\n', '\n    ')}`),
    '',
  ].join('\n')
}

function newLines({ kind, definition }: ChangeToFormat): string[] {
  if (kind === 'instructions' && definition === null) return ['none']
  const { lines, printed } = formatDefinition(kind, definition)
  const others = listPlaces(definition)
    .filter(({ path }) => !printed.has(path))
    .map(({ path, text }) => (path === '' ? quoted(text) : `${path}: ${continued(text)}`))
  return [...lines, ...others].map(visible)
}

export function formatPlace({ path, runs }: ChangedPlace): string {
  const text = runs.map((run) => formatRun(run)).join('')
  return path === '' ? quoted(text) : `${path}: ${continued(text)}`
}

const continued = (text: string): string => text.replaceAll('\n', '\n│ ')

const formatRun = ({ text, state }: WordRun): string => {
  if (state === 'added') return `{+${text}+}`
  return state === 'removed' ? `[-${text}-]` : text
}
