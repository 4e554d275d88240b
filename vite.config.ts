import { globSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { posix, relative, resolve } from 'node:path'
import { icons as lucide } from '@iconify-json/lucide'
import vue from '@vitejs/plugin-vue'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/helpers/closing-line.ts'
import { WAITING, LongestFirst } from './test/helpers/longest-first.ts'
import { iconNames } from './renderer/design/icon-names.ts'
import manifest from './package.json' with { type: 'json' }

const root = import.meta.dirname
const installed = Object.keys(manifest.dependencies)
const builtin = new Set([...builtinModules, 'electron'])

/** What every start loads, in hundreds of small files: these are bundled, because finding and reading those takes longer. */
const bundled = new Set([
  'canonicalize',
  'commander',
  'cross-spawn',
  'diff',
  'eventsource-parser',
  'ibantools',
  'jsonc-parser',
  'kysely',
  're2js',
  'yaml',
  'zod',
])

/** What the packed app finds in node_modules or in its runtime, and must therefore not be bundled. */
const isExternal = (id: string): boolean =>
  id.startsWith('node:') ||
  builtin.has(id) ||
  installed.some((name) => !bundled.has(name) && (id === name || id.startsWith(`${name}/`)))

/** What something starts by path; each is built to the same place in dist/. */
const nodeEntries = Object.fromEntries(
  globSync(['electron/{cli,main,model-process,sample-server}.ts', 'electron/**/*.worker.ts'], {
    cwd: root,
  }).map((path) => [placeOf(path), resolve(root, path)]),
)

/** Modules that find other files by their own place, and so must be built to the same place, too. */
const knowTheirPlace = new Set(
  globSync('electron/**/*.ts', { cwd: root })
    .filter((path) => readFileSync(resolve(root, path), 'utf8').includes('import.meta'))
    .map(placeOf)
    .filter((place) => !(place in nodeEntries)),
)

/** `electron/cli/version` for that file, on every system. */
function placeOf(path: string): string {
  return relative(root, resolve(root, path)).replaceAll('\\', '/').replace(/\.ts$/, '')
}

/** Bundled packages get a file each, under their name. */
const packageOf = (id: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]

/** What any Node can load, is needed from the first moment of a command, to start an engine, and by an engine besides. */
const needed = {
  entry: ['electron/cli.ts'],
  start: ['electron/cli/run-on-this-process.ts'],
  background: ['electron/engine/clients/connector/start-engine.ts', 'electron/cli/launcher.ts'],
  engine: ['electron/engine/engine.ts'],
  worker: ['electron/engine/engine.worker.ts'],
}

interface Graph {
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null
}

/** All that is loaded with some modules; with `later` also what they load in time. */
function loadedWith(sources: readonly string[], graph: Graph, { later = false } = {}): Set<string> {
  const loaded = new Set(sources.map((path) => resolve(root, path)))
  for (const id of loaded) {
    const info = graph.getModuleInfo(id)
    for (const next of info?.importedIds ?? []) loaded.add(next)
    if (later) for (const next of info?.dynamicallyImportedIds ?? []) loaded.add(next)
  }
  return loaded
}

/**
 * Which of some files a module is built into, if any: a start reads them instead of a hundred small ones. A connector loads
 * `base` and `start`, then `background`, with which it starts an engine; a worker thread `base` and `shared`, and what needs
 * packages (`shared-zod`) only for jobs that need those; an engine all.
 */
function fileAtStart(): (id: string, graph: Graph) => string | null {
  let sets: Record<keyof typeof needed, Set<string>> | undefined
  return (id, graph) => {
    sets ??= {
      entry: loadedWith(needed.entry, graph),
      start: loadedWith(needed.start, graph),
      background: loadedWith(needed.background, graph),
      engine: loadedWith(needed.engine, graph),
      worker: loadedWith(needed.worker, graph, { later: true }),
    }
    if (sets.entry.has(id)) return id === resolve(root, 'electron/cli.ts') ? null : 'entry'
    if (sets.background.has(id) && !sets.start.has(id)) return 'background'
    if (!sets.start.has(id) && !sets.engine.has(id)) return null
    if (sets.start.has(id)) return sets.worker.has(id) ? 'base' : 'start'
    if (!sets.worker.has(id)) return 'engine'
    const packages = new Set([...loadedWith([id], graph)].flatMap((of) => packageOf(of) ?? []))
    return ['shared', ...[...packages].toSorted()].join('-')
  }
}

/**
 * Builtins are taken and not imported: an import makes a view of all their exports, which loads what is never used (that of
 * node:http loads all of fetch, a fifth of an engine's start). Not in the program's entry, which any Node must load.
 */
const takeBuiltins: Plugin = {
  name: 'take-builtins',
  applyToEnvironment: ({ name }) => name === 'node',
  renderChunk: (code, { name }) =>
    name === 'electron/cli' || name === 'entry'
      ? undefined
      : code
          .replaceAll(
            /^import \{([^}]+)\} from "(node:[^"]+)";$/gm,
            (_, names: string, id: string) =>
              `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule("${id}");`,
          )
          .replaceAll(
            /^import (?:\* as )?([\w$]+) from "(node:[^"]+)";$/gm,
            (_, name: string, id: string) => `const ${name} = process.getBuiltinModule("${id}");`,
          ),
}

