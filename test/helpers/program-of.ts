import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

interface Manifest {
  bin: Record<string, string>
}

/** Of an installed package; undefined if not installed. */
export function findProgram(pkg: string, name: string): string | undefined {
  const require = createRequire(import.meta.url)
  // Packages need not export their manifest: searches Node's folders.
  for (const folder of require.resolve.paths(pkg) ?? []) {
    try {
      const path = join(folder, pkg, 'package.json')
      return join(dirname(path), (require(path) as Manifest).bin[name] ?? '')
    } catch {
      continue
    }
  }
  return undefined
}

export function programOf(pkg: string, name: string): string {
  const program = findProgram(pkg, name)
  if (program === undefined) throw new Error(`The package ${pkg} is not installed.`)
  return program
}
