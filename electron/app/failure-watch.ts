/** Clients retry, so one failure isn't reported. */
const FAILURES = 2
const WITHIN_MS = 10 * 60_000

/** `now`: Unix milliseconds. */
export function createFailureWatch(now: () => number) {
  const failures = new Map<string, number[]>()
  const notified = new Set<string>()
  return {
    noteFailed: (serverId: string): boolean => {
      const recent = [...(failures.get(serverId) ?? []), now()].filter((at) => at > now() - WITHIN_MS)
      failures.set(serverId, recent)
      if (recent.length < FAILURES || notified.has(serverId)) return false
      notified.add(serverId)
      return true
    },
    noteReady: (serverId: string): void => {
      failures.delete(serverId)
      notified.delete(serverId)
    },
  }
}
