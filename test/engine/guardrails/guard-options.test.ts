import { describe, expect, it, onTestFinished } from 'vitest'
import type { GuardDetector } from '../../../shared/guard-policy.ts'
import { Settings } from '../../../shared/settings.ts'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { guardOptions } from '../../../electron/engine/guardrails/guard-options.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { findInTexts } from '../../../electron/engine/masking/find-in-texts.ts'
import { maskForRemote } from '../../../electron/engine/masking/mask-for-remote.ts'
import { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import { ATTACK, temporaryQuarantine } from '../../helpers/guard.ts'
import { jsonServer } from '../../helpers/json-server.ts'

/** A busy machine decides no verdict. */
const PATIENT_MS = 60_000

function openGuard(
  detectors: readonly GuardDetector[],
  mask = async (text: string) =>
    (await maskForRemote(text, { find: (input) => Promise.resolve(findInTexts(input)) })).text,
) {
  const workers = new WorkerPool({ logger: silentLogger })
  onTestFinished(() => workers.close())
  return guardOptions({
    workers,
    quarantine: temporaryQuarantine(),
    results: { put: () => Promise.reject(new Error('no store')) },
    settings: () => Settings.parse({ guardDetectors: detectors }),
    env: { FIREWALL_KEY: 'from the environment' },
    secrets: { get: (name) => Promise.resolve(name === 'judge' ? 'from the keychain' : undefined) },
    mask,
    events: createEvents(silentLogger),
    logger: silentLogger,
    fetch,
  })
}

const at = (...texts: string[]) => texts.map((text, index) => ({ path: `/content/${index}/text`, text }))

describe('the guard’s detectors', () => {
  it('the built-in ones say where in which text; long texts are read in a worker, with the same findings', async () => {
    const { scan } = openGuard([])
    const short = await scan(at('fine', ATTACK), 0.5)
    const long = await scan(at('fine', ATTACK, 'ordinary words '.repeat(2_000)), 0.5)
    expect(short.verdict).toBe('attack')
    expect(short.findings.map(({ path }) => path)).toContain('/content/1/text')
    expect(long.findings.filter(({ path }) => path === '/content/1/text')).toEqual(short.findings)
  })

  it('CP fault: a word on the command line switched test detectors on; here only code and settings name detectors', async () => {
    process.argv.push('test', 'Always Alert Provider')
    onTestFinished(() => void process.argv.splice(-2))
    const { findings } = await openGuard([]).scan(at(ATTACK), 0.5)
    expect(new Set(findings.map(({ detector }) => detector))).toEqual(new Set(['orders', 'classifier']))
    expect((await openGuard([]).scan(at('The weather is fine.'), 0.5)).findings).toEqual([])
  })

  it('others count as well, and get every text, masked, with their keys from the environment', async () => {
    const server = await jsonServer({ findings: [{ score: 0.9, reason: 'reads like a scam' }] })
    const { scan } = openGuard([
      {
        type: 'http',
        name: 'firewall',
        url: server.url,
        headers: { authorization: 'Bearer ${env:FIREWALL_KEY}' },
        timeoutMs: PATIENT_MS,
      },
    ])
    const verdict = await scan(at('Write to ann.lee@example.org.', 'Card 4111 1111 1111 1111.'), 0.5)
    expect(verdict.verdict).toBe('attack')
    expect(verdict.reasons[0]).toBe('reads-like-an-attack: reads like a scam')
    expect(server.received[0]?.headers.authorization).toBe('Bearer from the environment')
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({
      text: 'Write to [EMAIL_1].\n\nCard [CREDIT_CARD_1].',
    })
  })

  it('a key that is a kept secret is put in when it is sent; with one that is not kept nobody scans', async () => {
    const server = await jsonServer({ findings: [] })
    const ask = (name: string) => askWith(`\${secret:${name}}`)
    const askWith = (key: string) =>
      openGuard([
        {
          type: 'http',
          name: 'f',
          url: server.url,
          headers: { authorization: `Bearer ${key}` },
          timeoutMs: PATIENT_MS,
        },
      ]).scan(at('fine'), 0.5)
    expect(await ask('judge')).toMatchObject({ verdict: 'benign' })
    expect(server.received[0]?.headers.authorization).toBe('Bearer from the keychain')
    expect(await ask('other')).toMatchObject({ findings: [{ kind: 'detector-failed' }] })
    const unset = await askWith('${env:NOPE_X}')
    expect(unset).toMatchObject({ findings: [{ kind: 'detector-failed' }] })
    expect(unset.findings[0]?.reason).toMatch(/detector "f" of guardDetectors names .* NOPE_X/)
    expect(server.received).toHaveLength(1)
    const plain = { type: 'model', name: 'm', baseUrl: 'http://127.0.0.1/v1', model: 'm', apiKey: 'sk-plain' }
    const parsed = Settings.safeParse({ guardDetectors: [plain] })
    expect(parsed.error?.message).toContain('sluice secrets set NAME')
    expect(parsed.error?.message).not.toContain('sk-plain')
  })

  it('a long text is masked before it is cut: half an address would be sent as it is', async () => {
    const server = await jsonServer({ findings: [] })
    const { scan } = openGuard([{ type: 'http', name: 'f', url: server.url, timeoutMs: PATIENT_MS }])
    // The middle of the address is at the cut.
    await scan(at(`${'x '.repeat(49_996)}ann.lee@example.org${' y'.repeat(200_000)}`), 0.5)
    const { text } = JSON.parse(server.received[0]?.body ?? '') as { text: string }
    expect(text.length).toBeLessThan(200_010)
    expect(text).not.toContain('ann.')
  })

  it('one that fails, or can not get a masked text, leaves the text unscanned, which is no attack', async () => {
    const broken = await jsonServer((response) => void response.writeHead(500).end())
    const detector = { type: 'http', name: 'f', url: broken.url, timeoutMs: PATIENT_MS } as const
    const failing = await openGuard([detector]).scan(at('fine'), 0.5)
    expect(failing).toMatchObject({
      verdict: 'unscanned',
      score: 0,
      findings: [{ kind: 'detector-failed', detector: 'f' }],
    })

    const unmasked = await openGuard([detector], () => Promise.reject(new Error('no masking'))).scan(
      at('fine'),
      0.5,
    )
    expect(unmasked).toMatchObject({
      verdict: 'unscanned',
      score: 0,
      findings: [{ kind: 'detector-failed', detector: 'f' }],
    })
    expect(broken.received).toHaveLength(1)
  })

  it('workers that are gone leave the text unscanned', async () => {
    const workers = new WorkerPool({ logger: silentLogger })
    await workers.close()
    const { scan } = guardOptions({
      workers,
      quarantine: temporaryQuarantine(),
      results: { put: () => Promise.reject(new Error('no store')) },
      settings: () => Settings.parse({}),
      env: {},
      mask: (text) => Promise.resolve(text),
      events: createEvents(silentLogger),
      logger: silentLogger,
      fetch,
    })
    const verdict = await scan(at('ordinary words '.repeat(2_000)), 0.5)
    expect(verdict).toMatchObject({
      verdict: 'unscanned',
      score: 0,
      findings: [{ kind: 'detector-failed' }],
    })
  })

  it('nothing is asked where there is no text', async () => {
    const server = await jsonServer({ findings: [] })
    const { scan } = openGuard([{ type: 'http', name: 'f', url: server.url, timeoutMs: PATIENT_MS }])
    expect(await scan([], 0.5)).toMatchObject({ verdict: 'benign', findings: [] })
    expect(server.received).toEqual([])
  })
})
