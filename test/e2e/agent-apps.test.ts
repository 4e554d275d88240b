import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bashPayload } from '../helpers/bash-payload.ts'
import { buildLog } from '../helpers/build-log.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { hooksWorld } from '../helpers/hooks-world.ts'
import { playModel } from '../helpers/play-model.ts'
import { CLI, runCli } from '../helpers/run-cli.ts'

// Released agents against a model on loopback. Each is skipped unless its variable names its program.

interface AgentApp {
  readonly id: string
  /** Seen with, from npm. */
  readonly from: string
  readonly variable: string
  readonly args: readonly string[]
  /** Returns its environment. */
  readonly prepare: (
    home: string,
    place: { url: string; dataDir: string },
  ) => Readonly<Record<string, string>>
}

const PROMPT = 'why does it fail?'
const write = (path: readonly string[], value: unknown): void => {
  mkdirSync(join(...path.slice(0, -1)), { recursive: true })
  writeFileSync(join(...path), typeof value === 'string' ? value : JSON.stringify(value))
}

const APPS: readonly AgentApp[] = [
  {
    id: 'codex',
    from: '@openai/codex@0.169.0',
    variable: 'SLUICE_CODEX',
    args: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      PROMPT,
    ],
    prepare: (home, { url }) => {
      const provider = `[model_providers.loop]\nname = "loop"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "LOOP_KEY"\n`
      write([home, '.codex', 'config.toml'], `model = "gpt-5"\nmodel_provider = "loop"\n${provider}`)
      return { LOOP_KEY: 'made-up' }
    },
  },
  {
    id: 'opencode',
    from: 'opencode-ai@1.18.33',
    variable: 'SLUICE_OPENCODE',
    args: ['run', '--model', 'loop/m', PROMPT],
    prepare: (home, { url }) => {
      const loop = {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: 'made-up' },
        models: { m: { name: 'm', limit: { context: 200_000, output: 8_000 } } },
      }
      const models = { model: 'loop/m', small_model: 'loop/m', provider: { loop } }
      write([home, '.config', 'opencode', 'opencode.json'], {
        autoupdate: false,
        share: 'disabled',
        permission: { bash: 'allow' },
        ...models,
      })
      return {
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      }
    },
  },
  {
    id: 'gemini-cli',
    from: '@google/gemini-cli@0.61.0',
    variable: 'SLUICE_GEMINI_CLI',
    args: ['--yolo', '-m', 'gemini-2.5-pro', '-p', PROMPT],
    prepare: (home, { url, dataDir }) => {
      const [command, args] = [
        process.execPath,
        [CLI, '--data-dir', dataDir, 'connect', '--client', 'gemini-cli'],
      ]
      write([home, '.gemini', 'settings.json'], {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { sluice: { command, args, trust: true } },
      })
      return { GEMINI_API_KEY: 'made-up', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }
    },
  },
  {
    id: 'copilot-cli',
    from: '@github/copilot@1.0.102',
    variable: 'SLUICE_COPILOT_CLI',
    args: ['-p', PROMPT, '--allow-all-tools', '--allow-all-paths'],
    prepare: (_, { url }) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'made-up',
      COPILOT_MODEL: 'gpt-4',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    }),
  },
]

/** The last is above the limit at which Copilot CLI keeps an output in a file. */
const LINES = [250, 260, 600]

describe.each(APPS)('$id', ({ id, from, variable, args, prepare }) => {
  const program = process.env[variable]
  if (program === undefined)
    console.warn(`The released ${id} is not tried: name its program in ${variable} (npm package ${from})`)

  it.skipIf(program === undefined)(
    'sends the model the short forms, and works on without an engine',
    async () => {
      const world = await hooksWorld(onTestFinished)
      const { folder, dataDir, engine } = world
      await engine.listen({ port: 0 })
      writeConfig(dataDir, {}, {})
      const work = join(folder, 'work')
      mkdirSync(work)
      const logs = LINES.map((count) => buildLog(count))
      for (const [index, log] of logs.entries()) writeFileSync(join(work, `${index}.log`), log)
      const commands = logs.map((_, index) => `cat ${index}.log; echo build ${index}; exit ${index}`)
      const on = await playModel(commands, onTestFinished)
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        SHELL: '/bin/bash',
        // Whatever else it might call leads nowhere.
        HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1,localhost',
      }
      const run = async (url: string): Promise<number | null> => {
        const all = { ...env, ...prepare(folder, { url, dataDir }) }
        const app = spawn(program ?? '', args, { cwd: work, env: all, stdio: ['ignore', 'pipe', 'pipe'] })
        onTestFinished(() => void app.kill('SIGKILL'))
        void text(app.stderr)
        void text(app.stdout)
        await once(app, 'close')
        return app.exitCode
      }
      prepare(folder, { url: on.url, dataDir })
      // Threads of a fresh engine need longer than an app waits, and this model answers at once.
      for (const tool_use_id of ['w1', 'w2', 'w3'])
        await world.ask('claude-code', 'PostToolUse', bashPayload(buildLog(), {}, { tool_use_id }))
      const sluice = (...words: string[]) =>
        runCli(['--data-dir', dataDir, ...words], {
          env: { HOME: folder, XDG_CONFIG_HOME: '', CODEX_HOME: '', COPILOT_HOME: '' },
        })
      expect(await sluice('wrap', id, '--built-in', '--yes')).toMatchObject({ code: 0 })

      expect(await run(on.url)).toBe(0)
      const rows = (await engine.ledger.recentCalls(10)).filter(({ client }) => client === id)
      console.log(`${id}: the engine took ${rows.map(({ ms }) => Math.round(ms)).join(', ')} ms`)
      expect(on.results()).toHaveLength(LINES.length)
      for (const shown of on.results()) {
        expect(shown).toMatch(/\[Compressed: \d+→\d+ tokens/)
        // Codex cuts the middle of a long output before its hook gets it.
        if (!/chars truncated/.test(shown))
          expect(shown).toContain('src/server/session.ts(88,14): error TS2345')
        expect(shown.length).toBeLessThan(3_000)
      }

      await world.close()
      const off = await playModel(commands.slice(0, 1), onTestFinished)
      expect(await run(off.url)).toBe(0)
      expect(off.results()[0]).toContain('[3] compiled src/modules/part-3/index.ts')
      expect(await sluice('unwrap', id, '--built-in', '--yes')).toMatchObject({ code: 0 })
    },
    300_000,
  )
})
