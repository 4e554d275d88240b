import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

// Who may import whom in the engine. The rooms are read from the disk, so a new one is bound by these rules or fails.

const engine = join(import.meta.dirname, '../../electron/engine')
const sources = globSync('**/*.ts', { cwd: engine }).map((path) => path.replaceAll('\\', '/'))

/** From the ground up: a room imports from the floors below its own, and nothing of its own floor but types. */
const floors = [
  ['ground'],
  ['chat-endpoint', 'network', 'protocol', 'text'],
  ['work'],
  ['message', 'settings'],
  [
    'approvals',
    'cache',
    'client-configs',
    'compression',
    'guardrails',
    'ledger',
    'masking',
    'models',
    'results',
    'summaries',
    'telemetry',
    'tools',
  ],
  ['clients', 'servers'],
  ['screens'],
]

/** Files that lie in no room. engine-options.ts goes into engine.ts when that has room for it. */
const loose = ['engine-options.ts', 'engine.ts', 'engine.worker.ts']

/** Values that are imported against the rules, each until its importer gets them as an argument. The list may only get shorter. */
const valuesUp = [
  'approvals/create-approvals.ts → guardrails/other-detectors.ts',
  'approvals/create-approvals.ts → guardrails/scan-change.ts',
  'cache/create-cache.ts → approvals/definition-hash.ts',
  'cache/create-cache.ts → compression/compress-result.ts',
  'cache/create-cache.ts → compression/create-compression.ts',
  'cache/create-cache.ts → results/pack-result.ts',
  'clients/listeners.ts → screens/http/admitted-browsers.ts',
  'clients/listeners.ts → screens/http/browser-access.ts',
  'clients/listeners.ts → screens/http/health.ts',
  'clients/listeners.ts → screens/http/serve-dashboard.ts',
  'compression/create-compression.ts → results/reads-files.ts',
  'guardrails/scan-change.ts → masking/mask-for-remote.ts',
  'guardrails/scan-change.ts → masking/search.ts',
  'guardrails/scan-in-worker.ts → compression/joined-texts.ts',
  'ledger/database-reads.ts → results/list-results.ts',
  'ledger/records.ts → results/list-results.ts',
  'ledger/records.ts → results/open-results.ts',
  'results/create-exploration.ts → compression/create-compression.ts',
  'results/create-exploration.ts → guardrails/release-tool.ts',
  'servers/look-at-server.ts → clients/session/read-offer.ts',
  'summaries/create-summarise.ts → compression/create-compression.ts',
  'summaries/create-summarise.ts → guardrails/control-characters.ts',
  'summaries/create-summarise.ts → masking/mask-for-remote.ts',
  'summaries/create-summarise.ts → masking/remote-masking.ts',
  'summaries/create-summarise.ts → models/text-model.ts',
  'text/words/count-terms.ts → compression/rank/goal.ts',
]

/** Types that are imported from a higher floor, each until the type has its place. The list may only get shorter. */
const typesUp = [
  'clients/listeners.ts → screens/create-screens.ts',
  'ground/events.ts → guardrails/guard-result.ts',
  'ground/events.ts → ledger/call-row.ts',
  'ground/events.ts → settings/diff-servers.ts',
  'ground/events.ts → settings/settings-problem.ts',
  'ground/secrets/hide-secrets.ts → client-configs/entries/read-entry.ts',
  'ledger/book-listings.ts → clients/session/session-dependencies.ts',
  'masking/masking.ts → clients/session/session-dependencies.ts',
  'message/treat-content.ts → clients/session/session-dependencies.ts',
  'message/treat-content.ts → compression/compress-result.ts',
  'message/treat-content.ts → guardrails/guard-result.ts',
  'message/treat-content.ts → masking/masking.ts',
  'results/create-exploration.ts → clients/session/session-dependencies.ts',
  'servers/create-servers.ts → engine-options.ts',
  'text/kinds/detect-kind.ts → compression/strategy.ts',
  'text/words/bm25.ts → compression/rank/goal.ts',
  'work/jobs.ts → compression/compress-text.ts',
  'work/jobs.ts → compression/joined-texts.ts',
  'work/jobs.ts → compression/structured-half.ts',
  'work/jobs.ts → guardrails/control-characters.ts',
  'work/jobs.ts → guardrails/detector.ts',
  'work/jobs.ts → guardrails/reveal.ts',
  'work/jobs.ts → ledger/database-reads.ts',
  'work/jobs.ts → masking/find-in-texts.ts',
  'work/jobs.ts → masking/personal-data.ts',
  'work/jobs.ts → results/explore/answer.ts',
  'work/jobs.ts → results/pack-result.ts',
  'work/jobs.ts → results/result-explorer.ts',
  'work/jobs.ts → summaries/check-answer.ts',
  'work/whose-turn.ts → message/call.ts',
]

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

/** Whether nothing of an import or export is left at run time. */
function isTypeAlone(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  const clause = node.importClause
  if (clause === undefined) return false
  const named = clause.namedBindings
  return (
    clause.isTypeOnly ||
    (clause.name === undefined &&
      named !== undefined &&
      ts.isNamedImports(named) &&
      named.elements.length > 0 &&
      named.elements.every(({ isTypeOnly }) => isTypeOnly))
  )
}

/** All imports of a file: static, re-exported, dynamic, and in types. */
function importsOf(path: string): Import[] {
  const found: Import[] = []
  const source = ts.createSourceFile(path, readFileSync(join(engine, path), 'utf8'), ts.ScriptTarget.Latest)
  const add = (to: ts.Node | undefined, isType: boolean): void => {
    if (to === undefined || !ts.isStringLiteralLike(to) || !to.text.startsWith('.')) return
    const target = relative(engine, join(engine, dirname(path), to.text)).replaceAll('\\', '/')
    if (!target.startsWith('..')) found.push({ from: path, to: target, isType })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      add(node.moduleSpecifier, isTypeAlone(node))
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const roomOf = (path: string): string | undefined => /^([^/]+)\//.exec(path)?.[1]
/** Loose files are above all rooms. */
const floorOf = (room: string | undefined): number =>
  room === undefined ? floors.length : floors.findIndex((rooms) => rooms.includes(room))
const features = floorOf('tools')

function isAgainstTheRules({ from, to, isType }: Import): boolean {
  const [own, other] = [roomOf(from), roomOf(to)]
  if (own === undefined || own === other) return false
  const [here, there] = [floorOf(own), floorOf(other)]
  if (isType) return there > here
  // A client's session shows tools, which is the whole purpose of that room; all else comes from engine.ts.
  const isOfFeature = here === floorOf('clients') && there === features && other !== 'tools'
  return there >= here || isOfFeature
}

const against = sources.flatMap(importsOf).filter(isAgainstTheRules)
const shown = (isType: boolean): string[] => [
  ...new Set(against.filter((one) => one.isType === isType).map(({ from, to }) => `${from} → ${to}`)),
]

describe('the floors of the engine', () => {
  it('hold every room, and no file lies loose', () => {
    const rooms = new Set(sources.map(roomOf).filter((room) => room !== undefined))
    expect([...rooms].toSorted()).toEqual(floors.flat().toSorted())
    expect(sources.filter((path) => !path.includes('/')).toSorted()).toEqual(loose)
  })

  it('let no value be imported from the same floor or a higher one', () => {
    expect(shown(false).toSorted()).toEqual(valuesUp.toSorted())
  })

  it('let no type be imported from a higher floor', () => {
    expect(shown(true).toSorted()).toEqual(typesUp.toSorted())
  })
})
