import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bashPayload } from '../helpers/bash-payload.ts'
import { buildLog } from '../helpers/build-log.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { hooksWorld } from '../helpers/hooks-world.ts'
import { playAnthropic } from '../helpers/play-anthropic.ts'
import { runHere } from '../helpers/run-here.ts'

// The released Claude Code against a model on loopback; seen with 2.1.197.

const program = process.env['SLUICE_CLAUDE_CODE']
if (program === undefined)
  console.warn(
    'The released Claude Code is not tried: name its program in SLUICE_CLAUDE_CODE (npm package @anthropic-ai/claude-code)',
  )

const SETTINGS = '{\n\t"env" : {"A":"b"}\n}\n'
const PROMPT = 'why does it fail?'
const USUAL = 250
const ABOVE_THE_LIMIT = 600

async function runApp(home: string, folder: string, url: string): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    SHELL: '/bin/bash',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'made-up',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Whatever else it might call leads nowhere.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
  }
  const app = spawn(program ?? '', ['-p', PROMPT, '--allowedTools', 'Bash'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void app.kill())
  const [said] = await Promise.all([text(app.stdout), once(app, 'close')])
  return said
}

describe.skipIf(program === undefined)('the released Claude Code', () => {
  it('sends the model the short forms, counts as delivered, and works on without an engine', async () => {
    const world = await hooksWorld(onTestFinished)
    const { folder, dataDir, engine } = world
    const { url } = await engine.listen({ port: 0 })
    writeConfig(dataDir, {}, { http: { port: Number(new URL(url).port) } })
    const [settings, work] = [join(folder, '.claude', 'settings.json'), join(folder, 'work')]
    for (const path of [join(folder, '.claude'), work]) mkdirSync(path)
    writeFileSync(settings, SETTINGS)
    const logs = [buildLog(USUAL), buildLog(ABOVE_THE_LIMIT)]
    for (const [index, log] of logs.entries()) writeFileSync(join(work, `${index}.log`), log)
    const commands = logs.map((_, index) => `cat ${index}.log # a build`)
    const sluice = (...args: string[]) =>
      runHere(['--data-dir', dataDir, ...args], { env: { HOME: folder, CLAUDE_CONFIG_DIR: '' } })
    expect(await sluice('wrap', 'claude-code', '--built-in', '--yes')).toMatchObject({ code: 0 })

    // Threads of a fresh engine need longer than an app waits.
    const { session_id } = bashPayload('')
    await world.ask('claude-code', 'UserPromptSubmit', { session_id, prompt: PROMPT })
    const warmUp = ['w1', 'w2', 'w3'].map((tool_use_id) =>
      world.ask('claude-code', 'PostToolUse', bashPayload(buildLog(), {}, { tool_use_id })),
    )
    await Promise.all(warmUp)
    const on = await playAnthropic(commands, onTestFinished)
    expect(await runApp(folder, work, on.url)).toBe('done\n')
    expect(on.results()).toEqual(logs.map(() => expect.stringMatching(/^\[Compressed: \d+→\d+ tokens/)))
    for (const shown of on.results()) {
      expect(shown).toContain('src/server/session.ts(88,14): error TS2345')
      const id = /id: (r_\w+)/.exec(shown)?.[1] ?? ''
      expect((await sluice('read', id, '--grep', 'TS2345')).stdout).toMatch(/^218:src\/server/)
    }
    expect(engine.hooks.states()).toMatchObject([
      { tool: 'Bash', answered: 5, delivered: 2, dropped: 0, lost: 0, isOff: false },
    ])

    await world.close()
    const off = await playAnthropic(commands, onTestFinished)
    expect(await runApp(folder, work, off.url)).toBe('done\n')
    expect(off.results()[0]).toBe(logs[0])
    expect(off.results()[1]).toMatch(/^<persisted-output>\nOutput too large [^]*Preview \(first 2KB\):\n/)
    await sluice('unwrap', 'claude-code', '--built-in', '--yes')
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS)
  }, 120_000)
})
