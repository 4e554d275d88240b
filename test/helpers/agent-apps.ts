import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CLI } from './run-cli.ts'

// Released agents against a model on loopback.

export interface AgentApp {
  readonly id: string
  /** Seen with, from npm. */
  readonly from: string
  readonly variable: string
  readonly args: readonly string[]
  /** Returns its environment. */
  readonly prepare: (home: string, place: AppPlace) => Readonly<Record<string, string>>
}

interface AppPlace {
  /** Of the model. */
  readonly url: string
  /** Of Sluice. */
  readonly dataDir: string
}

const PROMPT = 'why does it fail?'
const write = (path: readonly string[], value: unknown): void => {
  mkdirSync(join(...path.slice(0, -1)), { recursive: true })
  writeFileSync(join(...path), typeof value === 'string' ? value : JSON.stringify(value))
}

export const agentApps: readonly AgentApp[] = [
  {
    id: 'claude-code',
    from: '@anthropic-ai/claude-code@2.1.197',
    variable: 'SLUICE_CLAUDE_CODE',
    args: ['-p', PROMPT, '--allowedTools', 'Bash'],
    prepare: (home, { url }) => {
      write([home, '.claude', 'settings.json'], '{\n\t"env" : {"A":"b"}\n}\n')
      return {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'made-up',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
      }
    },
  },
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
        general: { enableAutoUpdate: false },
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

/** To its end, in this folder; returns its exit code. */
export async function runAgentApp(
  { args }: AgentApp,
  {
    program,
    home,
    folder,
    env,
  }: {
    readonly program: string
    readonly home: string
    readonly folder: string
    /** From \`prepare\`. */
    readonly env: Readonly<Record<string, string>>
  },
  whenDone: (end: () => void) => void,
): Promise<number | null> {
  const app = spawn(program, args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      SHELL: '/bin/bash',
      // Whatever else it might call leads nowhere.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  whenDone(() => void app.kill('SIGKILL'))
  const said = [text(app.stderr), text(app.stdout)]
  await Promise.all([once(app, 'close'), ...said])
  return app.exitCode
}
