/**
 * `npm run conformance [-- --details]`: the official conformance suite against the reference server directly, through
 * Sluice, and against Sluice as a client. Prints the tables of docs/conformance.md; exits with 1 when a check passes
 * directly but not through Sluice without a reason in exceptions.ts, or when a reason no longer applies.
 */
import { parseArgs } from 'node:util'
import { clientScenarios, runAsClient } from './client-scenarios.ts'
import { compare, exceptions } from './exceptions.ts'
import { openRoutes, type Route } from './routes.ts'
import { runServerSuite, type SuiteResult, type Version, versions } from './run-suite.ts'

const { values } = parseArgs({ options: { details: { type: 'boolean', default: false } } })
const unexplained: string[] = []
const usedReasons = new Set<string>()

function row(route: Route, { counts }: SuiteResult, missing: ReturnType<typeof compare>): void {
  const excepted = missing.filter(({ reason }) => reason !== undefined).length
  console.log(`| ${route.name} | ${counts.passed} | ${missing.length} | ${excepted} |`)
  for (const { key, why, reason } of missing) {
    if (values.details) console.log(`  - ${key}: ${why}`)
    if (reason === undefined) unexplained.push(`${route.name}: ${key}: ${why}`)
    else usedReasons.add(reason)
  }
}

const routes = await openRoutes()
try {
  console.log('| route | passed | direct only | of these with a reason |\n|---|---|---|---|')
  const direct = new Map<Version, SuiteResult>()
  for (const route of routes.direct) {
    const result = await runServerSuite(route.url, route.version)
    direct.set(route.version, result)
    row(route, result, [])
    for (const [key, why] of result.failed) unexplained.push(`${route.name}: ${key}: ${why}`)
  }
  for (const route of routes.through) {
    const result = await runServerSuite(route.url, route.version)
    const expected = direct.get(route.version)
    if (expected) row(route, result, compare(expected, result, route))
  }
} finally {
  await routes.close()
}

console.log('\n| client scenario | revision | passed | failed |\n|---|---|---|---|')
for (const version of versions)
  for (const scenario of clientScenarios(version)) {
    const { counts, failed } = await runAsClient(scenario, version)
    console.log(`| ${scenario} | ${version} | ${counts.passed} | ${counts.failed} |`)
    for (const [key, why] of failed) unexplained.push(`as a client, ${version}: ${key}: ${why}`)
  }

for (const { reason, isSometimes } of exceptions)
  if (!usedReasons.has(reason) && !isSometimes)
    unexplained.push(`No check needs this reason any more: ${reason}`)
if (unexplained.length > 0) {
  console.log(`\nNot explained:\n${unexplained.map((line) => `- ${line}`).join('\n')}`)
  process.exitCode = 1
}
