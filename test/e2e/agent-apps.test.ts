import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hookSpecNamed } from '../../electron/engine/client-configs/hooks/hook-specs.ts'
import { agentApps, runAgentApp } from '../helpers/agent-apps.ts'
import { bashPayload } from '../helpers/bash-payload.ts'
import { buildLog } from '../helpers/build-log.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { hooksWorld } from '../helpers/hooks-world.ts'
import { playModel } from '../helpers/play-model.ts'
import { runCli } from '../helpers/run-cli.ts'

// Each is skipped unless its variable names its program.

/** The last is above the limits at which Claude Code and Copilot CLI keep an output in a file. */
const LINES = [250, 260, 600]

describe.each(agentApps)('$id', (app) => {
  const { id, variable, from, prepare } = app
  const program = process.env[variable]
  if (program === undefined)
    console.warn(`The released ${id} is not tried: name its program in ${variable} (npm package ${from})`)

  it.skipIf(program === undefined)(
    'sends the model the short forms, and works on without an engine',
    async () => {
      const world = await hooksWorld(onTestFinished)
      const { folder, dataDir, engine } = world
      const { url } = await engine.listen({ port: 0 })
      writeConfig(dataDir, {}, { http: { port: Number(new URL(url).port) } })
      const work = join(folder, 'work')
      mkdirSync(work)
      const logs = LINES.map((count) => buildLog(count))
      for (const [index, log] of logs.entries()) writeFileSync(join(work, `${index}.log`), log)
      // A failed command of Claude Code reaches no hook that may replace its output.
      const commands = logs.map(
        (_, index) => `cat ${index}.log; echo build ${index}; exit ${id === 'claude-code' ? 0 : index}`,
      )
      const model = await playModel(commands, onTestFinished)
      const env = prepare(folder, { url: model.url, dataDir })
      const place = { program: program ?? '', home: folder, folder: work, env }
      // Threads of a fresh engine need longer than an app waits, and this model answers at once.
      for (const tool_use_id of ['w1', 'w2', 'w3'])
        await world.ask('claude-code', 'PostToolUse', bashPayload(buildLog(), {}, { tool_use_id }))
      const sluice = (...words: string[]) =>
        runCli(['--data-dir', dataDir, ...words], {
          env: { HOME: folder, XDG_CONFIG_HOME: '', CODEX_HOME: '', COPILOT_HOME: '', CLAUDE_CONFIG_DIR: '' },
        })
      const file = hookSpecNamed(id).file({ platform: 'linux', homeDir: folder, env: {} })
      const content = (): string => (existsSync(file) ? readFileSync(file, 'latin1') : '')
      const unwrapped = content()
      expect(await sluice('wrap', id, '--built-in', '--yes')).toMatchObject({ code: 0 })

      expect(await runAgentApp(app, place, onTestFinished)).toBe(0)
      expect(model.results()).toHaveLength(LINES.length)
      for (const shown of model.results()) {
        expect(shown.slice(0, 300)).toMatch(/\[Compressed: \d+→\d+ tokens/)
        // Codex cuts the middle of a long output before its hook gets it.
        if (!/chars truncated/.test(shown))
          expect(shown).toContain('src/server/session.ts(88,14): error TS2345')
        expect(shown.length).toBeLessThan(3_000)
        const kept = /id: (r_\w+)/.exec(shown)?.[1] ?? ''
        expect((await sluice('read', kept, '--grep', 'build finished')).stdout).toContain('41.2 s')
      }
      // The only one that says what the model saw.
      if (id === 'claude-code')
        expect(engine.hooks.states()).toMatchObject([
          { tool: 'Bash', delivered: 3, dropped: 0, lost: 0, isOff: false },
        ])

      await world.close()
      model.begin()
      expect(await runAgentApp(app, place, onTestFinished)).toBe(0)
      // Its MCP entry starts an engine.
      if (id !== 'gemini-cli')
        expect(model.results()[0]).toContain('[3] compiled src/modules/part-3/index.ts')
      expect(await sluice('unwrap', id, '--built-in', '--yes')).toMatchObject({ code: 0 })
      expect(content()).toBe(unwrapped)
    },
    300_000,
  )
})
