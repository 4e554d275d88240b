import { readClaudeCode } from './claude-code.ts'
import { readCodex } from './codex.ts'
import { readCopilotCli } from './copilot-cli.ts'
import { readGeminiCli } from './gemini-cli.ts'
import { readOpencode } from './opencode.ts'
import { readQwenCode } from './qwen-code.ts'
import type { ReadTranscript, TranscriptApp } from './transcript.ts'

const readers: Readonly<Record<TranscriptApp, ReadTranscript>> = {
  'claude-code': readClaudeCode,
  codex: readCodex,
  'gemini-cli': readGeminiCli,
  opencode: readOpencode,
  'copilot-cli': readCopilotCli,
  'qwen-code': readQwenCode,
}

export const readTranscript: ReadTranscript = (source) => readers[source.app](source)
