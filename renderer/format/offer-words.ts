import type { WaitingChange } from '../../shared/api/approvals.ts'
import type { LookedAtServer } from '../../shared/api/clients.ts'
import { formatNoun } from './numbers.ts'

/** In review order. */
export const OFFER_GROUPS = [
  {
    kind: 'introduction',
    one: 'introduction',
    many: 'introductions',
    title: 'What it says of itself',
  },
  { kind: 'instructions', one: 'instructions', many: 'instructions', title: 'Instructions' },
  { kind: 'tool', one: 'tool', many: 'tools', title: 'Tools' },
  { kind: 'prompt', one: 'prompt', many: 'prompts', title: 'Prompts' },
  { kind: 'resource', one: 'resource', many: 'resources', title: 'Resources' },
  { kind: 'template', one: 'template', many: 'templates', title: 'Resource templates' },
  { kind: 'server', one: 'launch', many: 'launches', title: 'How it is started' },
  { kind: 'variables', one: 'set of values', many: 'sets of values', title: 'Its variables and headers' },
] as const

/** Empty instructions aren't. */
export const isWorthReading = ({ kind, places }: WaitingChange): boolean =>
  kind !== 'instructions' || places.length > 0

/** `14 tools, 2 prompts`. */
export function offerWords({ changes }: Pick<LookedAtServer, 'changes'>): string {
  const counts = OFFER_GROUPS.flatMap(({ kind, one, many }) => {
    const count = changes.filter((change) => change.kind === kind && isWorthReading(change)).length
    if (count === 0 || kind === 'server' || kind === 'variables' || kind === 'introduction') return []
    return [kind === 'instructions' ? one : formatNoun(count, one, many)]
  })
  return counts.join(', ')
}

/** Started, with everything already approved. */
export const isAllKnown = (row: { readonly state: string; readonly looked?: LookedAtServer }): boolean =>
  row.state === 'offers' &&
  (row.looked?.changes ?? []).every((change) => change.denied || !isWorthReading(change))

/** `Approve and wrap 3 servers`, or `Wrap github` if nothing is new. */
export function confirmWords(
  wanted: readonly (Parameters<typeof isAllKnown>[0] & { readonly name: string })[],
  { confirm, confirmKnown }: { readonly confirm: string; readonly confirmKnown: string },
): string {
  const [only] = wanted
  if (!only) return confirm
  const what = wanted.length === 1 ? only.name : formatNoun(wanted.length, 'server')
  return `${wanted.every(isAllKnown) ? confirmKnown : confirm} ${what}`
}

/** 0 to 1; 0 without findings. */
export const surestIn = (changes: readonly WaitingChange[]): number =>
  Math.max(0, ...changes.flatMap(({ findings }) => findings.map(({ score }) => score)))

export const findingsIn = (changes: readonly WaitingChange[]): number =>
  changes.reduce((sum, { findings }) => sum + findings.length, 0)

/** For a line in a list. */
export function firstWords({ places }: WaitingChange): string {
  const described = places.find(({ path }) => path === 'description' || path === 'title' || path === '')
  return described ? described.runs.map(({ text }) => text).join('') : ''
}
