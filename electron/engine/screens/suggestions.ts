import type { Suggestion } from '../../../shared/api/stats.ts'
import { suggestPolicy, type ToolNeed } from '../ledger/tool-needs.ts'
import { NO_STRATEGY } from '../ledger/call-sums.ts'
import { LIST_ROW, OWN_SERVER, type LedgerEntry } from '../ledger/ledger-entries.ts'
import { foldEntries, type LedgerReport } from '../ledger/ledger-report.ts'
import { withNet } from '../ledger/savings.ts'

const FEW_CALLS = 3
/** With a larger share fetched, shortening was mostly useless. */
const MOSTLY_READ_BACK = 0.5

/** What stands in place of a blocked or quarantined result, and a guard's notes: no setting of compression changes them. */
const withoutNotices = (entry: LedgerEntry): LedgerEntry =>
  entry.strategy === NO_STRATEGY ? withNet({ ...entry, before: 0, after: 0 }) : entry

/** Sluice cost more than it saved, results were mostly fetched, or models always wanted more; costliest first. */
export function findSuggestions(
  { entries }: Pick<LedgerReport, 'entries'>,
  needs: readonly ToolNeed[],
): Suggestion[] {
  return foldEntries(entries.map(withoutNotices))
    .byTool.filter(
      ({ calls, server, tool }) => calls >= FEW_CALLS && server !== OWN_SERVER && tool !== LIST_ROW,
    )
    .flatMap(({ server, tool, calls, net, before, after, added, fetched }): Suggestion[] => {
      const kept = before - after
      const base = { server, tool, calls, net }
      const need = needs.find((each) => each.server === server && each.tool === tool)
      const policy = need && suggestPolicy(need)
      if (policy) return [{ ...base, suggestion: policy.suggestion }]
      if (kept > 0 && fetched >= kept * MOSTLY_READ_BACK) {
        const share = Math.round((100 * fetched) / kept)
        return [
          {
            ...base,
            suggestion: `${share} % of what was left out was read back. Raise its compression.maxOutputTokens, or set compression.strategy to off for it.`,
          },
        ]
      }
      if (net >= 0) return []
      return [
        {
          ...base,
          suggestion:
            added > 0
              ? `Sluice's own parameters cost ${added} tokens and saved ${kept}. Set compression.goalParameter to never for it.`
              : 'Its results got longer. Set compression.strategy to off for it.',
        },
      ]
    })
    .sort((a, b) => a.net - b.net)
}
