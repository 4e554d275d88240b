import type { CompressText } from '../../electron/engine/compression/compress-text.ts'
import type { Case } from './read-cases.ts'

/** What docs/examples shows: a file per kind of result. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  json: ['geojson-quakes/1', 'npm-registry/1'],
  'json-lines': ['fastify-logs/1'],
  yaml: ['kube-addons/2', 'openapi-yaml/2'],
  toml: ['cargo-lock/2'],
  settings: ['redis-conf/1', 'sysctl/2'],
  xml: ['junit-xml/1', 'maven-pom/2'],
  tables: ['postgres-psql/2', 'birdstrikes-csv/1'],
  metrics: ['node-exporter/2'],
  logs: ['nginx/2', 'python-log/1'],
  reports: ['go-test/1', 'node-checks/2', 'make-gcc/1'],
  listings: ['ripgrep-go/1', 'npm-tree/1'],
  git: ['git-stat-express/1', 'git-patch-flask/1'],
  code: ['server-code/2'],
  documents: ['changelogs/1', 'man-pages/2', 'apache-docs-html/1'],
  snapshots: ['aria-snapshots/1'],
}
const BUDGET = 300
const LINES = 8
const WIDTH = 160

/** Each file of docs/examples, from the cases of test/cases: with a goal, and an overview without one. */
export function writeExamples(cases: readonly Case[], compress: CompressText): Map<string, string> {
  const byId = new Map(cases.map((one) => [one.id, one]))
  const files = Object.entries(SHOWN).map(([kind, ids]): [string, string] => {
    const shown = ids.map((id) => byId.get(id) ?? missing(id))
    const parts = shown.map((one) => example(one, one.goal, compress))
    const [first] = shown
    const overview = first ? example(first, '', compress) : ''
    return [`${kind}.md`, [`# ${title(kind)}`, ...parts, overview].join('\n\n') + '\n']
  })
  return new Map([...files, ['README.md', index()]])
}

const title = (kind: string): string =>
  kind.replace('-', ' ').replace(/^(json|yaml|toml|xml)?./, (start) => start.toUpperCase())

const index = (): string =>
  [
    '# Examples',
    `What \`compress\` makes of results, at ${BUDGET} tokens so that they can be read here. ` +
      'The results are cases of [test/cases](../../test/cases/README.md), where their sources and licences are named; of each the first lines are shown. ' +
      '`npx vitest run test/docs -u` writes these files.',
    Object.keys(SHOWN)
      .map((kind) => `- [${title(kind)}](${kind}.md)`)
      .join('\n'),
  ].join('\n\n') + '\n'

function example(one: Case, goal: string, compress: CompressText): string {
  const output = compress({ text: one.document, goal: goal || undefined, budget: BUDGET })
  const lines = one.document.split('\n')
  const beginning = lines
    .slice(0, LINES)
    .map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line))
  const asked = goal === '' ? 'No goal: an overview' : `Goal: ${goal}`
  return [
    `## ${one.tool}: ${goal === '' ? 'overview' : goal}`,
    `${asked}. The original has ${one.tokens.toLocaleString('en')} tokens in ${lines.length.toLocaleString('en')} lines and begins`,
    fenced(beginning.join('\n')),
    'What the model gets',
    fenced(output.text.trimEnd()),
  ].join('\n\n')
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

function missing(id: string): never {
  throw new Error(`docs/examples: there is no case ${id} in test/cases`)
}
