import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTranscripts } from '../../../electron/engine/transcripts/find-transcripts.ts'
import { TRANSCRIPT_APPS } from '../../../electron/engine/transcripts/transcript.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { openOpencode } from '../../helpers/transcripts/write-others.ts'

const put = (path: string, text = '{}\n'): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function home(): { homeDir: string; find: (env?: Record<string, string>, since?: number) => string[] } {
  const homeDir = temporaryFolder()
  const find = (env: Record<string, string> = {}, since = 0): string[] =>
    findTranscripts({ apps: TRANSCRIPT_APPS, since, env, homeDir, platform: 'linux' }).sources.map(
      ({ app, path, session, project, parent }) =>
        [app, path.slice(homeDir.length + 1), session, project, parent].filter(Boolean).join(' '),
    )
  return { homeDir, find }
}

describe('sessions of the apps', () => {
  it('are found in their places', () => {
    const { homeDir, find } = home()
    put(join(homeDir, '.claude/projects/-work-app/s1.jsonl'))
    put(join(homeDir, '.claude/projects/-work-app/s1/subagents/agent-a1.jsonl'))
    put(join(homeDir, '.claude/projects/-work-app/s1/subagents/agent-a1.meta.json'))
    put(join(homeDir, '.claude/projects/-work-app/s1/tool-results/x.txt'))
    put(join(homeDir, '.codex/sessions/2026/11/20/rollout-2026-11-20T09-00-00-uuid.jsonl'))
    put(join(homeDir, '.codex/sessions/state_5.sqlite'))
    put(join(homeDir, '.gemini/projects.json'), JSON.stringify({ projects: { '/work/app': 'app' } }))
    put(join(homeDir, '.gemini/tmp/app/chats/session-2026-11-20T09-00-0a1b2c3d.jsonl'))
    put(join(homeDir, '.gemini/tmp/app/logs.json'))
    put(join(homeDir, '.copilot/session-state/s4/events.jsonl'))
    put(join(homeDir, '.qwen/projects/-work-app/chats/s5.jsonl'))
    const script = { session: 'ses_1', model: 'm', project: '/work/app', steps: [] }
    openOpencode(join(homeDir, '.local/share/opencode/opencode.db'), [script])()
    expect(find()).toEqual([
      'claude-code .claude/projects/-work-app/s1.jsonl',
      'claude-code .claude/projects/-work-app/s1/subagents/agent-a1.jsonl s1',
      'codex .codex/sessions/2026/11/20/rollout-2026-11-20T09-00-00-uuid.jsonl',
      'gemini-cli .gemini/tmp/app/chats/session-2026-11-20T09-00-0a1b2c3d.jsonl /work/app',
      'opencode .local/share/opencode/opencode.db ses_1 /work/app',
      'copilot-cli .copilot/session-state/s4/events.jsonl',
      'qwen-code .qwen/projects/-work-app/chats/s5.jsonl',
    ])
  })

  it('are found where the environment says', () => {
    const { homeDir, find } = home()
    put(join(homeDir, 'c/projects/-a/s1.jsonl'))
    put(join(homeDir, 'x/sessions/2026/11/20/rollout-1.jsonl'))
    put(join(homeDir, 'p/session-state/s4/events.jsonl'))
    const env = {
      CLAUDE_CONFIG_DIR: join(homeDir, 'c'),
      CODEX_HOME: join(homeDir, 'x'),
      COPILOT_HOME: join(homeDir, 'p'),
    }
    expect(find(env)).toEqual([
      'claude-code c/projects/-a/s1.jsonl',
      'codex x/sessions/2026/11/20/rollout-1.jsonl',
      'copilot-cli p/session-state/s4/events.jsonl',
    ])
    expect(find()).toEqual([])
  })

  it('are left out if they are older, empty, or behind a link', () => {
    const { homeDir, find } = home()
    const folder = join(homeDir, '.claude/projects/-a')
    put(join(folder, 'old.jsonl'))
    put(join(folder, 'new.jsonl'))
    put(join(folder, 'empty.jsonl'), '')
    put(join(homeDir, 'elsewhere/secret.jsonl'))
    symlinkSync(join(homeDir, 'elsewhere/secret.jsonl'), join(folder, 'link.jsonl'))
    utimesSync(join(folder, 'old.jsonl'), 1_000, 1_000)
    expect(find({}, 2_000_000)).toEqual(['claude-code .claude/projects/-a/new.jsonl'])
  })

  it('that can’t be read are named', () => {
    const { homeDir } = home()
    put(
      join(homeDir, '.local/share/opencode/opencode.db'),
      'not a database, though it is long enough to be one',
    )
    const machine = { env: {}, homeDir, platform: 'linux' as const }
    const { sources, problems } = findTranscripts({ apps: TRANSCRIPT_APPS, since: 0, ...machine })
    expect(sources).toEqual([])
    expect(problems).toMatchObject([
      { app: 'opencode', message: expect.stringContaining('database') as string },
    ])
  })
})
