import { describe, expect, test } from 'vitest'
import { applyWrap } from '../../../electron/engine/client-configs/apply-wrap.ts'
import { repairLaunchers } from '../../../electron/engine/client-configs/repair-launchers.ts'
import { applyUnwrap } from '../../../electron/engine/client-configs/unwrap.ts'
import { CONFIG, clientWorld, type ClientWorld } from '../../helpers/client-world.ts'

const path = '/home/me/.cursor/mcp.json'
const cursor = { client: 'cursor', path }
const OWN = '{\n  "mcpServers": { "a": { "command": "x" } }\n}\n'
const THEIRS = '{\n  "mcpServers": { "a": { "command": "x" }, "new": { "command": "y" } }\n}\n'
const machine = { platform: 'linux', homeDir: '/home/me', env: {} } as const

/** Another program writes right after the `count`-th read from now. */
function writeAfterReading(files: ClientWorld['files'], count: number): void {
  const read = files.read.bind(files)
  let left = count
  files.read = (asked) => {
    const bytes = read(asked)
    if (asked === path && --left === 0) files.put(path, THEIRS)
    return bytes
  }
}

async function wrapped(): Promise<ClientWorld> {
  const world = clientWorld()
  world.files.put(path, OWN)
  await world.wrap(cursor)
  return world
}

const writers: readonly [name: string, start: () => Promise<{ world: ClientWorld; write: () => unknown }>][] =
  [
    [
      'wrap',
      async () => {
        const world = clientWorld()
        world.files.put(path, OWN)
        const seen = world.preview(cursor)
        return { world, write: () => applyWrap(seen, world) }
      },
    ],
    [
      'unwrap',
      async () => {
        const world = await wrapped()
        const seen = world.previewUnwrap(cursor)
        return { world, write: () => applyUnwrap(seen, world) }
      },
    ],
    [
      'repair-launchers',
      async () => {
        const world = await wrapped()
        const launcher = { command: '/opt/new/node', args: ['/opt/new/cli.js'] }
        const options = { ...machine, ...world, launcher, httpPort: 7424, exists: () => false }
        return { world, write: () => repairLaunchers('cursor', path, options) }
      },
    ],
  ]

describe.each(writers)('%s, when another program writes the file meanwhile', (name, start) => {
  test('leaves its text and says so', async () => {
    const { world, write } = await start()
    const config = world.files.text(CONFIG)
    writeAfterReading(world.files, 1)
    expect(write).toThrow(expect.objectContaining({ code: 'CLIENT_FILE_CHANGED' }))
    expect(world.files.text(path)).toBe(THEIRS)
    expect(world.files.text(CONFIG)).toBe(config)
  })

  test('also when that is the last moment before it would write', async () => {
    const { world, write } = await start()
    let reads = 0
    const { files } = world
    const [read, replace] = [files.read.bind(files), files.replace.bind(files)]
    files.read = (asked) => {
      if (asked === path) reads++
      return read(asked)
    }
    let readsBefore = 0
    files.replace = (asked, ...rest) => {
      if (asked === path) readsBefore = reads
      replace(asked, ...rest)
    }
    write()
    // Once to plan, and at least once more to verify.
    expect(readsBefore, name).toBeGreaterThan(1)

    const again = await start()
    writeAfterReading(again.world.files, readsBefore - 1)
    expect(again.write).toThrow(expect.objectContaining({ code: 'CLIENT_FILE_CHANGED' }))
    expect(again.world.files.text(path)).toBe(THEIRS)
  })
})
