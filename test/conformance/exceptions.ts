import type { Route } from './routes.ts'
import type { SuiteResult } from './run-suite.ts'

interface Exception {
  readonly applies: (route: Route) => boolean
  /** Prefixes of check names, as `scenario: id`. */
  readonly checks: readonly string[]
  readonly reason: string
  readonly isSometimes?: boolean
}

/** Checks that pass directly but not through Sluice, and why. */
export const exceptions: readonly Exception[] = [
  {
    applies: ({ version }) => version === '2025-11-25',
    checks: ['server-sse-polling: server-sse-disconnect-resume'],
    reason:
      'The suite asks what happens after the server ended the stream of a call: the reference server does, and Sluice rides that out and keeps its own stream open, so there is nothing to take up again. The suite notes that and scores nothing.',
  },
  {
    applies: ({ version, serverEra }) => version === '2026-07-28' && serverEra === 'legacy',
    checks: ['input-required-result-basic-elicitation: ', 'input-required-result-ignore-extra-params: '],
    reason:
      'The scenario wants the question under the key "user_name". Questions of 2025-11-25 have no keys: Sluice names them elicitation-1 and so on.',
  },
  {
    applies: ({ version, serverEra }) => version === '2026-07-28' && serverEra === 'legacy',
    checks: [
      'server-stateless: sep-2575-server-rejects-undeclared-capability',
      'server-stateless: sep-2575-missing-capability-http-400',
    ],
    reason:
      "A server of 2025-11-25 that needs what its client can't do has no error for it, and says so in a result of its own words.",
  },
  {
    applies: ({ version, serverEra }) => version === '2026-07-28' && serverEra === 'legacy',
    isSometimes: true,
    checks: ['server-stateless: sep-2575-http-server-no-independent-requests-on-stream'],
    reason:
      'The call names other capabilities than those before it, so that the older server is started once more to be told of them; the suite waits 0.6 s.',
  },
]

/** What passes directly but not here, with the reason of its exception if any. */
export function compare(direct: SuiteResult, through: SuiteResult, route: Route) {
  const missing = [...direct.passed].filter((key) => !through.passed.has(key))
  return missing.map((key) => {
    const exception = exceptions.find(
      ({ applies, checks }) => applies(route) && checks.some((start) => key.startsWith(start)),
    )
    const why = through.failed.get(key) ?? 'was not reached'
    return { key, why, reason: exception?.reason }
  })
}
