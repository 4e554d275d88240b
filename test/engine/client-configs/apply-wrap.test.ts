import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyWrap, launchesOf } from '../../../electron/engine/client-configs/apply-wrap.ts'
import type { WrapDependencies } from '../../../electron/engine/client-configs/apply-wrap.ts'
import type { ClientFiles } from '../../../electron/engine/client-configs/client-files.ts'
import { nodeClientFiles } from '../../../electron/engine/client-configs/node-client-files.ts'
import { previewWrap } from '../../../electron/engine/client-configs/preview-wrap.ts'
import { applyUnwrap, previewUnwrap } from '../../../electron/engine/client-configs/unwrap.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { openSettings } from '../../../electron/engine/settings/settings-store.ts'
import { LAUNCHER } from '../../helpers/client-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

// Real file system and real settings store.

const CONTENT = '{\n\t"mcpServers": { "a": { "command": "x", "env": { "K": "SECRET" } } }\n}\n'
const CONFIG = '{ "servers": { "mine": { "command": "m" } } } // by hand\n'

interface Setup {
  readonly path: string
  readonly config: string
  readonly dataDir: string
  readonly dependencies: WrapDependencies
  readonly wrap: () => Promise<unknown>
  /** Both files unchanged, no backup or temporary file left. */
  expectUntouched(): void
}

function setUp(changes: Partial<ClientFiles> = {}, content = CONTENT): Setup {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const path = join(folder, 'mcp.json')
  writeFileSync(path, content, { mode: 0o640 })
  const settings = openSettings({ dataDir, logger: silentLogger, watch: false })
  writeFileSync(settings.path, CONFIG)
  settings.reload()
  const files = { ...nodeClientFiles, ...changes }
  const dependencies = { files, settings, dataDir, launcher: LAUNCHER, now: () => 1_700_000_000_000 }
  const preview = () =>
    previewWrap(
      { client: 'cursor', path },
      { files: nodeClientFiles, launcher: LAUNCHER, settings: settings.current },
    )
  return {
    path,
    config: settings.path,
    dataDir,
    dependencies,
    wrap: async () => applyWrap(preview(), dependencies),
    expectUntouched() {
      expect(readFileSync(path, 'utf8')).toBe(content)
      expect(readFileSync(settings.path, 'utf8')).toBe(CONFIG)
      expect(settings.current.servers).toEqual({ mine: { command: 'm' } })
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
      const backups = join(dataDir, 'backups')
      expect(existsSync(backups) ? readdirSync(backups) : []).toEqual([])
    },
  }
}

