import type { Attention } from '../../../shared/api/overview.ts'

/** Of one kind; more become one item that counts them. */
const FEW = 2

type Kind = Attention['kind']

/** What is said of many of a kind. `items` is longer than `FEW`. */
const titles: Partial<Record<Kind, (items: readonly Attention[]) => string>> = {
  'server-failed': (items) => `${items.length} servers are not available`,
  'approvals-waiting': (items) =>
    `${items.reduce((sum, { count = 1 }) => sum + count, 0)} changes of ${items.length} servers wait for you`,
  quarantine: (items) => `${items.length} results were quarantined`,
  'costs-more-than-it-saves': (items) => `${items.length} tools hardly save anything, or cost more`,
}

/** Keeps the order of the kinds. */
export function gatherAttention(found: readonly Attention[]): Attention[] {
  return [...Map.groupBy(found, ({ kind }) => kind)].flatMap(([kind, items]) => {
    const title = titles[kind]
    const [first] = items
    if (!title || !first || items.length <= FEW) return items
    const names = [
      ...new Set(
        items.map(({ server, tool }) => (kind === 'costs-more-than-it-saves' ? tool : server) ?? ''),
      ),
    ]
    return [{ kind, urgency: first.urgency, title: title(items), detail: names.join(', ') }]
  })
}
