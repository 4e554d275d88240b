import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const SOURCES = join(root, 'test/fixtures/servers')
const BUNDLES = join(root, '.cache/test-servers')
const INSTALLED = join(root, 'package-lock.json')

/** Servers built with an MCP SDK: to load its modules one by one takes three times the processor time of one file. */
const BUNDLED = ['asking', 'features', 'features-http', 'reference', 'shareable']

const bundlePath = (name: string): string => join(BUNDLES, `${name}.js`)

/** Whether a bundle exists and none of its sources changed since. */
function isFresh(name: string): boolean {
  if (!existsSync(bundlePath(name))) return false
  const bundled = statSync(bundlePath(name)).mtimeMs
  const sources = readdirSync(SOURCES).map((file) => join(SOURCES, file))
  return [SOURCES, INSTALLED, ...sources].every((path) => statSync(path).mtimeMs <= bundled)
}

/** What a test server's process runs: its bundle, unless a source is newer. */
export const serverPath = (name: string): string =>
  BUNDLED.includes(name) && isFresh(name) ? bundlePath(name) : join(SOURCES, `${name}.ts`)

/** Before a test run. */
export async function setup(): Promise<void> {
  const stale = BUNDLED.filter((name) => !isFresh(name))
  if (stale.length === 0) return
  const { build } = await import('vite')
  for (const name of stale) {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      ssr: { noExternal: true },
      build: {
        ssr: join(SOURCES, `${name}.ts`),
        target: 'node24',
        minify: true,
        outDir: BUNDLES,
        emptyOutDir: false,
        copyPublicDir: false,
      },
    })
  }
}
