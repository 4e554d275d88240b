import { describe, expect, it } from 'vitest'
import { createHttpDetector } from '../../../electron/engine/guardrails/http-detector.ts'
import { runDetectors } from '../../../electron/engine/guardrails/run-detectors.ts'
import { jsonServer, type Answer } from '../../helpers/json-server.ts'

/** Nothing here takes as long, on a busy machine either. */
const PATIENT_MS = 60_000
/** For answers that never come in time. */
const SHORT_MS = 300

async function detectorBehind(answer: Answer, timeoutMs = PATIENT_MS) {
  const server = await jsonServer(answer)
  const detector = createHttpDetector({
    name: 'firewall',
    url: `${server.url}/scan`,
    headers: { authorization: 'Bearer x' },
    timeoutMs,
    fetch,
  })
  const run = (text: string) =>
    runDetectors([detector], { text }, { timeLimitMs: timeoutMs, now: () => performance.now() })
  return { ...server, detector, run }
}

describe('a detector behind an address', () => {
  it('gets the text as JSON with its headers, and its findings count', async () => {
    const { detector, received } = await detectorBehind({
      findings: [{ score: 0.8, reason: 'jailbreak', start: 2, end: 5, more: 'ignored' }],
      model: 'x',
    })
    expect(await detector.scanText('a text')).toEqual([
      {
        detector: 'firewall',
        kind: 'reads-like-an-attack',
        score: 0.8,
        start: 2,
        end: 5,
        reason: 'jailbreak',
      },
    ])
    expect(received).toMatchObject([
      { path: '/scan', body: '{"text":"a text"}', headers: { authorization: 'Bearer x' } },
    ])
  })

  it('gets definitions whole', async () => {
    const { detector, received } = await detectorBehind({ findings: [] })
    expect(await detector.scanDefinition({ type: 'tool', name: 't', value: { name: 't' } })).toEqual([])
    expect(received[0]?.body).toBe('{"definition":{"type":"tool","name":"t","value":{"name":"t"}}}')
  })

  it('may find nothing', async () => {
    const { run } = await detectorBehind({ findings: [] })
    expect(await run('x')).toEqual([])
  })

  it.each<[string, Answer, limitMs?: number]>([
    ['an error', (response) => void response.writeHead(500).end('{"findings":[]}')],
    ['a refusal', (response) => void response.writeHead(401).end()],
    ['no JSON', 'all is well'],
    ['JSON of another shape', { safe: true }],
    ['a score that is none', { findings: [{ score: 7, reason: 'x' }] }],
    ['a negative place', { findings: [{ score: 0.1, reason: 'x', start: -1 }] }],
    ['half an answer', (response) => response.write('{"findings":[') && response.destroy()],
    ['a hung-up connection', (response) => void response.destroy()],
    ['nothing, ever', () => {}, SHORT_MS],
    ['an answer that never ends', (response) => void response.write('{"findings":['), SHORT_MS],
    [
      'an answer that comes too late',
      (response) => void setTimeout(() => response.end('{"findings":[]}'), 1000),
      SHORT_MS,
    ],
  ])('counts as a finding when it answers with %s', async (_, answer, limitMs) => {
    const { run } = await detectorBehind(answer, limitMs)
    expect(await run('x')).toMatchObject([{ detector: 'firewall', kind: 'detector-failed', score: 1 }])
  })

  it('counts as a finding when nobody is there', async () => {
    const detector = createHttpDetector({
      name: 'gone',
      url: 'http://127.0.0.1:9',
      timeoutMs: PATIENT_MS,
      fetch,
    })
    const found = await runDetectors(
      [detector],
      { text: 'x' },
      { timeLimitMs: PATIENT_MS, now: () => performance.now() },
    )
    expect(found).toMatchObject([{ detector: 'gone', kind: 'detector-failed' }])
  })

  it('is not followed to another address: the text is meant for this one', async () => {
    const elsewhere = await jsonServer({ findings: [] })
    const { run } = await detectorBehind(
      (response) => void response.writeHead(307, { location: `${elsewhere.url}/other` }).end(),
    )
    expect(await run('secret')).toMatchObject([{ kind: 'detector-failed' }])
    expect(elsewhere.received).toEqual([])
  })
})
