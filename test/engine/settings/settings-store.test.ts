import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import type { SettingsDiff } from '../../../electron/engine/settings/diff-servers.ts'
import { openSettings } from '../../../electron/engine/settings/settings-store.ts'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const GOOD = '{\n  // the first\n  "servers": {\n    "a": { "command": "x" }\n  }\n}\n'

function store(text: string | null = GOOD, options: { watch?: boolean } = {}) {
  const dataDir = temporaryFolder()
  const path = join(dataDir, 'config.json')
  if (text !== null) writeFileSync(path, text)
  const events = createEvents(silentLogger)
  const settings = openSettings({ dataDir, logger: silentLogger, events, watch: false, ...options })
  onTestFinished(() => settings.close())
  const diffs: SettingsDiff[] = []
  settings.onChange((diff) => diffs.push(diff))
  return { dataDir, path, events, settings, diffs }
}

describe('reading', () => {
  test('a data folder without a file has the built-in settings, and no problem', () => {
    const { settings, path } = store(null)
    expect(settings.current.servers).toEqual({})
    expect(settings.problems).toEqual([])
    expect(existsSync(path)).toBe(false)
  })

  test('a faulty file at the start: what has no fault is used, the fault is told', () => {
    const { settings } = store('{"servers": {"a": {"command": "x"}, "b": {"comand": "x"}}}')
    expect(Object.keys(settings.current.servers)).toEqual(['a'])
    expect(settings.problems).toMatchObject([{ line: 1, column: 43, serverId: 'b' }])
  })

  test('a file that turns bad changes nothing and says why; a good one is taken again', () => {
    const { settings, path, events, diffs } = store()
    const told: number[] = []
    events.on('settings-problems', ({ problems }) => told.push(problems.length))
    const before = settings.current

    writeFileSync(path, '{ "servers": {')
    settings.reload()
    expect(settings.current).toBe(before)
    expect(settings.problems).toMatchObject([{ line: 1, message: 'Not valid JSON: a closing } is missing.' }])

    writeFileSync(path, '{"servers": {"a": {"command": "x"}, "b": {"comand": "x"}}}')
    settings.reload()
    expect(settings.current).toBe(before)

    writeFileSync(path, '{"servers": {"b": {"command": "y"}}}')
    settings.reload()
    expect(settings.problems).toEqual([])
    expect(diffs).toEqual([{ added: ['b'], removed: ['a'], restarted: [], reshaped: [] }])
    expect(told).toEqual([1, 1, 0])
  })

  test('a file that turns empty changes nothing and says so; at a start it is told, too', () => {
    const { settings, path, diffs } = store()
    for (const text of ['', ' \n']) {
      writeFileSync(path, text)
      settings.reload()
      expect(Object.keys(settings.current.servers)).toEqual(['a'])
      expect(settings.problems).toMatchObject([{ message: expect.stringContaining('The file is empty') }])
    }
    expect(diffs).toEqual([])
    expect(settings.faultOf('gone')).toContain('The file is empty')
    writeFileSync(path, '{}')
    settings.reload()
    expect(settings.problems).toEqual([])

    const { settings: started } = store('')
    expect(started.current.servers).toEqual({})
    expect(started.problems).toMatchObject([{ message: expect.stringContaining('or write {}') }])
  })

  test('a file that is gone changes nothing', () => {
    const { settings, path, diffs } = store()
    rmSync(path)
    settings.reload()
    expect(Object.keys(settings.current.servers)).toEqual(['a'])
    expect(settings.problems[0]?.message).toContain('The file was removed')
    expect(diffs).toEqual([])
  })

  test('a listener that fails does not keep the others from the new settings', () => {
    const { settings, path } = store()
    let reached = false
    settings.onChange(() => {
      throw new Error('broken')
    })
    settings.onChange(() => (reached = true))
    writeFileSync(path, '{}')
    settings.reload()
    expect(reached).toBe(true)
  })

  test('the schema for editors lies beside it soon after the start', async () => {
    const { dataDir } = store()
    const path = join(dataDir, 'config.schema.json')
    await waitFor(() => expect(existsSync(path)).toBe(true))
    const schema: unknown = JSON.parse(readFileSync(path, 'utf8'))
    expect(schema).toMatchObject({
      additionalProperties: false,
      properties: { servers: {}, mcpServers: {}, compression: {}, $schema: {} },
    })
  })
})

