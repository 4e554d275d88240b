import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolvePackages } from '../../../../electron/engine/approvals/packages/resolve-packages.ts'
import type { PackageFiles } from '../../../../electron/engine/approvals/packages/installs.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const unknown = 'not known: nothing on this machine says it'
const integrity = 'sha512-abc'

/** A home folder with these files, and a function that resolves a command line in it. */
function home(files: Readonly<Record<string, unknown>>, env: Record<string, string> = {}) {
  const homeDir = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(homeDir, path)), { recursive: true })
    writeFileSync(join(homeDir, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read()
    } catch {
      return otherwise
    }
  }
  const machine: PackageFiles = {
    env,
    platform: 'linux',
    homeDir,
    tempDir: join(homeDir, 'tmp'),
    text: (path) => attempt(() => readFileSync(path, 'utf8'), undefined),
    names: (folder) => attempt(() => readdirSync(folder).sort(), []),
  }
  const resolve = (line: string) => {
    const [command = '', ...args] = line.split(' ')
    return resolvePackages({ command, args }, machine)
  }
  return { homeDir, resolve }
}

describe('npx', () => {
  const folder = (...specifiers: string[]): string =>
    createHash('sha512').update(specifiers.join('\n')).digest('hex').slice(0, 16)
  const lockAt = (specifiers: string[], packages: unknown) => ({
    [`.npm/_npx/${folder(...specifiers)}/package-lock.json`]: { lockfileVersion: 3, packages },
  })
  const entry = { 'node_modules/@scope/server': { version: '1.2.3', integrity } }

  it('has version and hash in the lock file of its cache, of each package it was asked for', () => {
    const { resolve } = home(
      lockAt(['@scope/server', 'zod'], { ...entry, 'node_modules/zod': { version: '4.0.0' } }),
    )
    expect(resolve('npx -p zod -p @scope/server x')).toEqual([
      { name: 'zod', version: '4.0.0' },
      { name: '@scope/server', version: '1.2.3', integrity },
    ])
    expect(resolve('npm exec --package=@scope/server --package=zod -- x')).toHaveLength(2)
  })

  it('elsewhere, or damaged, is not known, and said so', () => {
    const name = 'other'
    expect(home({}).resolve('npx other')).toEqual([{ name, version: unknown }])
    expect(home(lockAt(['other'], { 'node_modules/other': 7 })).resolve('npx other')).toEqual([
      { name, version: unknown },
    ])
    const broken = home({ [`.npm/_npx/${folder('other')}/package-lock.json`]: 'no JSON' })
    expect(broken.resolve('npx other')).toEqual([{ name, version: unknown }])
    expect(home({}).resolve('node other')).toEqual([])
  })
})

describe('pnpm dlx', () => {
  const install = (id: string, version: string) => ({
    [`.cache/pnpm/dlx/${id}/pkg/package.json`]: { dependencies: { server: `^${version}` } },
    [`.cache/pnpm/dlx/${id}/pkg/node_modules/server/package.json`]: { version },
    [`.cache/pnpm/dlx/${id}/pkg/pnpm-lock.yaml`]: `packages:\n  server@${version}:\n    resolution: {integrity: sha512-${version}}\n`,
  })

  it('has what was installed for the package; where several were, any of them may run', () => {
    expect(home(install('a', '1.0.0')).resolve('pnpm dlx server')).toEqual([
      { name: 'server', version: '1.0.0', integrity: 'sha512-1.0.0' },
    ])
    const { resolve } = home({ ...install('a', '1.0.0'), ...install('b', '1.1.0'), ...install('c', '1.1.0') })
    expect(resolve('pnpm dlx server@^1')).toEqual([
      {
        name: 'server',
        version: 'one of several',
        oneOf: [
          { version: '1.0.0', integrity: 'sha512-1.0.0' },
          { version: '1.1.0', integrity: 'sha512-1.1.0' },
        ],
      },
    ])
    expect(resolve('pnpm dlx server@1.1.0')).toMatchObject([{ version: '1.1.0' }])
    expect(resolve('pnpm dlx other')).toEqual([{ name: 'other', version: unknown }])
  })
})

