import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plantedIn, root, whyNotPlantable, type ListedFault } from './lists.ts'

export type Verdict = 'noticed' | 'survived' | 'not plantable' | 'tests broken'

export interface Outcome {
  readonly fault: ListedFault
  readonly verdict: Verdict
  readonly detail: string
}

interface TestReport {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Longer than any test's limit: tests that hang have noticed the fault. */
const LONGEST_MS = 300_000

/** Runs test files in a copy of the tree. Undefined: a time-out, or no report. */
async function runTests(folder: string, tests: readonly string[]): Promise<TestReport | undefined> {
  const out = mkdtempSync(join(tmpdir(), 'sluice-mutants-report-'))
  const file = join(out, 'report.json')
  const { CI: _CI, ...env } = process.env
  // Its own process group, so that everything the tests started ends with them.
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...tests,
      '--reporter=json',
      `--outputFile=${file}`,
      '--maxWorkers=1',
      '--bail=1',
    ],
    { cwd: folder, stdio: 'ignore', detached: true, env },
  )
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Already ended.
    }
  }
  const timer = setTimeout(end, LONGEST_MS * Math.max(1, tests.length / 4))
  await new Promise((done) => child.on('close', done))
  clearTimeout(timer)
  end()
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestReport
  } catch {
    return undefined
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

const failuresOf = (report: TestReport): string[] =>
  report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  )

/** Why the tests fail without a fault; undefined if they pass. */
export async function whyBroken(folder: string, tests: readonly string[]): Promise<string | undefined> {
  const report = await runTests(folder, tests)
  if (!report) return 'they did not end.'
  const [failed] = failuresOf(report)
  if (failed !== undefined) return `"${failed}" fails.`
  return report.numPassedTests === 0 ? 'none of them ran.' : undefined
}

/** Plants a fault in a copy of the tree, runs its tests there, and removes it. */
export async function tryFault(folder: string, fault: ListedFault): Promise<Outcome> {
  const problem = whyNotPlantable(fault, folder)
  if (problem !== undefined) return { fault, verdict: 'not plantable', detail: problem }
  const path = join(folder, fault.file)
  const text = readFileSync(path, 'utf8')
  try {
    writeFileSync(path, plantedIn(text, fault))
    const report = await runTests(folder, fault.tests)
    if (!report) return { fault, verdict: 'noticed', detail: 'the tests did not end' }
    const [failed] = failuresOf(report)
    if (failed !== undefined) return { fault, verdict: 'noticed', detail: failed }
    const crashed = report.testResults.find(({ message }) => message !== '')
    // A file that fails to load shows that the planted text is invalid, not that a test covers it.
    if (crashed) return { fault, verdict: 'tests broken', detail: crashed.message.slice(0, 300) }
    return { fault, verdict: 'survived', detail: `${report.numPassedTests} tests passed` }
  } finally {
    writeFileSync(path, text)
  }
}
