import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// A connector runs for every server of every client, so its load cost is multiplied.

const electron = resolve(import.meta.dirname, '../../electron')
const built = resolve(import.meta.dirname, '../../dist/electron')
/** Loaded by a connector that joins a running engine, including its dynamic imports. */
const entries = [
  'cli.ts',
  'cli/run-on-this-process.ts',
  'cli/launcher.ts',
  'engine/clients/connector/start-engine.ts',
]

const statement = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\bfrom\s*)?['"]([^'"]+)['"]/gm

/** Files and packages loaded with this file by static imports. */
function loadedBy(path: string, seen: Set<string>): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  for (const [, to = ''] of readFileSync(path, 'utf8').matchAll(statement)) {
    if (to.startsWith('.')) loadedBy(join(dirname(path), to), seen)
    else if (!to.startsWith('node:')) seen.add(to)
  }
  return seen
}

/** Characters of sources: 10 % above November 2026. */
const MOST_CHARACTERS = 118_000

test('a connector loads no package and little of the sources', () => {
  const loaded = new Set<string>()
  for (const entry of entries) loadedBy(join(electron, entry), loaded)
  const packages = [...loaded].filter((name) => !name.endsWith('.ts'))
  expect(packages.toSorted()).toEqual([])
  const files = [...loaded].filter((name) => name.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(10)
  const characters = files.reduce((sum, path) => sum + readFileSync(path, 'utf8').length, 0)
  expect(characters).toBeLessThan(MOST_CHARACTERS)
  expect(files.filter((name) => /cli\/serve|engine\/engine\.ts|database|settings\.ts/.test(name))).toEqual([])
})

// What is built together is loaded together: a connector once loaded the engine for one function of it.
test.skipIf(!existsSync(join(built, 'cli.js')))('in the build, too, a connector loads no engine', () => {
  const loaded = new Set<string>()
  for (const entry of ['cli.js', 'chunks/start.js', 'chunks/background.js', 'cli/launcher.js'])
    loadedBy(join(built, entry), loaded)
  const names = [...loaded].map((path) => path.slice(built.length + 1))
  expect(names).toContain('chunks/base.js')
  expect(names.filter((name) => /engine|shared|zod|commander/.test(name))).toEqual([])
})
