import { claudeCode } from './apps/claude-code.ts'
import { codex } from './apps/codex.ts'
import { copilotCli } from './apps/copilot-cli.ts'
import { cursor } from './apps/cursor.ts'
import { geminiCli } from './apps/gemini-cli.ts'
import { opencode } from './apps/opencode.ts'
import type { HookApp } from './hook-event.ts'

export const hookApps: ReadonlyMap<string, HookApp> = new Map(
  [claudeCode, codex, geminiCli, copilotCli, opencode, cursor].map((app) => [app.id, app]),
)