describe('applying', () => {
  test('writes both files, keeps the mode, and keeps the old bytes for this user only', async () => {
    const { path, config, dataDir, wrap, dependencies } = setUp()
    expect(await wrap()).toMatchObject({ serverIds: ['a'] })
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readFileSync(config, 'utf8')).toMatch(/"mine".*"a".*"SECRET".*\/\/ by hand/s)
    const [name = ''] = readdirSync(join(dataDir, 'backups'))
    expect(name).toMatch(/^2023-11-14T22-13-20-000Z-cursor-[0-9a-f]{8}$/)
    const backup = join(dataDir, 'backups', name)
    expect(readFileSync(join(backup, 'original'), 'utf8')).toBe(CONTENT)
    for (const file of readdirSync(backup)) expect(statSync(join(backup, file)).mode & 0o777).toBe(0o600)
    expect(statSync(backup).mode & 0o777).toBe(0o700)
    // The journal has no file contents.
    expect(readFileSync(join(backup, 'journal.json'), 'utf8')).not.toContain('SECRET')

    applyUnwrap(previewUnwrap({ client: 'cursor', path }, dependencies), dependencies)
    expect(readFileSync(path, 'utf8')).toBe(CONTENT)
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(dependencies.settings.current.servers).toEqual({ mine: { command: 'm' } })
  })

  test('a mode that the umask would narrow stays', async () => {
    const { path, wrap } = setUp()
    chmodSync(path, 0o666)
    await wrap()
    expect(statSync(path).mode & 0o777).toBe(0o666)
  })

  test('a link is followed, said, and stays a link', async () => {
    const { path, dependencies } = setUp()
    const link = join(path, '../link.json')
    symlinkSync(path, link)
    const { files, launcher, settings } = dependencies
    const preview = previewWrap(
      { client: 'cursor', path: link },
      { files, launcher, settings: settings.current },
    )
    expect(preview.target).toBe(path)
    expect(preview.warnings).toContainEqual(`${link} is a link: ${path} is the file that is written.`)
    applyWrap(preview, dependencies)
    expect(readFileSync(link, 'utf8')).toContain(LAUNCHER.command)
    expect(statSync(link).ino).toBe(statSync(path).ino)
    const undo = previewUnwrap({ client: 'cursor', path }, dependencies)
    expect(undo.isExact).toBe(true)
  })

  test('what is launched is told to whoever looks at it, and pinned before the app can start it', async () => {
    const setup = setUp()
    const { files, launcher, settings } = setup.dependencies
    const seen = previewWrap(
      { client: 'cursor', path: setup.path },
      { files, launcher, settings: settings.current },
    )
    const settingsOfA = { command: 'x', env: { K: 'SECRET' } }
    const launch = { settings: settingsOfA, appVariables: [] }
    expect([...launchesOf(seen, setup.dependencies)]).toEqual([['a', launch]])
    setup.expectUntouched()
    const pinned: unknown[] = []
    applyWrap(seen, {
      ...setup.dependencies,
      pinOffers: (servers) => {
        expect(settings.current.servers['a']).toEqual(settingsOfA)
        expect(readFileSync(setup.path, 'utf8')).toBe(CONTENT)
        pinned.push(...servers)
      },
    })
    expect(pinned).toEqual([['a', launch]])
  })
})

