import { appendFileSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listOpencodeSessions } from '../../../electron/engine/transcripts/opencode.ts'
import { readTranscript } from '../../../electron/engine/transcripts/read-transcript.ts'
import type {
  TranscriptApp,
  TranscriptEvent,
  TranscriptSource,
} from '../../../electron/engine/transcripts/transcript.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { claudeLines, writeLines } from '../../helpers/transcripts/write-claude-code.ts'
import type { Script } from '../../helpers/transcripts/script.ts'
import {
  codexLines,
  copilotLines,
  geminiLines,
  openOpencode,
  qwenLines,
} from '../../helpers/transcripts/write-others.ts'

type FileApp = Exclude<TranscriptApp, 'opencode'>

const writers: Readonly<Record<FileApp, (script: Script) => object[]>> = {
  'claude-code': (script) => claudeLines(script),
  codex: codexLines,
  'gemini-cli': geminiLines,
  'copilot-cli': copilotLines,
  'qwen-code': qwenLines,
}
const fileApps = Object.keys(writers) as FileApp[]

const script: Script = {
  session: 's1',
  model: 'a-model',
  project: '/work/app',
  steps: [
    { prompt: 'What is in it?' },
    {
      request: { input: 100, output: 10 },
      answer: 'I look.',
      calls: [
        { id: 'a', tool: 'list', input: { path: '/work' } },
        { id: 'b', tool: 'list', input: { path: '/tmp' } },
      ],
    },
    { result: 'a', text: 'one\ntwo' },
    { result: 'b', text: 'no such folder', isError: true },
    { request: { input: 20, read: 100, output: 5 }, answer: 'One and two.' },
    { compaction: 'All is known.' },
    { prompt: 'Thanks.' },
    { request: { input: 30, read: 50, output: 4 }, answer: 'Fine.' },
  ],
}

const sourceOf = (app: TranscriptApp, path: string, session?: string): TranscriptSource => ({
  app,
  path,
  bytes: statSync(path).size,
  changed: 0,
  ...(session === undefined ? {} : { session }),
})

const written = (app: FileApp, made: Script = script): string => {
  const path = join(temporaryFolder(), 'session.jsonl')
  writeLines(path, writers[app](made))
  return path
}

const read = (source: TranscriptSource): TranscriptEvent[] => [...readTranscript(source)]

/** What all formats have in common. */
const inShort = (events: readonly TranscriptEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'prompt') return [`prompt ${event.text}`]
    if (event.type === 'request')
      return [`request ${event.model} ${event.usage.input}+${event.usage.read} → ${event.usage.output}`]
    if (event.type === 'answer') return [`answer ${event.text}`]
    if (event.type === 'call') return [`call ${event.id} ${event.tool} ${JSON.stringify(event.input)}`]
    if (event.type === 'result')
      return [`result ${event.call}${event.isError ? ' failed' : ''} ${event.text}`]
    if (event.type === 'boundary') return [event.reason]
    if (event.type === 'problem') return [`${event.problem} ${event.lines ?? ''}`.trim()]
    return []
  })

const EXPECTED = [
  'prompt What is in it?',
  'request a-model 100+0 → 10',
  'answer I look.',
  'call a list {"path":"/work"}',
  'call b list {"path":"/tmp"}',
  'result a one\ntwo',
  'result b failed no such folder',
  'request a-model 20+100 → 5',
  'answer One and two.',
  'compaction',
  'prompt Thanks.',
  'request a-model 30+50 → 4',
  'answer Fine.',
]
/** Its files don't say whether a call failed. */
const expectedOf = (app: TranscriptApp): string[] =>
  app === 'codex' ? EXPECTED.map((line) => line.replace(' failed', '')) : EXPECTED

const factsOf = (events: readonly TranscriptEvent[]): object =>
  Object.assign({}, ...events.flatMap((event) => (event.type === 'session' ? [event.session] : []))) as object

