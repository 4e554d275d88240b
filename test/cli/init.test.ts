import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../electron/engine/settings/parse-settings.ts'
import { hostEngine } from '../helpers/host-engine.ts'
import { runCli } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

describe('sluice init', () => {
  test('writes a commented file that is right as it stands, for this user only', async () => {
    const dataDir = join(temporaryFolder(), 'new', 'folder')
    const { code, stdout } = await runCli(['init', '--data-dir', dataDir])
    expect(code).toBe(0)
    expect(stdout).toContain(join(dataDir, 'config.json'))
    const text = readFileSync(join(dataDir, 'config.json'), 'utf8')
    expect(text).toContain('// Settings of Sluice.')
    expect(parseSettings(text)).toMatchObject({ problems: [], notices: [] })
    expect(JSON.parse(readFileSync(join(dataDir, 'config.schema.json'), 'utf8'))).toMatchObject({
      type: 'object',
    })
    if (process.platform !== 'win32') {
      expect(statSync(dataDir).mode & 0o777).toBe(0o700)
      expect(statSync(join(dataDir, 'config.json')).mode & 0o777).toBe(0o600)
    }
  })

  test('recommends to serve only where no engine runs', async () => {
    const dataDir = temporaryFolder()
    const engine = await hostEngine(dataDir)
    const beside = await runHere(['init', '--data-dir', dataDir])
    expect(beside.stdout).toContain('The Sluice that runs reads it at once.')
    writeFileSync(
      join(dataDir, 'config.json'),
      '{ "http": { "port": 0 }, "servers": { "s": { "command": "x" } } }',
    )
    await expect.poll(() => Object.keys(engine.settings.current.servers)).toEqual(['s'])
    const alone = await runHere(['init', '--data-dir', temporaryFolder()])
    expect(alone.stdout).toMatch(/`sluice serve` runs Sluice\.\n$/)
  })

  test('the examples in the comments are right too', () => {
    const text = readFileSync(
      join(import.meta.dirname, '../../electron/engine/settings/starter-config.ts'),
      'utf8',
    )
    const starter = text
      .slice(text.indexOf('`//') + 1, text.lastIndexOf('`'))
      .replaceAll('\\$', '$')
      .replaceAll('\\`', '`')
    const uncommented = starter.replaceAll(/^( +)\/\/ (?=["}\]]| {2})/gm, '$1')
    const { problems, settings } = parseSettings(uncommented)
    expect(problems).toEqual([])
    expect(Object.keys(settings?.servers ?? {})).toEqual(['files', 'remote'])
  })

  test('MCPCP fault: an existing file was overwritten without asking', async () => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, 'config.json'), '{ "mine": true')
    const { code, stdout, stderr } = await runCli(['init', '--data-dir', dataDir])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('is there already and was not touched')
    expect(readFileSync(join(dataDir, 'config.json'), 'utf8')).toBe('{ "mine": true')
  })
})
