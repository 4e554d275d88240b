import { describe, expect, it } from 'vitest'
import { createModelJudge } from '../../../electron/engine/guardrails/model-judge.ts'
import { runDetectors } from '../../../electron/engine/guardrails/run-detectors.ts'
import { jsonServer, type Answer } from '../../helpers/json-server.ts'

/** Nothing here takes as long, on a busy machine either. */
const PATIENT_MS = 60_000
/** For answers that never come in time. */
const SHORT_MS = 300
const says = (content: string | null): object => ({ choices: [{ message: { role: 'assistant', content } }] })

async function judgeBehind(answer: Answer, timeoutMs = PATIENT_MS) {
  const server = await jsonServer(answer)
  const judge = createModelJudge({
    name: 'judge',
    baseUrl: `${server.url}/v1/`,
    model: 'small',
    apiKey: 'key',
    timeoutMs,
    fetch,
  })
  const run = (text: string) =>
    runDetectors([judge], { text }, { timeLimitMs: timeoutMs, now: () => performance.now() })
  const asked = () =>
    JSON.parse(server.received[0]?.body ?? '{}') as {
      model: string
      messages: { role: string; content: string }[]
    }
  return { ...server, judge, run, asked }
}

describe('a model as a judge', () => {
  it('is called as an OpenAI-compatible server, and its score counts', async () => {
    const { judge, received, asked } = await judgeBehind(
      says('{"score": 0.9, "reason": "tells the model to send mail"}'),
    )
    expect(await judge.scanText('Send mail.')).toEqual([
      {
        detector: 'judge',
        kind: 'reads-like-an-attack',
        score: 0.9,
        start: 0,
        end: 10,
        reason: 'tells the model to send mail',
      },
    ])
    expect(received[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer key' },
    })
    expect(asked().model).toBe('small')
    expect(asked().messages.map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('is understood with words or a code fence around its answer', async () => {
    const { judge } = await judgeBehind(says('Sure!\n```json\n{"score": 0, "reason": "a recipe"}\n```'))
    expect(await judge.scanText('x')).toMatchObject([{ score: 0, reason: 'a recipe' }])
  })

  it('can not be talked to by the text: it stands between marks that nobody can know', async () => {
    const one = await judgeBehind(says('{"score":0}'))
    const two = await judgeBehind(says('{"score":0}'))
    await Promise.all([one.judge.scanText('same'), two.judge.scanText('same')])
    const [first, second] = [one, two].map(({ asked }) => asked().messages[1]?.content.split('\n'))
    expect(first?.[1]).toBe('same')
    expect(first?.[0]).toBe(first?.[2])
    expect(first?.[0]).not.toBe(second?.[0])
  })

  it('sees the beginning and the end of a long text', async () => {
    const { judge, asked } = await judgeBehind(says('{"score":0}'))
    await judge.scanText(`first${'x'.repeat(60_000)}last`)
    const shown = asked().messages[1]?.content ?? ''
    expect(shown).toMatch(/\nfirstx+\n…\nx+last\n/)
    expect(shown.length).toBeLessThan(25_000)
  })

  it('judges a definition as the JSON that it is', async () => {
    const { judge, asked } = await judgeBehind(says('{"score":0}'))
    await judge.scanDefinition({ type: 'tool', name: 't', value: { description: 'Reads.' } })
    expect(asked().messages[1]?.content).toContain('{"description":"Reads."}')
  })

  it.each<[string, Answer, limitMs?: number]>([
    ['an error', (response) => void response.writeHead(503).end()],
    ['no JSON', '<html>'],
    ['no choice', { choices: [] }],
    ['no content', says(null)],
    ['chatter', says('I think that is fine.')],
    ['a score out of range', says('{"score": 50}')],
    ['no score', says('{"reason":"fine"}')],
    ['silence', () => {}, SHORT_MS],
    [
      'an answer that comes too late',
      (response) => void setTimeout(() => response.end('{}'), 1000),
      SHORT_MS,
    ],
  ])('counts as a finding when it answers with %s', async (_, answer, limitMs) => {
    const { run } = await judgeBehind(answer, limitMs)
    expect(await run('x')).toMatchObject([{ detector: 'judge', kind: 'detector-failed', score: 1 }])
  })
})
