// `npm run demo`: Sluice in front of two official MCP servers, called through an ordinary MCP client on real input of this
// machine. Everything happens in a temporary folder, which is gone afterwards.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { countTokens } from '../../electron/engine/compression/tokens/count-tokens.ts'
import { formatTable } from '../../electron/cli/format-table.ts'

const root = realpathSync(resolve(import.meta.dirname, '../..'))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-demo-')))
const dataDir = join(folder, 'data')
const packageFile = (name: string, path: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path)

/** The manual of npm itself, which lies on every machine that has npm: a real page with navigation around it. */
const manual = join(dirname(process.env['npm_execpath'] ?? ''), '../docs/output/using-npm/config.html')
const page = process.env['npm_execpath'] && existsSync(manual) ? realpathSync(manual) : undefined

const servers = {
  files: {
    command: process.execPath,
    args: [
      packageFile('@modelcontextprotocol/server-filesystem', 'dist/index.js'),
      root,
      folder,
      ...(page === undefined ? [] : [dirname(page)]),
    ],
  },
  everything: {
    command: process.execPath,
    args: [packageFile('@modelcontextprotocol/server-everything', 'dist/index.js')],
  },
}
const settings = {
  servers,
  // The demo's servers come from this repository's own lock file; at home a new server waits for your approval.
  approvals: { firstSight: 'trust' },
  compression: { goalParameter: 'always' },
  logLevel: 'debug',
}

interface Shown {
  readonly what: string
  readonly before: number
  readonly after: number
  readonly strategy: string
  readonly ms: number
  readonly id: string | undefined
  readonly text: string
}

const client = new Client({ name: 'demo', version: '1.0.0' })

async function call(what: string, name: string, args: Record<string, unknown>): Promise<Shown> {
  const start = performance.now()
  const result = await client.callTool({ name, arguments: args })
  const ms = performance.now() - start
  const text = textOf(result)
  const mark: unknown = result._meta?.['sluice/result']
  const facts = typeof mark === 'object' && mark !== null ? (mark as Record<string, unknown>) : {}
  const after = countTokens(text)
  return {
    what,
    before: Number(facts['tokensBefore'] ?? after),
    after,
    strategy: typeof facts['strategy'] === 'string' ? facts['strategy'] : 'passed as it is',
    ms,
    id: typeof facts['id'] === 'string' ? facts['id'] : undefined,
    text,
  }
}

const textOf = (result: { content?: unknown }): string =>
  (Array.isArray(result.content) ? result.content : [])
    .map((block: { text?: unknown }) => (typeof block.text === 'string' ? block.text : ''))
    .join('')

/** All pages of a stored result, read back one by one: each answer names the call that goes on. */
async function readBack(id: string): Promise<string> {
  const pages: string[] = []
  for (let args: Record<string, unknown> | undefined = { id, max_tokens: 20_000 }; args;) {
    const result = await client.callTool({ name: 'proxy_read', arguments: args })
    const [shown, trailer] = result.content as { text?: string }[]
    pages.push(shown?.text ?? '')
    const next = /proxy_read (\{.*\})/.exec(trailer?.text ?? '')?.[1]
    args = next === undefined ? undefined : { max_tokens: 20_000, ...JSON.parse(next) }
  }
  return pages.join('')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
const say = (text = ''): void => void process.stdout.write(`${text}\n`)
let failures = 0
const prove = (claim: string, holds: boolean): void => {
  if (!holds) failures++
  say(`  ${holds ? 'yes' : 'NO '}  ${claim}`)
}

async function main(): Promise<void> {
  writeFileSync(join(folder, 'note.txt'), 'A small file.\n')
  await startEngine()
  say(
    `Two official servers, one client, Sluice in between. ${(await client.listTools()).tools.length} tools.\n`,
  )
  // Makes the log that is read below a real one: the engine writes it about these very calls.
  for (let i = 0; i < 150; i++) {
    await client.callTool({ name: 'everything__echo', arguments: { message: `call ${i}` } })
  }
  const lockFile = join(root, 'package-lock.json')
  const log = join(folder, 'engine.log')
  writeFileSync(log, readFileSync(join(dataDir, 'logs', 'sluice.log'), 'utf8'))
  const read = (path: string, goal: string): Promise<Shown> =>
    call(
      relative(root, path).startsWith('..') ? path.split('/').slice(-1).join() : relative(root, path),
      'files__read_text_file',
      {
        path,
        _sluice_goal: goal,
      },
    )

  const lock = await read(lockFile, 'which version of zod is locked, and its licence')
  const tree = await call('directory tree of this repository', 'files__directory_tree', {
    path: root,
    excludePatterns: ['node_modules', '.git', 'dist', '.cache'],
    _sluice_goal: 'where are compression strategies',
  })
  const logged = await read(log, 'warnings, and how the servers started')
  const source = await read(
    join(root, 'electron/engine/worker-pool.ts'),
    'what happens to a job whose thread crashes',
  )
  const html = page === undefined ? [] : [await read(page, 'what does the setting save-exact do')]
  const small = await read(join(folder, 'note.txt'), 'anything')
  const calls = [lock, tree, logged, source, ...html, small]

  say(
    formatTable(calls, [
      { title: 'result', value: ({ what }) => what },
      { title: 'tokens', value: ({ before }) => before, right: true },
      { title: '→', value: ({ after }) => after, right: true },
      {
        title: 'saved',
        value: ({ before, after }) => `${Math.round(100 * (1 - after / before))} %`,
        right: true,
      },
      { title: 'strategy', value: ({ strategy }) => strategy },
      { title: 'ms', value: ({ ms }) => Math.round(ms), right: true },
    ]),
  )
  const saved = calls.reduce((sum, { before, after }) => sum + before - after, 0)
  say(`\n${saved.toLocaleString('en-US')} tokens kept out of the context in ${calls.length} calls.\n`)
  say('Is the answer still there?')
  const version: string = JSON.parse(readFileSync(lockFile, 'utf8')).packages['node_modules/zod'].version
  prove(`the lock file's short form names zod ${version}`, lock.text.includes(version))
  prove('the tree still shows the strategies folder', tree.text.includes('strategies'))
  if (html[0]) prove('the manual page still explains save-exact', /exact version/i.test(html[0].text))
  prove('the small file passed untouched', small.text === 'A small file.\n')

  say('\nIs nothing lost?')
  const field = await client.callTool({
    name: 'proxy_filter',
    arguments: { id: lock.id, fields: ['packages["node_modules/zod"]'] },
  })
  prove(`proxy_filter fetches that one entry back from ${lock.id}`, textOf(field).includes(`"${version}"`))
  const [original, back] = [readFileSync(log, 'utf8'), await readBack(logged.id ?? '')]
  prove(
    `proxy_read's pages of the log are the file, byte for byte (SHA-256 ${sha256(original)} = ${sha256(back)})`,
    original === back,
  )
}

async function startEngine(): Promise<void> {
  const { mkdirSync } = await import('node:fs')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'config.json'), JSON.stringify(settings, undefined, 2))
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'electron/cli.ts'), 'connect', '--data-dir', dataDir, '--client', 'demo'],
      stderr: 'ignore',
    }),
  )
}

try {
  await main()
} finally {
  await client.close().catch(() => {})
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
if (failures > 0) process.exitCode = 1
