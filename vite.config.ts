import { globSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { resolve } from 'node:path'
import ui from '@nuxt/ui/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/helpers/closing-line.ts'
import manifest from './package.json' with { type: 'json' }

const root = import.meta.dirname
const installed = Object.keys(manifest.dependencies)
const builtin = new Set([...builtinModules, 'electron'])

/** What the packed app finds in node_modules or in its runtime, and must therefore not be bundled. */
const isExternal = (id: string): boolean =>
  id.startsWith('node:') ||
  builtin.has(id) ||
  installed.some((name) => id === name || id.startsWith(`${name}/`))

/** Every file that something starts by path: the entries and the worker threads. */
const nodeEntries = [
  'electron/cli.ts',
  'electron/main.ts',
  'electron/model-process.ts',
  ...globSync('electron/**/*.worker.ts', { cwd: root }),
]
  .filter((path) => globSync(path, { cwd: root }).length > 0)
  .map((path) => resolve(root, path))

export default defineConfig({
  root: resolve(root, 'renderer'),
  base: './',
  plugins: [
    vue(),
    // Components are imported by name where they are used; icons named in the sources are bundled, none is fetched.
    ui({
      autoImport: false,
      components: false,
      dts: false,
      icon: { clientBundle: { scan: { globInclude: ['**/*.{vue,ts}'] } } },
      ui: { colors: { primary: 'teal', neutral: 'slate' } },
    }),
  ],
  environments: {
    client: {
      // The charts' library alone is over Vite's limit; it is loaded from this machine, by the screen that needs it.
      build: { outDir: resolve(root, 'dist/renderer'), emptyOutDir: true, chunkSizeWarningLimit: 800 },
    },
    // The tree is kept as it is in the sources, so that relative paths to workers and resources stay true.
    node: {
      consumer: 'server',
      build: {
        outDir: resolve(root, 'dist'),
        emptyOutDir: false,
        target: 'node24',
        minify: false,
        copyPublicDir: false,
        rolldownOptions: {
          input: nodeEntries,
          external: isExternal,
          output: {
            format: 'es',
            preserveModules: true,
            preserveModulesRoot: root,
            entryFileNames: '[name].js',
          },
        },
      },
      resolve: { conditions: ['node'], noExternal: [] },
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
      for (const name of ['client', 'node', 'preload']) {
        const environment = builder.environments[name]
        if (environment) await builder.build(environment)
      }
    },
  },
  test: {
    root,
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests start real processes and wait for them; a machine that does something else meanwhile is no fault.
    retry: process.env['CI'] ? 2 : 0,
    maxWorkers: 2,
    reporters: ['default', new ClosingLine()],
  },
})
