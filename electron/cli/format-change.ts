import type { ChangeFinding } from '../engine/scan-change.ts'
import type { ChangedPlace, ReadableChange, WordRun } from '../engine/approvals/describe-change.ts'

const STATE = { new: 'NEW', changed: 'CHANGED', removed: 'GONE' } as const

/** One change for a terminal: `[-removed-]` and `{+added+}` words, findings under their place. */
export function formatChange(
  change: ReadableChange & { readonly findings: readonly ChangeFinding[] },
): string {
  const title = `${STATE[change.change]}  ${change.serverId}: ${change.kind} ${change.name}`.trimEnd()
  const denied = change.denied ? '  (denied before)' : ''
  const lines = change.places.map((place) => formatPlace(place))
  const findings = change.findings.map(
    ({ path, reason, score }) => `    ! ${path ? `${path}: ` : ''}${reason} (${Math.round(score * 100)} %)`,
  )
  return [`${title}${denied}  ${change.hash.slice(0, 20)}`, ...lines, ...findings, ''].join('\n')
}

function formatPlace({ path, runs }: ChangedPlace): string {
  const text = runs.map((run) => formatRun(run)).join('')
  const label = path === '' ? '' : `${path}: `
  return `    ${label}${text.replaceAll('\n', '\n      ')}`
}

const formatRun = ({ text, state }: WordRun): string => {
  if (state === 'added') return `{+${text}+}`
  return state === 'removed' ? `[-${text}-]` : text
}