/** A module that is loaded in time gets a file that only names another: that other is loaded at once instead. */
const skipForwards: Plugin = {
  name: 'skip-forwards',
  applyToEnvironment: ({ name }) => name === 'node',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const beside = (file: string, path: string): string => posix.join(posix.dirname(file), path)
    const forwards = new Map<string, string>()
    for (const { isEntry, fileName, code } of chunks) {
      const target = /^export \{ [\w$, ]+ \} from "(\.[^"]+)";\s*$/.exec(code)?.[1]
      if (target !== undefined && !isEntry && !code.includes(' as '))
        forwards.set(fileName, beside(fileName, target))
    }
    for (const chunk of chunks)
      chunk.code = chunk.code.replaceAll(/\bimport\("(\.[^"]+)"\)/g, (all, path: string) => {
        const target = forwards.get(beside(chunk.fileName, path))
        if (target === undefined) return all
        const found = posix.relative(posix.dirname(chunk.fileName), target)
        return `import("${found.startsWith('.') ? found : `./${found}`}")`
      })
    const imported = new Set(chunks.flatMap(({ imports }) => imports))
    for (const fileName of forwards.keys()) if (!imported.has(fileName)) delete bundle[fileName]
  },
}

/** What every engine reads, and what takes longer to create than to read. */
const prepareData: Plugin = {
  name: 'prepare-data',
  applyToEnvironment: ({ name }) => name === 'node',
  async generateBundle() {
    const { SCHEMA_ASSET, generateJsonSchema } =
      await import('./electron/engine/settings/settings-json-schema.ts')
    const { TOKEN_TABLE, tableOfPackage } = await import('./electron/engine/text/tokens/load-token-ranks.ts')
    const { orderTables } = await import('./electron/engine/guardrails/orders/order-model.ts')
    const folder = 'electron/engine'
    for (const { name, source } of orderTables(new URL('resources/', import.meta.url)))
      this.emitFile({ type: 'asset', fileName: `${folder}/guardrails/orders/${name}`, source })
    this.emitFile({
      type: 'asset',
      fileName: `${folder}/settings/${SCHEMA_ASSET}`,
      source: generateJsonSchema(),
    })
    this.emitFile({
      type: 'asset',
      fileName: `${folder}/text/tokens/${TOKEN_TABLE}`,
      source: tableOfPackage(),
    })
  },
}

/** What the screens' icons are drawn with, so that the page brings no other, and fetches none. */
const iconDrawings = Object.fromEntries(
  iconNames.map((name) => {
    const icon = lucide.icons[name]
    if (!icon) throw new Error(`renderer/design/icon-names.ts names "${name}", which Lucide does not have.`)
    return [name, icon.body]
  }),
)

/** Tests that put something of their own in the place of globals or modules, which the next file would find there. */
const changeTheirProcess = [
  'test/electron/model-process.test.ts',
  'test/renderer/*.test.ts',
  'test/renderer/{pages,state}/**/*.test.ts',
  'test/renderer/components/import-dialog.test.ts',
]

/** Parts of the page alone: they share the page's modules, which Vite transforms. */
const partsOfThePage = ['test/renderer/components/**/*.test.ts']

/** Pages that show the answers of an engine in the same process. */
const besideAnEngine = ['test/renderer/pages/*-with-engine.test.ts']

/** Test files at a time. */
const AT_ONCE = 5

/** Tests of whole programs: they wait for processes of their own for more than half of their time. */
const waitForProcesses = WAITING.map((folder) => `${folder}**/*.test.ts`)

/** On a slow machine the first thing that `npm start` said was which plugin of the build takes long. */
const checks = { pluginTimings: false }

/** Sources run as Node runs them, without Vite's module runner: that looks every import up at each use, a fifth of the time. */
const asNodeRuns = { viteModuleRunner: false, nodeLoader: false }

