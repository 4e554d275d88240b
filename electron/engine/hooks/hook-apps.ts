import { claudeCode } from './apps/claude-code.ts'
import { codex } from './apps/codex.ts'
import { copilotCli } from './apps/copilot-cli.ts'
import { geminiCli } from './apps/gemini-cli.ts'
import { opencode } from './apps/opencode.ts'
import { promptOnlyApps } from './apps/prompt-only.ts'
import type { HookApp } from './hook-event.ts'

export const hookApps: ReadonlyMap<string, HookApp> = new Map(
  [claudeCode, codex, geminiCli, copilotCli, opencode, ...promptOnlyApps].map((app) => [app.id, app]),
)
