import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastPromptsIn } from '../../../electron/engine/goals/transcript-tail.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const written = (lines: readonly unknown[], end = '\n'): string => {
  const path = join(temporaryFolder(), 'session.jsonl')
  writeFileSync(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + end,
  )
  return path
}
const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})
const toolResult = (text: string) => user([{ type: 'tool_result', tool_use_id: 't1', content: text }])

describe('the end of a transcript', () => {
  it('of Claude Code gives the last prompts, not what the app wrote in the user’s name', async () => {
    const path = written([
      user('first request'),
      user('second request'),
      toolResult('request of a tool'),
      user('<command-name>/compact</command-name>'),
      user('<local-command-stdout>ok</local-command-stdout>'),
      user('a summary', { isCompactSummary: true }),
      user('a reminder', { isMeta: true }),
      user([{ type: 'text', text: 'third request' }]),
      { type: 'assistant', message: { content: [{ type: 'text', text: 'answer' }] } },
      user('fourth request é'),
      toolResult('x'.repeat(100_000)),
    ])
    expect(await lastPromptsIn(path, 'claude-code', 3)).toEqual([
      'second request',
      'third request',
      'fourth request é',
    ])
  })

  it('of Codex gives prompts of the old and the new kind once each', async () => {
    const path = written([
      { type: 'session_meta', payload: { id: 's' } },
      { type: 'event_msg', payload: { type: 'user_message', message: 'one' } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ text: 'instructions' }] },
      },
      {
        type: 'event_msg',
        payload: {
          type: 'item_completed',
          item: { type: 'UserMessage', content: [{ type: 'text', text: 'two' }] },
        },
      },
    ])
    expect(await lastPromptsIn(path, 'codex', 3)).toEqual(['one', 'two'])
  })

  it('is read while it grows, cut off, damaged, or longer than 256 KB', async () => {
    const long = 'y'.repeat(300_000)
    const path = written([user('too far'), toolResult(long), user('near'), '{"type":"user","mess'], '')
    expect(await lastPromptsIn(path, 'claude-code', 3)).toEqual(['near'])
    expect(await lastPromptsIn(written([user('near'), toolResult(long)]), 'claude-code', 3)).toEqual([])
  })

  it('gives nothing for another app, or without the file', async () => {
    expect(await lastPromptsIn(written([user('one')]), 'goose', 3)).toEqual([])
    expect(await lastPromptsIn('/nowhere/session.jsonl', 'claude-code', 3)).toEqual([])
  })
})
