import { join } from 'node:path'
import { expect } from 'vitest'
import type { Api } from '../../helpers/screens-client.ts'
import { claudeLines, writeLines } from '../../helpers/transcripts/write-claude-code.ts'

type FirstOf = <T>(name: string, stream: Promise<AsyncIterable<T>>) => Promise<void>
type Call = <T>(name: string, answer: Promise<T>) => Promise<T>

const SECRET = 'Zq7vTw93kLmX2p'

/** A session that used what a short form lacks. */
export function writeSession(homeDir: string): void {
  const log = Array.from(
    { length: 700 },
    (_, at) =>
      `step ${at} of the plan took ${at % 90} ms, trace-${77_000 + at}x${at % 100 === 3 ? ` password=${SECRET}` : ''}`,
  )
  const lines = claudeLines({
    session: 's1',
    model: 'claude-opus-5-5',
    project: '/work/shop',
    steps: [
      { prompt: 'Which step of the plan is the slowest one of all?' },
      {
        request: { input: 1, write: 9_000, output: 40 },
        calls: [{ id: 'a', tool: 'Bash', input: { command: 'plan' } }],
      },
      { result: 'a', text: log.join('\n') },
      {
        request: { input: 1, read: 9_000, write: 20_000, output: 40 },
        calls: [{ id: 'b', tool: 'Bash', input: { command: 'show trace-77413x' } }],
      },
      { result: 'b', text: 'fine' },
      { request: { input: 1, read: 29_000, write: 50, output: 40 } },
    ],
  })
  writeLines(join(homeDir, '.claude/projects/-work-shop/s1.jsonl'), lines)
}

/** A replay from the press of the button to one of its losses in full. */
export const callReplay = async (
  api: Api,
  { firstOf, call, homeDir }: { firstOf: FirstOf; call: Call; homeDir: string },
): Promise<void> => {
  writeSession(homeDir)
  const places = await call('replay.places', api.replay.places({ days: 30 }))
  expect(places).toMatchObject([{ app: 'claude-code', label: 'Claude Code', sessions: 1 }])
  await call('replay.start', api.replay.start({ days: 30, apps: ['claude-code'] }))
  await expect.poll(async () => (await api.replay.status()).state).toBe('done')
  const { report } = await call('replay.status', api.replay.status())
  expect(report).toMatchObject({ sessions: 1, requests: 3, problems: [] })
  const [loss] = report?.worst ?? []
  expect(loss).toMatchObject({ tool: 'Bash', uses: 3, kept: 0, fetches: 1 })
  const compared = await call('replay.compare', api.replay.compare({ id: loss?.id ?? '' }))
  expect(compared).toMatchObject({ tokensBefore: loss?.before, tokensAfter: loss?.after, sentIs: 'again' })
  expect(compared.original.text).toContain('trace-77413x')
  expect(compared.original.text).toContain('password=[API_KEY_1]')
  expect(JSON.stringify(compared)).not.toContain(SECRET)
  expect(compared.sent).not.toContain('trace-77413x')
  await expect(api.replay.compare({ id: 'other' })).rejects.toThrow(/no result "other" in the last replay/)
  await expect(api.replay.start({ days: 30, apps: ['emacs'] })).rejects.toThrow(/can't be read/)
  await firstOf('replay.live', api.replay.live())
  await call('replay.cancel', api.replay.cancel())
}
