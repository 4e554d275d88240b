import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { timeOf, VERSIONS, type Script } from './script.ts'

export interface ClaudeOptions {
  /** A sub-agent's file. */
  readonly agent?: string
}

/** One line for each block of a message, each with the usage of the whole. */
export function claudeLines(script: Script, { agent }: ClaudeOptions = {}): object[] {
  const lines: object[] = []
  const lastOfStep: string[] = []
  const uuidOfResult = new Map<string, string>()
  let parent: string | null = null
  let minutes = 0
  const add = (type: string, fields: Record<string, unknown>): string => {
    const uuid = `${script.session}-${lines.length}`
    lines.push({
      parentUuid: parent,
      isSidechain: agent !== undefined,
      ...(agent === undefined ? {} : { agentId: agent }),
      userType: 'external',
      cwd: script.project,
      sessionId: script.session,
      version: script.version ?? VERSIONS['claude-code'],
      gitBranch: 'main',
      type,
      ...fields,
      uuid,
      timestamp: timeOf(minutes),
    })
    parent = uuid
    return uuid
  }
  for (const step of script.steps) {
    if ('prompt' in step) {
      if (step.after !== undefined) parent = lastOfStep[step.after] ?? null
      add('user', { message: { role: 'user', content: step.prompt }, promptId: `p${lines.length}` })
    } else if ('request' in step) {
      minutes += step.minutes ?? 1
      const { input, read = 0, write = 0, write1h = 0, output } = step.request
      const id = `msg_${script.session}_${lines.length}`
      const blocks: object[] = [
        { type: 'text', text: step.answer ?? 'I look.' },
        ...(step.calls ?? []).map((call) => ({
          type: 'tool_use',
          id: call.id,
          name: call.tool,
          input: call.input,
        })),
      ]
      for (const [index, block] of blocks.entries()) {
        const usage = {
          input_tokens: input,
          cache_creation_input_tokens: write + write1h,
          cache_read_input_tokens: read,
          cache_creation: { ephemeral_5m_input_tokens: write, ephemeral_1h_input_tokens: write1h },
          // Lines before the last one may have been written while the answer came.
          output_tokens: index === blocks.length - 1 ? output : 1,
          service_tier: 'standard',
        }
        const message = {
          id,
          type: 'message',
          role: 'assistant',
          model: script.model,
          content: [block],
          usage,
        }
        add('assistant', { message, requestRef: `r${lines.length}`, apiBlockIndex: index })
      }
    } else if ('result' in step) {
      const block = {
        type: 'tool_result',
        tool_use_id: step.result,
        content: step.text,
        ...(step.isError ? { is_error: true } : {}),
      }
      const message = { role: 'user', content: [block] }
      uuidOfResult.set(step.result, add('user', { message, toolUseResult: { stdout: step.text } }))
    } else {
      const uuids = (step.kept ?? []).map((id) => uuidOfResult.get(id))
      const logicalParentUuid = parent
      parent = null
      const preservedMessages = { uuids }
      add('system', {
        subtype: 'compact_boundary',
        logicalParentUuid,
        compactMetadata: { trigger: 'auto', preTokens: 1, postTokens: 1, preservedMessages },
      })
      add('user', { isCompactSummary: true, message: { role: 'user', content: step.compaction } })
    }
    lastOfStep.push(parent ?? '')
  }
  return lines
}

export function writeLines(path: string, lines: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
