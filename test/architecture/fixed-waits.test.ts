import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createRequire } from 'node:module'
import type TypeScript from 'typescript'
import { expect, it } from 'vitest'

/**
 * A test that checks after a fixed time can pass before the fault occurs on a slow machine, or fail too early. The
 * remaining waits are listed by file, with their number and why they do not affect the outcome.
 */
const permitted: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  // Polls until there is a sign.
  'desktop-run.ts': [3, 'between two looks'],
  'filled-engine.ts': [1, 'between two looks'],
  // A time limit; exceeding it fails the test.
  'client-through-sluice.ts': [1, 'a limit'],
  'running-engine.ts': [1, 'a limit'],
  'web-contents.ts': [1, 'a limit'],
  // The duration of a peer, job or machine: at least this long, whatever the load.
  'control.ts': [1, 'a timer of the app’s process, behind the one that is tested'],
  'echo-session.ts': [
    1,
    'the pace of progress, which the SDK’s older client forgets when it comes with the answer',
  ],
  'http-detector.test.ts': [1, 'an answer later than the time limit; both timers are of one process'],
  'http-exchange.test.ts': [1, 'an answer later than the first sign of life; both timers are of one process'],
  'http-resume.test.ts': [1, 'how long a server is away at least'],
  'model-judge.test.ts': [1, 'an answer later than the time limit; both timers are of one process'],
  'negotiate.test.ts': [1, 'a slow start, on fake timers'],
  'open-chat-server.ts': [2, 'the pace of a model'],
  'page-of-engine.ts': [1, 'stands in for the next frame'],
  'range-server.ts': [1, 'the pace of a download'],
  'run-detectors.test.ts': [1, 'a detector that takes a moment'],
  'scan-change.test.ts': [1, 'a detector that takes a moment'],
  'script-time.test.ts': [1, 'how long a process stands still at least: longer than its limit'],
  'stdio-channel.test.ts': [1, 'how long a large message is parsed at least'],
  'worker-pool.test.ts': [1, 'how long a process stands still at least: longer than its limit'],
  // A model gives no sign while it computes an answer, nor does a waiting question.
  'local-model.test.ts': [2, 'a moment of an answer without an end'],
  'model-process.test.ts': [2, 'a moment of an answer without an end'],
}

/** Peers, demonstrations and measurements use time as their subject. */
const ELSEWHERE = /^test\/(?:bench|demo|fixtures|mutants|screenshots|soak|train|transparency)\//

// As Node loads it: bundling it for the test would take seconds.
const ts = createRequire(import.meta.url)('typescript') as typeof TypeScript
const root = join(import.meta.dirname, '../..')

/** Lines of calls that wait longer than zero. */
function waitsIn(path: string): number[] {
  const text = readFileSync(join(root, path), 'utf8')
  if (!/setTimeout|waitForTimeout|timers\/promises/.test(text)) return []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const names = new Map([['setTimeout', 1]])
  const lines: number[] = []
  const visit = (node: TypeScript.Node): void => {
    if (ts.isImportDeclaration(node) && node.moduleSpecifier.getText().includes('timers/promises')) {
      const bindings = node.importClause?.namedBindings
      for (const each of bindings && ts.isNamedImports(bindings) ? bindings.elements : [])
        if ((each.propertyName ?? each.name).text === 'setTimeout') names.set(each.name.text, 0)
    }
    if (ts.isCallExpression(node)) {
      const { expression } = node
      const called = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
      const time = node.arguments[called === 'waitForTimeout' ? 0 : (names.get(called) ?? Infinity)]
      if (time && time.getText() !== '0')
        lines.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines
}

it('no test is decided by a fixed wait: those that are left are listed with a reason', () => {
  const found = globSync('test/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !ELSEWHERE.test(path))
    .flatMap((path) => {
      const lines = waitsIn(path)
      return lines.length === 0 ? [] : [{ path, lines }]
    })
  const unlisted = found.filter(({ path, lines }) => lines.length > (permitted[basename(path)]?.[0] ?? 0))
  expect(unlisted.map(({ path, lines }) => `${path}: ${lines.join(', ')}`)).toEqual([])
  // Fixed waits are removed from the list.
  const counts = Object.fromEntries(found.map(({ path, lines }) => [basename(path), lines.length]))
  const excess = Object.entries(permitted).filter(([name, [count]]) => (counts[name] ?? 0) < count)
  expect(excess.map(([name]) => name)).toEqual([])
})

/** A limit below this is exceeded on a busy machine. */
const SHORTEST_LIMIT_MS = 60_000
const LIMITS =
  /\bvi\.waitFor\(|\bvi\.waitUntil\(|\b(?:waitFor|poll|waitForFunction)\([^\n]*\{[^}\n]*\btimeout: ([\d_]+)/g

it('what is waited for has time: limits only give up a test that can’t go on', () => {
  const short = globSync('test/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !ELSEWHERE.test(path) && basename(path) !== 'wait-for.ts')
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(LIMITS)]
        .filter(([, ms = '0']) => Number(ms.replaceAll('_', '')) < SHORTEST_LIMIT_MS)
        .map(([text]) => `${path}: ${text}`),
    )
  // Instead: waitFor of test/helpers, or expect.poll and the pages' waits without a limit of their own.
  expect(short.filter((line) => !line.startsWith('test/architecture/'))).toEqual([])
})
