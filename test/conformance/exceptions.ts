import type { Route } from './routes.ts'
import type { SuiteResult } from './run-suite.ts'

interface Exception {
  readonly applies: (route: Route) => boolean
  /** Start of the checks' names, as `scenario: id`. */
  readonly checks: readonly string[]
  readonly reason: string
}

/** Checks that pass directly and not through Sluice, and why. */
export const exceptions: readonly Exception[] = [
  {
    applies: ({ version }) => version === '2025-11-25',
    checks: ['server-sse-polling: '],
    reason:
      'Sluice keeps no events with which a client could take up a broken stream again. The suite itself holds the scenario back as pending, and only warns.',
  },
  {
    applies: ({ version, serverEra }) => version === '2026-07-28' && serverEra === 'legacy',
    checks: [
      'input-required-result-',
      'server-stateless: sep-2575-server-rejects-undeclared-capability',
      'server-stateless: sep-2575-missing-capability-http-400',
    ],
    reason:
      'Servers of 2025-11-25 ask by requests in the course of a call, which clients of 2026-07-28 do not take. Sluice does not carry such a question over yet: it tells the server that this client can\'t be asked, so what the server answers is its own "I can\'t ask".',
  },
]

/** What passes directly and not here: with the reason of its exception, or without one. */
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