describe('nothing is half done', () => {
  const preview = ({ path, dependencies: { launcher, settings } }: Setup) =>
    previewWrap({ client: 'cursor', path }, { files: nodeClientFiles, launcher, settings: settings.current })

  test('the file was edited between preview and apply', async () => {
    const setup = setUp()
    const seen = preview(setup)
    writeFileSync(setup.path, `${CONTENT} `)
    expect(() => applyWrap(seen, setup.dependencies)).toThrow(/was changed after the preview/)
    writeFileSync(setup.path, CONTENT)
    setup.expectUntouched()
  })

  test('the file was edited while its servers were looked at', () => {
    const setup = setUp()
    const seen = preview(setup)
    const edited = CONTENT.replace('"x"', '"y"')
    writeFileSync(setup.path, edited)
    expect(() => launchesOf(seen, setup.dependencies)).toThrow(
      /was changed after the preview, so nothing was written/,
    )
    expect(() => applyWrap(seen, setup.dependencies)).toThrow(/was changed after the preview/)
    expect(readFileSync(setup.path, 'utf8')).toBe(edited)
    writeFileSync(setup.path, CONTENT)
    setup.expectUntouched()
  })

  test('the record of approvals cannot be written: both files stay', () => {
    const setup = setUp()
    const pinOffers = (): void => {
      throw new Error('disk full')
    }
    expect(() => applyWrap(preview(setup), { ...setup.dependencies, pinOffers })).toThrow('disk full')
    setup.expectUntouched()
  })

  test('config.json was edited between preview and apply, so that the preview would not be true', async () => {
    const setup = setUp()
    const seen = preview(setup)
    writeFileSync(setup.config, '{ "servers": { "a": { "command": "taken" } } }')
    setup.dependencies.settings.reload()
    expect(() => applyWrap(seen, setup.dependencies)).toThrow(/config\.json was changed after the preview/)
    expect(readFileSync(setup.path, 'utf8')).toBe(CONTENT)
  })

  test("config.json has a mistake: said, and the app's file stays", async () => {
    const setup = setUp()
    writeFileSync(setup.config, '{ "servers": {}, "htpp": {} }')
    setup.dependencies.settings.reload()
    await expect(setup.wrap()).rejects.toMatchObject({ code: 'SETTINGS_INVALID' })
    expect(readFileSync(setup.path, 'utf8')).toBe(CONTENT)
    expect(readdirSync(join(setup.dataDir, 'backups'))).toEqual([])
  })

  test('the app holds the file: config.json goes back, byte for byte', async () => {
    const setup = setUp({
      replace(path, bytes, facts) {
        if (path.endsWith('mcp.json'))
          throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' })
        nodeClientFiles.replace(path, bytes, facts)
      },
    })
    await expect(setup.wrap()).rejects.toThrow(
      /can't be written \(another program has it open\).*close the app and try again. Nothing was changed/,
    )
    setup.expectUntouched()
  })

  test('another program writes at the same moment: its text stays, ours is withdrawn', async () => {
    const theirs = '{"theirs": true}'
    const setup = setUp({
      replace(path, bytes, facts) {
        nodeClientFiles.replace(path, bytes, facts)
        if (path.endsWith('mcp.json')) writeFileSync(path, theirs)
      },
    })
    await expect(setup.wrap()).rejects.toThrow(/Another program wrote to .* at the same moment/)
    expect(readFileSync(setup.path, 'utf8')).toBe(theirs)
    writeFileSync(setup.path, CONTENT)
    setup.expectUntouched()
  })

  test('the backup cannot be written', async () => {
    const setup = setUp({
      create: () => {
        throw new Error('ENOSPC: no space left on device')
      },
    })
    await expect(setup.wrap()).rejects.toThrow(/ENOSPC/)
    setup.expectUntouched()
  })

  test('read-only, missing, a folder, not UTF-8, not parsable: a clear message each', async () => {
    const setup = setUp()
    chmodSync(setup.path, 0o440)
    await expect(setup.wrap()).rejects.toThrow(/mcp\.json is marked read-only, so nothing was changed/)
    setup.expectUntouched()
    const look = (path: string, text?: string | Uint8Array) => {
      if (text !== undefined) writeFileSync(path, text)
      const { files, launcher, settings } = setup.dependencies
      return () => previewWrap({ client: 'cursor', path }, { files, launcher, settings: settings.current })
    }
    const other = join(setup.path, '../other.json')
    expect(look(other)).toThrow(/other\.json is not there/)
    expect(look(setup.dataDir)).toThrow(/isn't a file/)
    expect(look(other, Buffer.from('\uFEFF{"mcpServers":{}}', 'utf16le'))).toThrow(/not written in UTF-8/)
    expect(look(other, '{\n  "mcpServers": {\n    "a": {]\n')).toThrow(
      /other\.json:3:11 is not valid JSON: property name expected/,
    )
    expect(look(join(setup.path, '../o.yaml'), 'a: [1\nb: 2')).toThrow(/o\.yaml:2:1 is not valid YAML/)
    expect(look(join(setup.path, '../o.toml'), 'a = 1\na = 2')).toThrow(/o\.toml:2:1 is not valid TOML/)
    expect(look(other, '['.repeat(100_000))).toThrow(/not valid JSON|nested too deeply/)
    expect(look(other, '')().servers).toEqual([])
  })

  test('a temporary file is not left behind when the rename fails', () => {
    const folder = temporaryFolder()
    const facts = { mode: 0o600, owner: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0 }
    expect(() => nodeClientFiles.replace(folder, Buffer.from('x'), facts)).toThrow()
    expect(
      readdirSync(join(folder, '..')).filter(
        (name) => name.startsWith(folder.split('/').at(-1) ?? '-') && name.endsWith('.tmp'),
      ),
    ).toEqual([])
  })
})
