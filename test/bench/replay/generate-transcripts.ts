import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { TranscriptApp } from '../../../electron/engine/transcripts/transcript.ts'
import { measureTokens } from '../../../electron/engine/text/tokens/measure-tokens.ts'
import { readCases, type Case } from '../../cases/read-cases.ts'
import type { Script, Step } from '../../helpers/transcripts/script.ts'
import { claudeLines, writeLines } from '../../helpers/transcripts/write-claude-code.ts'
import { codexLines, geminiLines, openOpencode } from '../../helpers/transcripts/write-others.ts'

/** Numbers from 0 to 1, equal for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const SHELL: Readonly<Partial<Record<TranscriptApp, string>>> = {
  'claude-code': 'Bash',
  codex: 'shell',
  'gemini-cli': 'run_shell_command',
  opencode: 'bash',
}
const MODELS: Readonly<Partial<Record<TranscriptApp, string>>> = {
  'claude-code': 'claude-opus-5-5',
  codex: 'gpt-5.4',
  'gemini-cli': 'gemini-3.8-flash',
  opencode: 'claude-sonnet-5-5',
}
/** A third of the results are whole documents; most results of sessions are short. */
const LARGE_SHARE = 0.3
const LONGEST = 60_000
const SHORT = 2_500
const COMPACTED_AT = 150_000
const SYSTEM = 18_000
/** The cache lives five minutes. */
const LATE_SHARE = 0.05

/**
 * A session as an app would have written it, except that nobody ran it: questions of test/cases are prompts, their
 * documents the results, and their answers the strings that later calls and answers use.
 */
function sessionOf(
  app: TranscriptApp,
  session: string,
  cases: readonly Case[],
  random: () => number,
): Script {
  const steps: Step[] = []
  const hasWrites = app === 'claude-code' || app === 'opencode'
  let prompt = SYSTEM
  let cached = 0
  const request = (more: Omit<Extract<Step, { request: unknown }>, 'request'>, output: number): void => {
    const minutes = random() < LATE_SHARE ? 12 : 1
    const read = minutes > 5 ? 0 : cached
    const usage = hasWrites ? { input: 4, read, write: prompt - read } : { input: prompt - read + 4, read }
    steps.push({ request: { ...usage, output }, minutes, ...more })
    cached = prompt
    prompt += output + 4
  }
  const turns = 10 + Math.floor(random() * 60)
  for (let turn = 0; turn < turns; turn++) {
    const one = cases[Math.floor(random() * cases.length)]
    if (!one) continue
    steps.push({ prompt: one.goal === '' ? 'Give me an overview of it.' : one.goal })
    prompt += 40
    const isLarge = random() < LARGE_SHARE
    const text = one.document.slice(0, isLarge ? LONGEST : Math.floor(200 + random() * SHORT))
    const id = `${session}_${turn}`
    const tool = isLarge && random() < 0.5 ? 'mcp__work__query' : (SHELL[app] ?? 'Bash')
    request({ calls: [{ id, tool, input: { command: `show ${one.family}` } }] }, 120)
    steps.push({ result: id, text })
    prompt += measureTokens(text)
    const answers = one.answers.filter((answer) => text.includes(answer))
    const [answer = 'nothing of it'] = answers
    if (random() < 0.5) {
      request({ answer: `It is ${answers.join(', ')}.` }, 200)
    } else {
      const next = `${id}_b`
      request(
        {
          calls: [
            { id: next, tool: SHELL[app] ?? 'Bash', input: { command: `grep -n '${answer}' notes.txt` } },
          ],
        },
        90,
      )
      steps.push({ result: next, text: 'exit 1', isError: true })
      prompt += 10
      request({ answer: 'Done.' }, 60)
    }
    if (prompt > COMPACTED_AT) {
      steps.push({ compaction: 'What was found so far is known.' })
      prompt = SYSTEM + 2_000
      cached = SYSTEM
    }
  }
  return { session, model: MODELS[app] ?? '', project: `/work/project-${session.length % 3}`, steps }
}

const APPS = ['claude-code', 'claude-code', 'codex', 'gemini-cli', 'opencode'] as const

/** At least `bytes` below `home`, in the places of the apps. Returns the bytes and sessions written. */
export function generateTranscripts(
  home: string,
  bytes: number,
  seed = 1,
): { bytes: number; sessions: number } {
  const random = randomOf(seed)
  const cases = readCases().filter(({ document }) => document.length > 500)
  const opencode: Script[] = []
  let written = 0
  let sessions = 0
  for (; written < bytes; sessions++) {
    const app = APPS[sessions % APPS.length] ?? 'claude-code'
    const script = sessionOf(app, `s${String(sessions).padStart(5, '0')}`, cases, random)
    const { session } = script
    if (app === 'opencode') {
      opencode.push(script)
      written += JSON.stringify(script.steps).length
      continue
    }
    const path =
      app === 'claude-code'
        ? join(home, '.claude/projects', `-work-${session.length % 3}`, `${session}.jsonl`)
        : app === 'codex'
          ? join(home, '.codex/sessions/2026/11/20', `rollout-2026-11-20T09-00-00-${session}.jsonl`)
          : join(home, '.gemini/tmp/work/chats', `session-2026-11-20T09-00-${session}.jsonl`)
    const lines =
      app === 'claude-code' ? claudeLines(script) : app === 'codex' ? codexLines(script) : geminiLines(script)
    writeLines(path, lines)
    written += statSync(path).size
  }
  openOpencode(join(home, '.local/share/opencode/opencode.db'), opencode)()
  return { bytes: written, sessions }
}