describe('watching', () => {
  test('takes up a change in place, and one by an editor that renames', async () => {
    const { settings, path } = store(GOOD, { watch: true })
    writeFileSync(path, '{"logLevel": "debug"}')
    await waitFor(() => expect(settings.current.logLevel).toBe('debug'), 20)
    for (const logLevel of ['warn', 'error']) {
      writeFileSync(`${path}.new`, JSON.stringify({ logLevel }))
      renameSync(`${path}.new`, path)
      await waitFor(() => expect(settings.current.logLevel).toBe(logLevel), 20)
    }
  })

  test('takes up a file that is written after the start', async () => {
    const { settings, path } = store(null, { watch: true })
    writeFileSync(path, '{"logLevel": "debug"}')
    await waitFor(() => expect(settings.current.logLevel).toBe('debug'), 20)
  })

  test('a file written in two steps is one change', async () => {
    const { settings, path, diffs } = store(GOOD, { watch: true })
    writeFileSync(path, '')
    writeFileSync(path, '{"servers": {"b": {"command": "x"}}}')
    await waitFor(() => expect(Object.keys(settings.current.servers)).toEqual(['b']), 20)
    expect(diffs).toHaveLength(1)
  })

  test('ends with close', async () => {
    const { settings, path } = store(GOOD, { watch: true })
    settings.close()
    const other = openSettings({ dataDir: dirname(path), logger: silentLogger })
    onTestFinished(() => other.close())
    writeFileSync(path, '{"logLevel": "debug"}')
    await waitFor(() => expect(other.current.logLevel).toBe('debug'), 20)
    expect(settings.current.logLevel).toBe('info')
  })
})

describe('update', () => {
  test('changes the file in place: comments, order and indentation stay', () => {
    const { settings, path, diffs } = store()
    settings.update([
      { path: ['servers', 'a', 'tools', 't', 'hidden'], value: true },
      { path: ['logLevel'], value: 'warn' },
    ])
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(/^{\n  \/\/ the first\n  "servers": {\n    "a": {\n? *"command": "x",/)
    expect(settings.current).toMatchObject({
      logLevel: 'warn',
      servers: { a: { tools: { t: { hidden: true } } } },
    })
    expect(diffs).toHaveLength(1)

    settings.update([{ path: ['servers', 'a'], value: undefined }])
    expect(settings.current.servers).toEqual({})
    expect(readFileSync(path, 'utf8')).toContain('// the first')
  })

  test('keeps tabs, Windows line ends and the byte order mark', () => {
    const { settings, path } = store('\uFEFF{\r\n\t"servers": {\r\n\t}\r\n}\r\n')
    settings.update([{ path: ['servers', 'a'], value: { command: 'x' } }])
    expect(readFileSync(path, 'utf8')).toBe(
      '\uFEFF{\r\n\t"servers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
    )
  })

  test('finds a server that stands under mcpServers', () => {
    const { settings, path } = store('{ "mcpServers": { "a": { "command": "x" } } }')
    settings.update([{ path: ['servers', 'a', 'disabled'], value: true }])
    expect(parseSettings(readFileSync(path, 'utf8')).settings?.servers).toEqual({
      a: { command: 'x', disabled: true },
    })
    expect(readFileSync(path, 'utf8')).not.toContain('"servers"')
  })

  test('begins with the starter where there is no file yet, for this user only', () => {
    const { settings, path } = store(null)
    settings.update([{ path: ['servers', 'a'], value: { command: 'x' } }])
    expect(readFileSync(path, 'utf8')).toContain('// Settings of Sluice.')
    expect(settings.current.servers).toEqual({ a: { command: 'x' } })
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('refuses when the file was changed under it', () => {
    const { settings, path } = store()
    const theirs = '{"logLevel": "debug"}'
    writeFileSync(path, theirs)
    expect(() => settings.update([{ path: ['logLevel'], value: 'warn' }])).toThrow(/was changed meanwhile/)
    expect(readFileSync(path, 'utf8')).toBe(theirs)
    settings.reload()
    settings.update([{ path: ['logLevel'], value: 'warn' }])
    expect(settings.current.logLevel).toBe('warn')
  })

  test('refuses a change that would be wrong, naming the place', () => {
    const { settings, path } = store()
    expect(() => settings.update([{ path: ['http', 'port'], value: 99_999 }])).toThrow(
      /http.port: Must be at most 65535/,
    )
    expect(readFileSync(path, 'utf8')).toBe(GOOD)
  })

  test("refuses to touch a file with mistakes: they may be somebody's work in progress", () => {
    const { settings, path } = store('{"logLevel": "wran"}')
    expect(() => settings.update([{ path: ['logLevel'], value: 'warn' }])).toThrow(/has mistakes/)
    expect(readFileSync(path, 'utf8')).toBe('{"logLevel": "wran"}')
  })

  test.skipIf(process.platform === 'win32')('keeps the mode of the file and the link to it', () => {
    const dataDir = temporaryFolder()
    const elsewhere = join(temporaryFolder(), 'dotfiles.json')
    writeFileSync(elsewhere, GOOD)
    chmodSync(elsewhere, 0o640)
    mkdirSync(dataDir, { recursive: true })
    symlinkSync(elsewhere, join(dataDir, 'config.json'))
    const settings = openSettings({ dataDir, logger: silentLogger, watch: false })
    settings.update([{ path: ['logLevel'], value: 'warn' }])
    expect(lstatSync(join(dataDir, 'config.json')).isSymbolicLink()).toBe(true)
    expect(statSync(elsewhere).mode & 0o777).toBe(0o640)
    expect(readFileSync(elsewhere, 'utf8')).toContain('"warn"')
  })
})
