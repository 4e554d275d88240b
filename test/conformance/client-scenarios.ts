import { resolve } from 'node:path'
import { runClientScenario, type SuiteResult, type Version } from './run-suite.ts'

const CLIENT = resolve(import.meta.dirname, 'client-through-sluice.ts')

/** Without `auth/*`: OAuth is not part of Sluice yet. */
const scenarios: Readonly<Record<Version, readonly string[]>> = {
  '2025-11-25': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    'json-schema-2020-12-preservation',
  ],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    'json-schema-2020-12-preservation',
  ],
}

export const clientScenarios = (version: Version): readonly string[] => scenarios[version]

/** The suite's server of one scenario is Sluice's upstream; a client of the SDK in front of Sluice does what it asks for. */
export const runAsClient = (scenario: string, version: Version): Promise<SuiteResult> =>
  runClientScenario(`${process.execPath} ${CLIENT}`, scenario, version)
