import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Machine } from '../../../electron/engine/ground/surroundings.ts'
import { CLIENTS } from '../../../electron/engine/client-configs/clients.ts'
import type { Launcher } from '../../../electron/engine/client-configs/entries/sluice-entry.ts'
import { listServers } from '../../../electron/engine/client-configs/list-servers.ts'
import { loadClientFile } from '../../../electron/engine/client-configs/load-client-file.ts'
import {
  findLostLaunchers,
  repairLaunchers,
} from '../../../electron/engine/client-configs/repair-launchers.ts'
import { clientWorld, fixture } from '../../helpers/client-world.ts'

const machine: Machine = { platform: 'linux', homeDir: '/home/me', env: {} }
const cli = 'resources/app.asar/dist/electron/cli.js'
const app = (folder: string): Launcher => ({
  command: `${folder}/sluice`,
  args: [`${folder}/${cli}`],
  env: { ELECTRON_RUN_AS_NODE: '1' },
})
const plain: Launcher = { command: '/usr/bin/node', args: ['/home/me/sluice/dist/electron/cli.js'] }
const old = app('/opt/Sluice-0.1')
const oldPlain: Launcher = { command: '/usr/bin/node', args: ['/opt/Sluice-0.1/dist/electron/cli.js'] }
const exists = (path: string): boolean => !path.startsWith('/opt/Sluice-0.1')

const fixtures = resolve(import.meta.dirname, '../../fixtures/clients')
const pathOf = (id: string, name: string): string => {
  const all = (CLIENTS.find((client) => client.id === id)?.files(machine) ?? []).flat()
  const suffix = name.slice(name.lastIndexOf('.'))
  const paths = all.map((path) => path.replaceAll('*', 'x'))
  return paths.find((path) => path.endsWith(suffix)) ?? paths[0] ?? ''
}
const cases = CLIENTS.filter(({ readOnly }) => readOnly === undefined).flatMap(({ id }) =>
  readdirSync(resolve(fixtures, id))
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ id, name })),
)

describe.each([
  { from: 'a moved app', to: 'an app', before: old, after: app('/opt/Sluice') },
  { from: 'a moved app', to: 'a checkout', before: old, after: plain },
  { from: 'a removed checkout', to: 'an app', before: oldPlain, after: app('/opt/Sluice') },
])('entries of $from, mended for $to', ({ before, after }) => {
  test.each(cases)('$id $name: start the new one, and unwrap to every byte', async ({ id, name }) => {
    const world = clientWorld(undefined, { launcher: before })
    const path = pathOf(id, name)
    const bytes = fixture(id, name)
    world.files.put(path, bytes)
    const { servers } = await world.wrap({ client: id, path })
    const options = { ...machine, ...world, launcher: after, httpPort: 7424, exists }
    const lost = findLostLaunchers(options)
    expect(lost).toMatchObject([{ client: id, path }])
    expect(lost[0]?.servers).toHaveLength(servers.length + 1)

    expect(repairLaunchers(id, path, options)).toEqual(lost[0]?.servers)
    const client = CLIENTS.find((spec) => spec.id === id)
    if (!client) throw new Error(id)
    const file = loadClientFile(path, world.files)
    for (const { reading, role } of listServers(file.parsed.value, client, {
      launcher: after,
      httpPort: 7424,
    })) {
      if ('unsupported' in reading || !role) continue
      const { command, args, env } = reading.launch
      expect([command, ...(args ?? []).slice(0, after.args.length + 1)]).toEqual([
        after.command,
        ...after.args,
        'connect',
      ])
      expect(env?.['ELECTRON_RUN_AS_NODE']).toBe(after.env?.['ELECTRON_RUN_AS_NODE'])
    }
    expect(findLostLaunchers(options)).toEqual([])
    world.unwrap({ client: id, path })
    expect(Buffer.from(loadClientFile(path, world.files).bytes).equals(bytes)).toBe(true)
  })
})

describe('what is not mended', () => {
  const path = '/home/me/.cursor/mcp.json'
  const worldWith = (command: string, args: readonly string[]) => {
    const world = clientWorld(undefined, { launcher: app('/opt/Sluice') })
    world.files.put(path, JSON.stringify({ mcpServers: { one: { command, args } } }))
    return { ...machine, ...world, httpPort: 7424, exists }
  }
  const connect = ['connect', '--client', 'cursor', '--server', 'one']

  test.each([
    ['a Sluice that is there', '/opt/Other/sluice', [`/opt/Other/${cli}`, ...connect]],
    ['one of another data folder', old.command, [...old.args, '--data-dir', '/elsewhere', ...connect]],
    ['a bare name', 'sluice', connect],
    ['another program that is gone', '/opt/Sluice-0.1/other', ['connect', '--server', 'one']],
  ])('%s', (_what, command, args) => {
    const options = worldWith(command, args)
    const before = options.files.text(path)
    expect(findLostLaunchers(options)).toEqual([])
    expect(repairLaunchers('cursor', path, options)).toEqual([])
    expect(options.files.text(path)).toBe(before)
  })

  test('a file with faults is left out, and others are found', () => {
    const options = worldWith(old.command, [...old.args, ...connect])
    options.files.put('/home/me/.codeium/windsurf/mcp_config.json', '{ "mcpServers": ')
    expect(findLostLaunchers(options).map(({ client }) => client)).toEqual(['cursor'])
  })

  test('a file that is marked read-only', () => {
    const options = worldWith(old.command, [...old.args, ...connect])
    const file = options.files.all.get(path)
    if (file) file.mode = 0o444
    expect(() => repairLaunchers('cursor', path, options)).toThrow('read-only')
  })
})
