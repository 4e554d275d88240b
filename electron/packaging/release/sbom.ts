import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import { projectFolder } from '../read-config.ts'
import { productionPackages, readLock } from './production-packages.ts'

/**
 * CycloneDX: `node electron/packaging/release/sbom.ts FILE`, after `npm run build`. Combines package-lock.json, the
 * page's build and Electron. (`npm sbom` also omits what tools need.)
 */

export interface Component {
  readonly type: 'application' | 'library'
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly { alg: 'SHA-512'; content: string }[]
  readonly licenses?: readonly ({ license: { id: string } } | { expression: string })[]
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.5'
  readonly serialNumber: string
  readonly version: 1
  readonly metadata: { readonly timestamp: string; readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { ref: string; dependsOn: readonly string[] }[]
}

interface Part {
  readonly name: string
  readonly version: string
  readonly integrity?: string
  readonly licence?: string
}

const Bundled = z.array(z.object({ name: z.string(), version: z.string() }))

const ALSO = ['electron', '@fontsource-variable/inter', '@iconify-json/lucide']

export function listContents(now = new Date()): Sbom {
  const lock = readLock()
  const locked = (name: string, version?: string): Part => {
    const found = Object.entries(lock).find(
      ([path, entry]) =>
        (path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`)) &&
        (version === undefined || entry.version === version),
    )?.[1]
    if (found?.version === undefined)
      throw new Error(`${name} is in the package, but not in package-lock.json: npm ci && npm run build`)
    return { name, version: found.version, integrity: found.integrity, licence: found.license }
  }
  const text = readFileSync(resolve(projectFolder, 'dist/renderer/licences.json'), 'utf8')
  const bundled = Bundled.parse(JSON.parse(text)).map(({ name, version }) => locked(name, version))
  const production = productionPackages(lock)
  const others = [...ALSO.map((name) => locked(name)), ...bundled].filter(
    ({ name, version }) => !production.has(`${name}@${version}`),
  )
  const own = toComponent(
    { name: manifest.name, version: manifest.version, licence: manifest.license },
    'application',
  )
  const components = [...production.values(), ...others].map((part) => toComponent(part, 'library'))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: now.toISOString(), component: own },
    components,
    dependencies: [
      { ref: own['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) },
      ...[...production.values()].map(({ id, needs }) => ({ ref: id, dependsOn: needs })),
    ],
  }
}

function toComponent({ name, version, integrity, licence }: Part, type: Component['type']): Component {
  const [algorithm, hash = ''] = integrity?.split('-') ?? []
  return {
    type,
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    }),
    ...(licence !== undefined && {
      licenses: [/\s/.test(licence) ? { expression: licence } : { license: { id: licence } }],
    }),
  }
}

if (import.meta.main) {
  const [, , file] = process.argv
  if (file === undefined) {
    process.stderr.write('node electron/packaging/release/sbom.ts FILE\n')
    process.exitCode = 2
  } else {
    const sbom = listContents()
    writeFileSync(file, `${JSON.stringify(sbom, undefined, 2)}\n`)
    process.stdout.write(`${file} names ${sbom.components.length} components.\n`)
  }
}
