import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Machine } from '../../../electron/engine/ground/surroundings.ts'
import { CLIENTS } from '../../../electron/engine/client-configs/clients.ts'
import { chooseFiles, findClients } from '../../../electron/engine/client-configs/find-clients.ts'
import { loadClientFile } from '../../../electron/engine/client-configs/load-client-file.ts'
import { listServers } from '../../../electron/engine/client-configs/list-servers.ts'
import { LAUNCHER, clientWorld, fixture } from '../../helpers/client-world.ts'

const MACHINES: readonly Machine[] = [
  { platform: 'darwin', homeDir: '/Users/me', env: {} },
  { platform: 'linux', homeDir: '/home/me', env: {} },
  {
    platform: 'win32',
    homeDir: 'C:\\Users\\me',
    env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' },
  },
]
const own = { launcher: LAUNCHER, httpPort: 7424 }
const folder = resolve(import.meta.dirname, '../../fixtures/clients')
const names = (client: string): string[] =>
  readdirSync(resolve(folder, client)).filter((name) => !name.startsWith('.'))

/** Where this app reads its file on this machine; patterns get a name. */
function pathOf(clientId: string, machine: Machine, name: string): string {
  const client = CLIENTS.find(({ id }) => id === clientId)
  const suffix = name.slice(name.lastIndexOf('.'))
  const all = (client?.files(machine) ?? []).flat().map((path) => path.replaceAll('*', 'x'))
  const path = all.find((candidate) => candidate.endsWith(suffix)) ?? all[0]
  if (path === undefined) throw new Error(`No path for ${clientId}.`)
  return path
}

const wrappable = CLIENTS.filter(({ readOnly }) => readOnly === undefined)

describe('every app, on every platform, with every fixture', () => {
  test('there are at least three fixtures for each app', () => {
    for (const { id } of CLIENTS) expect(names(id).length, id).toBeGreaterThanOrEqual(3)
  })

  describe.each(MACHINES.map((machine) => ({ machine, platform: machine.platform })))(
    '$platform',
    ({ machine }) => {
      test.each(wrappable.flatMap(({ id }) => names(id).map((name) => ({ id, name }))))(
        '$id $name: found, wrapped, and every byte back',
        async ({ id, name }) => {
          const world = clientWorld()
          const path = pathOf(id, machine, name)
          const bytes = fixture(id, name)
          world.files.put(path, bytes)
          const client = CLIENTS.find((spec) => spec.id === id)
          if (!client) throw new Error(id)
          expect(chooseFiles(client, { ...machine, files: world.files }).files).toEqual([path])

          const before = loadClientFile(path, world.files)
          const originals = listServers(before.parsed.value, client, own)
          const preview = await world.wrap({ client: id, path })
          const usable = originals.filter(({ reading }) => !('unsupported' in reading))
          expect(preview.servers.map((server) => server.name)).toEqual(usable.map((server) => server.name))

          // As the app reads it now: each server through Sluice, Sluice's tools once per file, nothing else changed.
          const after = loadClientFile(path, world.files)
          const wrapped = listServers(after.parsed.value, client, own)
          expect(wrapped.filter(({ role }) => role?.role === 'wrapped')).toHaveLength(usable.length)
          expect(wrapped.filter(({ role }) => role?.role === 'self')).toHaveLength(1)
          for (const { reading } of wrapped) {
            if (!('unsupported' in reading)) expect(reading.launch.command).toBe(LAUNCHER.command)
          }
          const found = findClients({ ...machine, files: world.files, own }).find((entry) => entry.id === id)
          expect(found?.files[0]?.servers.map(({ state }) => state)).not.toContain('not wrapped')

          const again = world.preview({ client: id, path })
          expect(again.servers).toEqual([])
          expect(again.diff).toBe('')

          const undo = world.unwrap({ client: id, path })
          expect(undo.isExact).toBe(true)
          expect(Buffer.from(world.files.read(path)).equals(bytes)).toBe(true)
          expect(world.servers()).toEqual({})
        },
      )
    },
  )

  test('what is untouched keeps its bytes while it is wrapped: mark, line ends, comments, order, indentation', async () => {
    for (const { id } of wrappable) {
      for (const name of names(id)) {
        const world = clientWorld()
        const path = pathOf(id, MACHINES[1] as Machine, name)
        const bytes = fixture(id, name)
        world.files.put(path, bytes)
        await world.wrap({ client: id, path })
        const [before, after] = [bytes.toString(), world.files.text(path)]
        expect(after.startsWith('\uFEFF'), `${id} ${name}`).toBe(before.startsWith('\uFEFF'))
        const bare = (text: string): number => text.replaceAll('\r\n', '').split('\n').length
        if (before.includes('\r\n')) expect(bare(after), `${id} ${name}: line ends`).toBe(1)
        else expect(after).not.toContain('\r')
        expect(after.endsWith('\n'), `${id} ${name}: end`).toBe(before.endsWith('\n'))
        // Whole-line comments stay in order.
        const comments = (text: string): string[] => text.match(/^[ \t]*(?:\/\/|#).*$/gm) ?? []
        const kept = comments(after)
        expect(
          comments(before)
            .filter((line) => !kept.includes(line))
            .every(isInsideMoved),
          `${id} ${name}`,
        ).toBe(true)
      }
    }
  })

  test('Roo Code has ended: its file is read and not changed', () => {
    const world = clientWorld()
    world.files.put('/r/mcp_settings.json', fixture('roo-code', 'plain.json'))
    expect(() => world.preview({ client: 'roo-code', path: '/r/mcp_settings.json' })).toThrow(
      /sluice import roo-code/,
    )
  })
})

/** Comments among a server's arguments and variables move with them. */
const isInsideMoved = (line: string): boolean => /the package|the key|the older way/.test(line)