describe('a session', () => {
  it.each(fileApps)('of %s has each part once, and a request before what the model answered', (app) => {
    const events = read(sourceOf(app, written(app)))
    expect(inShort(events)).toEqual(expectedOf(app))
    expect(factsOf(events)).toMatchObject(
      app === 'gemini-cli' ? { id: 's1' } : { id: 's1', project: '/work/app' },
    )
  })

  it('of opencode is read while the app writes, and leaves its folder as it was', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'opencode.db')
    const close = openOpencode(path, [script, { ...script, session: 's2', parent: 's1' }])
    try {
      const sources = listOpencodeSessions(path)
      expect(sources.map(({ session, project }) => [session, project])).toEqual([
        ['s1', '/work/app'],
        ['s2', '/work/app'],
      ])
      const [first, second] = sources.map(read)
      expect(inShort(first ?? [])).toEqual(EXPECTED)
      expect(factsOf(second ?? [])).toMatchObject({ id: 's2', parent: 's1' })
    } finally {
      close()
    }
    const before = readFileSync(path)
    const files = readdirSync(folder)
    expect(inShort(read(sourceOf('opencode', path, 's1')))).toEqual(EXPECTED)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(folder)).toEqual(files)
  })
})

describe('a file that isn’t whole', () => {
  it.each(fileApps)('of %s: damaged lines are counted, a cut last line too, and the rest is read', (app) => {
    const path = written(app)
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    lines.splice(2, 0, '{"type": "user", ', 'no JSON', '[1, 2]', '')
    writeFileSync(path, `${lines.join('\n')}\n{"type":"user","mess`)
    const events = inShort(read(sourceOf(app, path)))
    expect(events.filter((line) => !/^(?:damaged|cut)/.test(line))).toEqual(expectedOf(app))
    expect(events.slice(-2)).toEqual(['damaged 3', 'cut 1'])
  })

  it.each(fileApps)('of %s: unknown types and fields are left out', (app) => {
    const path = written(app)
    appendFileSync(path, '{"type":"something-new","payload":{"a":1},"isMeta":7}\n{"type":"problem"}\n')
    expect(inShort(read(sourceOf(app, path)))).toEqual(expectedOf(app))
  })

  it('is read as far as it was written when the reading began', () => {
    const path = written('claude-code')
    const events = readTranscript(sourceOf('claude-code', path))
    const first = events.next()
    appendFileSync(path, `${JSON.stringify({ type: 'user', uuid: 'x', message: { content: 'later' } })}\n`)
    expect(first.done).toBe(false)
    expect(inShort([...events])).toEqual(EXPECTED)
  })

  it.each(['claude-code', 'codex', 'copilot-cli', 'qwen-code'] as const)(
    'of a version of %s that isn’t known is named and skipped',
    (app) => {
      const path = written(app, { ...script, version: '7.0.0' })
      const events = read(sourceOf(app, path))
      expect(inShort(events)).toEqual(['foreign'])
      expect(events.at(-1)).toMatchObject({ message: expect.stringContaining('7.0.0') as string })
    },
  )

  it.each([...fileApps, 'opencode'] as const)(
    'is named and skipped where it isn’t one of %s at all',
    (app) => {
      const path = join(temporaryFolder(), 'other.jsonl')
      writeFileSync(path, '{"shopping":["milk"]}\n{"shopping":["bread"]}\n')
      expect(inShort(read(sourceOf(app, path, 's')))).toEqual(['foreign'])
    },
  )

  it('is nothing where it is empty', () => {
    const path = join(temporaryFolder(), 'empty.jsonl')
    writeFileSync(path, '')
    for (const app of fileApps) expect(read(sourceOf(app, path))).toEqual([])
  })
})

describe('Claude Code', () => {
  it('has results among the lines of one message, and counts its usage once', () => {
    const lines = claudeLines({ ...script, steps: script.steps.slice(0, 4) })
    const [prompt, text, one, two, a, b] = lines
    const path = join(temporaryFolder(), 'session.jsonl')
    writeLines(
      path,
      [prompt, text, one, a, two, b].filter((line) => line !== undefined),
    )
    const events = inShort(read(sourceOf('claude-code', path)))
    expect(events.filter((line) => line.startsWith('request'))).toEqual(['request a-model 100+0 → 10'])
    expect(events.indexOf('request a-model 100+0 → 10')).toBeLessThan(events.indexOf('result a one\ntwo'))
    expect(events).toHaveLength(7)
  })

  it('leaves out what the app wrote in the user’s place', () => {
    const lines = [
      '<command-name>/clear</command-name>',
      '<local-command-stdout></local-command-stdout>',
      'Go.',
    ].map((content, index) => ({
      type: 'user',
      uuid: `u${index}`,
      sessionId: 's',
      message: { role: 'user', content },
    }))
    const path = join(temporaryFolder(), 'session.jsonl')
    writeLines(path, [...lines, { type: 'user', isMeta: true, message: { content: 'meta' } }])
    expect(inShort(read(sourceOf('claude-code', path)))).toEqual(['prompt Go.'])
  })
})