describe('bunx', () => {
  const install = (folder: string) => ({
    [`${folder}/node_modules/@a/server/package.json`]: { version: '2.0.0' },
    [`${folder}/bun.lock`]: '{ "packages": { "@a/server": ["@a/server@2.0.0", "", {}, "sha512-x"], }, }',
  })
  const found = [{ name: '@a/server', version: '2.0.0', integrity: 'sha512-x' }]

  it('has a folder for each package and tag', () => {
    const { resolve } = home(install('.bun/install/cache/.bunx-0/@a/server@latest'))
    expect(resolve('bunx @a/server')).toEqual(found)
    expect(resolve('bunx @a/server@1')).toEqual([{ name: '@a/server', version: unknown }])
    expect(home(install('tmp/bunx-1000-@a/server@latest')).resolve('bun x @a/server')).toEqual(found)
  })
})

/** An environment as pip and uv leave it: the wheel's files plus what installation added. */
function environment(path: string, version: string, code = 'abc') {
  const info = `${path}/lib/python3.12/site-packages/Mcp_Server.Git-${version}.dist-info`
  return {
    [`${info}/RECORD`]: [
      `../../../bin/git-server,sha256=${path},245`,
      `mcp_server_git.py,sha256=${code},36`,
      '__pycache__/mcp_server_git.cpython-312.pyc,,',
      `Mcp_Server.Git-${version}.dist-info/INSTALLER,sha256=${path},3`,
      `Mcp_Server.Git-${version}.dist-info/RECORD,,`,
      '',
    ].join('\n'),
  }
}
const hashOf = (code: string): string =>
  `sha256-${createHash('sha256').update(`mcp_server_git.py,sha256=${code},36`).digest('base64')}`

describe('uvx', () => {
  const cache = '.cache/uv/environments-v2/0a1b'
  const name = 'mcp-server-git'

  it('has environments in its cache: the same package has the same hash in each', () => {
    const { resolve } = home({ ...environment(`${cache}/aa`, '1.0'), ...environment(`${cache}/bb`, '1.0') })
    expect(resolve('uvx mcp-server-git --repository x')).toEqual([
      { name, version: '1.0', integrity: hashOf('abc') },
    ])
    expect(resolve('uv tool run --from mcp_server_git server')).toMatchObject([{ name, version: '1.0' }])
  })

  it('another content under the same version, or another version, is told apart', () => {
    const { resolve } = home({
      ...environment(`${cache}/aa`, '1.0'),
      ...environment(`${cache}/bb`, '1.0', 'evil'),
      ...environment(`${cache}/cc`, '1.1'),
    })
    expect(resolve('uvx mcp-server-git')).toMatchObject([
      { version: 'one of several', oneOf: [{ version: '1.0' }, { version: '1.0' }, { version: '1.1' }] },
    ])
    expect(resolve('uvx mcp-server-git==1.1')).toMatchObject([{ version: '1.1' }])
    expect(resolve('uvx mcp-server-git@1.1')).toMatchObject([{ version: '1.1' }])
    expect(resolve('uvx other')).toEqual([{ name: 'other', version: unknown }])
  })

  it('is found through links, links that are files, an own cache folder, and among installed tools', () => {
    const { homeDir, resolve } = home(environment('.cache/uv/archive-v0/xyz', '1.0'))
    mkdirSync(join(homeDir, cache), { recursive: true })
    symlinkSync(join(homeDir, '.cache/uv/archive-v0/xyz'), join(homeDir, cache, 'aa'))
    expect(resolve('uvx mcp-server-git')).toMatchObject([{ version: '1.0' }])
    const pointed = home({
      ...environment('.cache/uv/archive-v0/xyz', '1.0'),
      [`${cache}/aa`]: 'archive-v0/xyz\n',
    })
    expect(pointed.resolve('uvx mcp-server-git')).toMatchObject([{ version: '1.0' }])
    const tools = home(environment('.local/share/uv/tools/mcp-server-git', '1.0'))
    expect(tools.resolve('uvx mcp-server-git')).toMatchObject([{ version: '1.0' }])
  })
})

describe('pipx run', () => {
  it('has an environment for each thing that was asked for', () => {
    const made = (folder: string, asked: string, version: string) => ({
      [`.local/pipx/.cache/${folder}/pipx_metadata.json`]: { main_package: { package_or_url: asked } },
      ...environment(`.local/pipx/.cache/${folder}`, version),
    })
    const { resolve } = home({
      ...made('a', 'mcp-server-git', '1.1'),
      ...made('b', 'mcp-server-git==1.0', '1.0'),
    })
    expect(resolve('pipx run mcp-server-git')).toMatchObject([{ version: '1.1', integrity: hashOf('abc') }])
    expect(resolve('pipx run --spec mcp-server-git==1.0 git-server')).toMatchObject([{ version: '1.0' }])
    expect(resolve('pipx run other')).toEqual([{ name: 'other', version: unknown }])
  })
})
