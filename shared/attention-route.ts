import type { Attention } from './api/overview.ts'

/** Where the user can act. */
export function attentionRoute({ kind, server, tool }: Pick<Attention, 'kind' | 'server' | 'tool'>): string {
  const named = [server, tool]
    .filter((name) => name !== undefined)
    .map((name) => `/${encodeURIComponent(name)}`)
  switch (kind) {
    case 'server-failed':
      return `/servers${named[0] ?? ''}`
    case 'settings-problem':
      return '/settings?view=text'
    case 'approvals-waiting':
    case 'approvals-unreadable':
      return '/approvals'
    case 'quarantine':
      return '/quarantine'
    default:
      return `/tools${named.join('')}`
  }
}
