import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listContents } from '../../electron/packaging/release/sbom.ts'
import manifest from '../../package.json' with { type: 'json' }

const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/renderer/licences.json'))
if (!isBuilt) console.warn('The list of contents is not tried, because the page is not built: npm run build')

describe.skipIf(!isBuilt)('the list of what a package holds', () => {
  it('names everything that is installed, bundled or run, and no tool', () => {
    const { components, metadata, dependencies } = listContents()
    expect(metadata.component.name).toBe('sluice')
    const { dependencies: direct } = manifest
    const named = components.map(({ name, version }) => `${name}@${version}`)
    expect(Object.entries(direct).filter(([name, version]) => !named.includes(`${name}@${version}`))).toEqual(
      [],
    )
    expect(new Set(named).size).toBe(named.length)
    expect(components.filter(({ version, purl }) => version === '' || !purl.startsWith('pkg:npm/'))).toEqual(
      [],
    )

    const names = new Set(components.map(({ name }) => name))
    for (const shown of ['electron', '@vue/runtime-dom', 'echarts', '@fontsource-variable/inter', 'reka-ui'])
      expect(names, shown).toContain(shown)
    for (const tool of ['vite', 'vitest', 'electron-builder', 'playwright-core', 'oxlint', 'typescript'])
      expect(names, tool).not.toContain(tool)

    const refs = new Set([
      metadata.component['bom-ref'],
      ...components.map((component) => component['bom-ref']),
    ])
    expect(
      dependencies.filter(({ ref, dependsOn }) => !refs.has(ref) || dependsOn.some((to) => !refs.has(to))),
    ).toEqual([])
  })
})
