import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generateJsonSchema, SCHEMA_ASSET } from '../../electron/engine/settings/settings-json-schema.ts'
import { orderTables } from '../../electron/engine/guardrails/orders/order-model.ts'
import { TOKEN_TABLE, tableOfPackage } from '../../electron/engine/text/tokens/load-token-ranks.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { testServer } from '../helpers/upstream.ts'
import { commands } from '../../electron/cli/commands.ts'
import manifest from '../../package.json' with { type: 'json' }
import { removeFolder } from '../helpers/remove-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const built = join(root, 'dist/electron')
const cli = join(built, 'cli.js')
const isBuilt = existsSync(cli)
if (!isBuilt) console.warn('Skipped: there is no build to look at (npm run build).')

/** The bundler's own, and packages that load nothing. */
const OTHERS = /^chunks\/(?:rolldown-runtime|zod)\.js$/

/** This file and its direct and indirect imports. */
function filesLoadedWith(entry: string): Set<string> {
  const loaded = new Set([entry])
  for (const path of loaded) {
    const imports = readFileSync(join(built, path), 'utf8').matchAll(
      /^(?:import|export)[^'"]*["'](\.[^'"]+)["']/gm,
    )
    for (const [, next = ''] of imports) loaded.add(posix.join(dirname(path), next))
  }
  return loaded
}

describe.skipIf(!isBuilt)('the build', () => {
  test('what finds files by its own place is where it is in the sources', () => {
    const usesPlace = globSync('**/*.js', { cwd: built }).filter(
      (path) => !OTHERS.test(path) && readFileSync(join(built, path), 'utf8').includes('import.meta.'),
    )
    expect(usesPlace).toContain('engine/work/worker-pool.js')
    const moved = usesPlace.filter(
      (path) => !existsSync(join(root, 'electron', dirname(path), `${basename(path, '.js')}.ts`)),
    )
    expect(moved).toEqual([])
  })

  test('an engine starts with few files, and without what finds personal data', () => {
    const loaded = filesLoadedWith('chunks/engine.js')
    // A small file takes about as long to find as to run.
    expect(loaded.size).toBeLessThan(30)
    expect([...loaded]).not.toContain('chunks/re2js.js')
    expect([...loaded]).not.toContain('chunks/ibantools.js')
    expect([...filesLoadedWith('engine/engine.worker.js')]).not.toContain('chunks/engine.js')
  })

  test('no module of Node is imported but by the entry: an import of node:http loads all of fetch', () => {
    const importing = globSync('**/*.js', { cwd: built }).filter((path) =>
      /^import [^'"]* from "node:/m.test(readFileSync(join(built, path), 'utf8')),
    )
    expect(importing).toEqual(['chunks/entry.js'])
    // Which an older Node has not, and it must load these to name or start another.
    for (const path of filesLoadedWith('cli.js'))
      expect(readFileSync(join(built, path), 'utf8')).not.toContain('getBuiltinModule')
  })

  test('no file that is loaded in time only names another', () => {
    const naming = globSync('chunks/*.js', { cwd: built }).filter((path) =>
      /^export \{ [\w$, ]+ \} from "[^"]+";\s*$/.test(readFileSync(join(built, path), 'utf8')),
    )
    expect(naming).toEqual([])
  })

  test('packages that every start needs are a file each, and are read from nowhere else', () => {
    const bundled = Object.keys(manifest.dependencies).filter((name) =>
      existsSync(join(built, 'chunks', `${name}.js`)),
    )
    expect(bundled).toEqual(expect.arrayContaining(['commander', 'diff', 'kysely', 'yaml', 'zod']))
    const named = new RegExp(`(?:from |import\\()"(?:${bundled.join('|')})["/]`)
    const reading = globSync('**/*.js', { cwd: built }).filter((path) =>
      named.test(readFileSync(join(built, path), 'utf8')),
    )
    expect(reading).toEqual([])
  })

  test("what it prepares is what the sources make: tables of gpt-tokenizer's list and the guard's words, the settings' schema", () => {
    const table = readFileSync(join(built, 'engine/text/tokens', TOKEN_TABLE))
    expect(table.equals(tableOfPackage())).toBe(true)
    for (const { name, source } of orderTables(new URL('../../resources/', import.meta.url)))
      expect(readFileSync(join(built, 'engine/guardrails/orders', name)).equals(source)).toBe(true)
    expect(readFileSync(join(built, 'engine/settings', SCHEMA_ASSET), 'utf8')).toBe(generateJsonSchema())
  })

  test('an option before a command makes the program load that command alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
    try {
      const loaded = join(folder, 'loaded')
      const note =
        'import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";' +
        'registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, `${url}\n`); return next(url, context) } })'
      execFileSync(
        process.execPath,
        [
          '--import',
          `data:text/javascript,${encodeURIComponent(note)}`,
          cli,
          '--data-dir',
          folder,
          'secrets',
          'list',
        ],
        { env: { ...process.env, LOADED: loaded } },
      )
      const files = readFileSync(loaded, 'utf8').matchAll(/\/chunks\/([^/]+)\.js$/gm)
      const names = [...files].map(([, name = '']) => name)
      expect(names).toContain('secrets')
      // `start` is also the file of what every start needs, and `version` what the program itself asks for.
      const others = Object.keys(commands).filter((name) => !['secrets', 'start', 'version'].includes(name))
      expect(others.length).toBeGreaterThan(25)
      expect(names.filter((name) => others.includes(name))).toEqual([])
    } finally {
      removeFolder(folder)
    }
  })

  test('compiled code is kept for the next start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
    try {
      const { NODE_COMPILE_CACHE: _ofTheTests, ...own } = process.env
      const env = { ...own, XDG_CACHE_HOME: folder, LOCALAPPDATA: folder, HOME: folder }
      const help = execFileSync(process.execPath, [cli, '--help'], { env, encoding: 'utf8' })
      expect(help).toContain('Commands:')
      expect(globSync('**/compiled/**', { cwd: folder }).length).toBeGreaterThan(5)
    } finally {
      removeFolder(folder)
    }
  })

  test('a call goes through it, and its result is shortened in a worker thread', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
    const client = new RawClient({
      command: process.execPath,
      args: [cli, 'connect', '--data-dir', writeConfig(folder, { one: testServer('big-result') })],
      env: { ...process.env, XDG_CACHE_HOME: folder, LOCALAPPDATA: folder, HOME: folder },
    })
    try {
      await client.initialize()
      const { result } = await client.request('tools/call', {
        name: 'one__log',
        arguments: { bytes: 200_000 },
      })
      expect(result).toMatchObject({ _meta: { 'sluice/result': { strategy: 'log' } } })
    } finally {
      await client.end()
      removeFolder(folder)
    }
  })
})
