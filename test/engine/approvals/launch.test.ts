import { describe, expect, it } from 'vitest'
import { identityOf, launchOf } from '../../../electron/engine/approvals/launch.ts'

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