export default defineConfig({
  root: resolve(root, 'renderer'),
  base: './',
  plugins: [vue(), takeBuiltins, skipForwards, prepareData],
  define: { ICON_DRAWINGS: JSON.stringify(iconDrawings) },
  environments: {
    client: {
      // The charts' library alone is over Vite's limit; it is loaded from this machine, by the screen that needs it.
      build: {
        outDir: resolve(root, 'dist/renderer'),
        emptyOutDir: true,
        chunkSizeWarningLimit: 800,
        // The texts that the licences of the bundled packages ask for.
        license: { fileName: 'licences.json' },
        // One file for what every screen needs: each further one is asked for only when that before it was read.
        rolldownOptions: {
          checks,
          output: {
            codeSplitting: {
              groups: [{ name: 'frame', test: /\/renderer\/(main\.ts|pages\/OverviewPage\.vue)$/ }],
            },
          },
        },
      },
    },
    // Chunks, because loading a few files takes a fraction of the time of loading hundreds; but what is started by path, and
    // what finds other files by its own, lies where it does in the sources.
    node: {
      consumer: 'server',
      build: {
        outDir: resolve(root, 'dist'),
        emptyOutDir: false,
        target: 'node24',
        minify: false,
        copyPublicDir: false,
        rolldownOptions: {
          checks,
          input: nodeEntries,
          external: isExternal,
          output: {
            format: 'es',
            charset: 'ascii',
            comments: { legal: true, annotation: false, jsdoc: false },
            entryFileNames: '[name].js',
            chunkFileNames: ({ name }) =>
              knowTheirPlace.has(name) ? '[name].js' : 'electron/chunks/[name].js',
            minifyInternalExports: false,
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                {
                  test: (id) => knowTheirPlace.has(placeOf(id)),
                  name: placeOf,
                  debugName: 'know their place',
                },
                {
                  test: (id) => packageOf(id) !== undefined,
                  name: (id) => packageOf(id) ?? null,
                  debugName: 'packages',
                },
                { name: fileAtStart(), debugName: 'loaded together' },
              ],
            },
          },
        },
      },
      resolve: { conditions: ['node'], noExternal: [...bundled] },
    },
    // A sandboxed preload can require nothing but electron, and must be CommonJS.
    preload: {
      consumer: 'server',
      build: {
        outDir: resolve(root, 'dist'),
        emptyOutDir: false,
        target: 'node24',
        minify: false,
        copyPublicDir: false,
        rolldownOptions: {
          checks,
          input: resolve(root, 'electron/preload.ts'),
          external: ['electron'],
          output: { format: 'cjs', codeSplitting: false, entryFileNames: 'electron/preload.cjs' },
        },
      },
      resolve: { noExternal: true },
    },
  },
  builder: {
    async buildApp(builder) {
      // What an older build left would be packed with this one.
      rmSync(resolve(root, 'dist'), { recursive: true, force: true })
      for (const name of ['client', 'node', 'preload']) {
        const environment = builder.environments[name]
        if (environment) await builder.build(environment)
      }
    },
  },
  test: {
    root,
    // Limits decide nothing but when a test that can't go on is given up: a machine may do much else meanwhile.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 100_000 } },
    // A test that fails now and then has a fault, or shows one.
    retry: 0,
    globalSetup: ['compiled-code.ts', 'server-bundles.ts'].map((file) => resolve(root, 'test/helpers', file)),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new ClosingLine()],
    // Two cores are the measure: five files at a time, because most wait for processes of their own. All projects run in one
    // group, so that none waits for the last file of another. A process of its own for each file costs half a second, so most
    // files follow each other in the same few.
    maxWorkers: AT_ONCE,
    projects: [
      {
        extends: true,
        test: {
          name: 'programs',
          isolate: false,
          experimental: asNodeRuns,
          include: waitForProcesses,
          exclude: ['**/node_modules/**', ...changeTheirProcess],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          isolate: true,
          include: changeTheirProcess,
          exclude: ['**/node_modules/**', ...besideAnEngine],
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          isolate: false,
          include: partsOfThePage,
          exclude: ['**/node_modules/**', ...changeTheirProcess],
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          environment: resolve(root, 'test/helpers/page-environment.ts'),
          isolate: true,
          include: besideAnEngine,
        },
      },
      {
        extends: true,
        test: {
          name: 'engine',
          isolate: false,
          experimental: asNodeRuns,
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...changeTheirProcess, ...partsOfThePage, ...waitForProcesses],
        },
      },
    ],
  },
})
