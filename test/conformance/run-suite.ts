import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const CLI = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

export const versions = ['2025-11-25', '2026-07-28'] as const
export type Version = (typeof versions)[number]

const Check = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
  errorMessage: z.string().optional(),
})

export interface SuiteResult {
  /** Passed checks, as `scenario: id`; repeated checks must pass in every run. */
  readonly passed: ReadonlySet<string>
  /** Failures and warnings, with the suite's messages. */
  readonly failed: ReadonlyMap<string, string>
  /** Passed and failed checks, counting every run, as the suite does. */
  readonly counts: { readonly passed: number; readonly failed: number }
}

/**
 * `tasks-*` test an extension that neither the SDK's server nor Sluice has; no server of the suite passes them, and
 * they are not scored.
 */
const isLeftOut = (scenario: string): boolean => scenario.startsWith('tasks-')

/** Runs all scenarios that a protocol revision requires, and the suite's unscored ones, against a server. */
export async function runServerSuite(url: string, version: Version): Promise<SuiteResult> {
  return runSuite(['server', '--url', url, '--requirements', version])
}

/** Runs one scenario against a client: `command` gets the address of the suite's server as its last argument. */
export async function runClientScenario(
  command: string,
  scenario: string,
  version: Version,
): Promise<SuiteResult> {
  return runSuite(['client', '--command', command, '--scenario', scenario, '--spec-version', version])
}

async function runSuite(args: readonly string[]): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-conformance-'))
  try {
    const child = spawn(process.execPath, [CLI, ...args, '--output-dir', folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)))
    await new Promise((done) => child.once('close', done))
    const result = readResults(folder)
    if (result.counts.passed + result.counts.failed > 0) return result
    throw new Error(`The conformance suite wrote no results for ${args.join(' ')}:\n${output}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readResults(folder: string): SuiteResult {
  const passed = new Set<string>()
  const failed = new Map<string, string>()
  const counts = { passed: 0, failed: 0 }
  for (const { scenario, checks } of resultsIn(folder)) {
    for (const { id, name, status, errorMessage } of checks) {
      const key = `${scenario}: ${id}`
      if (status === 'SUCCESS') {
        counts.passed++
        passed.add(key)
      } else if (status === 'FAILURE' || status === 'WARNING') {
        counts.failed++
        failed.set(key, `${name}: ${errorMessage ?? status}`)
      }
    }
  }
  for (const key of failed.keys()) passed.delete(key)
  return { passed, failed, counts }
}

function resultsIn(folder: string): { scenario: string; checks: z.infer<typeof Check>[] }[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('checks.json'),
  )
  return files.flatMap((path) => {
    const scenario = path
      .replace(/[/\\]checks\.json$/, '')
      .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
      .replace(/^server-/, '')
    const file = join(folder, path)
    if (isLeftOut(scenario) || !existsSync(file)) return []
    return [{ scenario, checks: z.array(Check).parse(JSON.parse(readFileSync(file, 'utf8'))) }]
  })
}
