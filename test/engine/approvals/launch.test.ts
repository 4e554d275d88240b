import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { identityOf, launchOf, resolvedPackage } from '../../../electron/engine/approvals/launch.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

describe('who a server is', () => {
  it('is how it is started, with names of variables and no values', () => {
    const settings = { command: 'node', args: ['a b', '--x'], env: { TOKEN: 'secret', A: '1' }, cwd: '/srv' }
    expect(launchOf(settings)).toEqual({
      command: 'node',
      args: ['a b', '--x'],
      env: ['A', 'TOKEN'],
      cwd: '/srv',
    })
    expect(JSON.stringify(launchOf(settings))).not.toContain('secret')
    expect(launchOf({ url: 'https://a.example/mcp', headers: { Authorization: 'Bearer x' } })).toEqual({
      url: 'https://a.example/mcp',
      headers: ['Authorization'],
    })
  })

  it('changes with each part of the launch, and with nothing else', () => {
    const base = { command: 'node', args: ['x'], env: { TOKEN: 'a' } }
    const identity = identityOf(base)
    expect(identityOf({ ...base, env: { TOKEN: 'b' }, timeoutSeconds: 5, disabled: true })).toBe(identity)
    expect(identityOf({ env: { TOKEN: 'a' }, args: ['x'], command: 'node' })).toBe(identity)
    const others = [
      { ...base, command: '/usr/bin/node' },
      { ...base, args: ['x', 'y'] },
      { ...base, args: [] },
      { ...base, env: { TOKEN: 'a', NODE_OPTIONS: '--import=evil' } },
      { ...base, cwd: '/tmp' },
      { url: 'https://a.example/mcp' },
    ].map((settings) => identityOf(settings))
    expect(new Set([identity, ...others]).size).toBe(others.length + 1)
  })

  it('CP fault: arguments with spaces are not what several arguments are', () => {
    expect(identityOf({ command: 'x', args: ['a b'] })).not.toBe(
      identityOf({ command: 'x', args: ['a', 'b'] }),
    )
    expect(identityOf({ command: 'x a' })).not.toBe(identityOf({ command: 'x', args: ['a'] }))
  })
})

describe('the package that npx resolved', () => {
  const integrity = 'sha512-abc'

  /** A cache as npm leaves it behind, for these package specifiers. */
  function cacheWith(specifiers: readonly string[], packages: Record<string, unknown>): string {
    const cache = temporaryFolder()
    const folder = createHash('sha512').update(specifiers.join('\n')).digest('hex').slice(0, 16)
    mkdirSync(join(cache, '_npx', folder), { recursive: true })
    writeFileSync(
      join(cache, '_npx', folder, 'package-lock.json'),
      JSON.stringify({ lockfileVersion: 3, packages }),
    )
    return cache
  }
  const resolve = (cache: string, args: readonly string[], command = 'npx') =>
    resolvedPackage({ command, args: [...args] }, cache, (path) => {
      try {
        return readFileSync(path, 'utf8')
      } catch {
        return undefined
      }
    })
  const entry = { 'node_modules/@scope/server': { version: '1.2.3', integrity } }
  const found = { name: '@scope/server', version: '1.2.3', integrity }

  it.each([
    ['@scope/server', ['-y', '@scope/server', '/some/folder']],
    ['@scope/server@latest', ['@scope/server@latest']],
    ['@scope/server', ['--yes', '--package', '@scope/server', 'server', '--flag']],
    ['@scope/server@^1', ['--package=@scope/server@^1', '-c', 'server']],
    ['@scope/server', ['--registry', 'https://r.example', '-y', '--', '@scope/server']],
  ])('%s is found for npx %j', (specifier, args) => {
    expect(resolve(cacheWith([specifier], entry), args)).toEqual(found)
  })

  it('is found on Windows, and by its path', () => {
    for (const command of ['npx.cmd', String.raw`C:\node\npx.cmd`, '/usr/bin/npx'])
      expect(resolve(cacheWith(['@scope/server'], entry), ['@scope/server'], command)).toEqual(found)
  })

  it('is the first of several', () => {
    const cache = cacheWith(['@scope/server', 'zod'], { ...entry, 'node_modules/zod': { version: '4.0.0' } })
    expect(resolve(cache, ['-p', 'zod', '-p', '@scope/server', 'x'])).toEqual({
      name: 'zod',
      version: '4.0.0',
    })
  })

  it('is unknown, not an error, where it can not be read', () => {
    const cache = cacheWith(['@scope/server'], entry)
    expect(resolve(cache, ['other'])).toBeUndefined()
    expect(resolve(cache, [])).toBeUndefined()
    expect(resolve(cache, ['@scope/server'], 'node')).toBeUndefined()
    expect(resolve(cacheWith(['@scope/server'], {}), ['@scope/server'])).toBeUndefined()
    expect(
      resolve(cacheWith(['@scope/server'], { 'node_modules/@scope/server': 7 }), ['@scope/server']),
    ).toBeUndefined()
    expect(resolvedPackage({ command: 'npx', args: ['x'] }, cache, () => 'no JSON')).toBeUndefined()
    expect(resolvedPackage({ url: 'https://a.example' }, cache, () => '{}')).toBeUndefined()
  })
})
