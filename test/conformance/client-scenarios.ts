import { resolve } from 'node:path'
import { runClientScenario, type SuiteResult, type Version } from './run-suite.ts'

const CLIENT = resolve(import.meta.dirname, 'client-through-sluice.ts')

/** From both revisions. Extensions (client credentials, DPoP, identity assertions) are not part of Sluice. */
const auth = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
].map((name) => `auth/${name}`)

const scenarios: Readonly<Record<Version, readonly string[]>> = {
  '2025-11-25': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    'json-schema-2020-12-preservation',
    ...auth,
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
    ...auth,
    'auth/resource-mismatch',
    'auth/offline-access-scope',
    'auth/offline-access-not-supported',
    'auth/authorization-server-migration',
    'auth/iss-supported',
    'auth/iss-not-advertised',
    'auth/iss-supported-missing',
    'auth/iss-wrong-issuer',
    'auth/iss-unexpected',
    'auth/iss-normalized',
    'auth/metadata-issuer-mismatch',
  ],
}

export const clientScenarios = (version: Version): readonly string[] => scenarios[version]

/** The suite's server of one scenario is Sluice's upstream; an SDK client in front of Sluice does what it asks for. */
export const runAsClient = (scenario: string, version: Version): Promise<SuiteResult> =>
  runClientScenario(`${process.execPath} ${CLIENT}`, scenario, version)
