import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import type { Offer } from '../../../electron/engine/approvals/pinned-item.ts'
import type { ServerSettings } from '../../../shared/settings.ts'
import { variablesOf } from '../../../electron/engine/approvals/launch.ts'
import { pendingHash } from '../../../electron/engine/approvals/pending-hash.ts'
import { compareOffer, offeredPins, shownFor } from '../../../electron/engine/approvals/review-offer.ts'
import { baseOffer, createGate } from '../../helpers/approval-gate.ts'

const KEY = 'k3yk3yk3yk3yk3yk3yk3yk3y'
const stdio = (env: Record<string, string>): ServerSettings => ({ command: 'x', env })

/** A gate whose server was approved with these settings. */
function approved(settings: ServerSettings, serverId = 's', firstSight: 'ask' | 'trust' = 'ask') {
  const world = createGate(firstSight)
  const check = (next: ServerSettings, id = serverId, folder?: string) =>
    world.gate.check({ serverId: id, settings: next, offer: { ...baseOffer, folder } })
  const approve = (): void => {
    for (const { identity } of world.store.servers())
      world.store.approve(identity, new Set(world.store.pending(identity).map(pendingHash)), 'me')
  }
  check(settings)
  approve()
  expect(check(settings).blocked).toBeUndefined()
  world.asked.length = 0
  return {
    ...world,
    check,
    approve,
    waits: () => world.store.pending().map(({ kind, name }) => [kind, name]),
  }
}

describe('another value of a variable or header', () => {
  it.each([
    ['API_URL', 'https://a.example', 'https://b.example'],
    ['OPENAI_BASE_URL', 'http://localhost:1', 'http://localhost:2'],
    ['MY_CONFIG', '/a.json', '/b.json'],
    ['MY_ARGS', '--safe', '--run evil'],
    ['DENO_CERT', '/a.pem', '/b.pem'],
    ['READ_ONLY', 'true', 'false'],
    ['MAX', '1', '100'],
    ['API_KEY', 'word', '/etc/passwd'],
    ['API_KEY', 'word', 'word; evil'],
    ['API_KEY', '$(good)', '$(evil)'],
    ['API_KEY', 'word', 'file.txt'],
    ['API_KEY', 'word', 'https://evil.example'],
    ['CLIENT_KEY', 'certs/one', 'certs/two'],
    ['CLIENT_KEY', '--one', '--two'],
    ['API_KEY', '!good', '!evil'],
    ['API_KEY', 'cmd:good', 'cmd:evil'],
    ['API_KEY', '@good', '@evil'],
    ['MODE', 'sk-good-and-long-enough', 'sk-evil-and-long-enough'],
    ['DATABASE_URL', 'postgres://h/db?sslkey=/a', 'postgres://h/db?sslkey=/b'],
    ['DATABASE_URL', 'postgres://h/db?sslkey=a.pem', 'postgres://h/db?sslkey=b.pem'],
    ['NO_AUTH', 'false', 'true'],
    ['USE_TOKEN', 'good', 'evil'],
    ['SESSION', 'good', 'evil'],
    ['DATABASE_URL', 'postgres://a:b@h/db', 'postgres://a:b@evil/db'],
    ['DATABASE_URL', 'postgres://a:b@h/db?x=1', 'postgres://a:b@h/db?x=2'],
    ['CONFIG', '{"key":"a","url":"a"}', '{"key":"b","url":"a"}'],
    ['MODE', KEY, `${KEY}4`],
    ['A_TOKEN', '${secret:own}', '${secret:other}'],
    ['A_TOKEN', 'word', '${env:BANK_TOKEN}'],
  ])('%s from %s to %s blocks the server, notifies, and waits alone', (name, one, other) => {
    for (const launch of [
      stdio,
      (headers: Record<string, string>): ServerSettings => ({ url: 'https://h.example', headers }),
    ]) {
      const { check, waits, asked } = approved(launch({ [name]: one }))
      expect(check(launch({ [name]: other })).blocked).toMatch(/variables or headers|as a whole/)
      expect(waits()).toEqual([['variables', 's']])
      expect(asked.map(({ kind }) => kind)).toEqual(['variables'])
      expect(check(launch({ [name]: one })).blocked).toBeUndefined()
    }
  })

  it.each([
    ['GITHUB_TOKEN', 'one', 'two'],
    ['API_KEY', KEY, `${KEY}z`],
    ['AWS_SECRET_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCY', 'aB3/cdefghijklmnopqrstuvwxyz'],
    ['BOT_TOKEN', '123456:ABC-DEF1234', '123456:XYZ-DEF1234'],
    ['Authorization', 'Bearer abc.def-ghijkl', 'Bearer xyz'],
    ['MODE', `ghp_${'a1'.repeat(12)}`, `ghp_${'b2'.repeat(12)}`],
    ['DATABASE_URL', 'postgres://a:one@h/db', 'postgres://a:tw%40o@h/db'],
    ['API_URL', 'https://h.example/?team=a&token=one', 'https://h.example/?team=a&token=two'],
    ['SENTRY_DSN', 'https://one@h.example/1', 'https://two@h.example/1'],
    ['A_TOKEN', 'word', '${secret:s-a_token}'],
    ['A_TOKEN', 'Bearer word', 'Bearer ${secret:s-a_token-2}'],
  ])('%s from %s to %s is another key, and no question', (name, one, other) => {
    const { check, asked } = approved(stdio({ [name]: one, MODE_2: 'x' }))
    expect(check(stdio({ [name]: other, MODE_2: 'x' })).blocked).toBeUndefined()
    expect(asked).toEqual([])
  })

  it('no key is written down or shown, and every other word is', () => {
    const shown = JSON.stringify(
      variablesOf(
        's',
        stdio({
          A_TOKEN: 'SECRET',
          SESSION: 'SECRET',
          CONFIG: `{"password": "SECRET", "url": "https://u:SECRET@h.example/?k=1"} --token SECRET`,
          PEM: '-----BEGIN KEY-----\nSECRET\n-----END KEY-----',
          CONNECTION: 'Server=h;Password=SECRET;',
          LOGIN: 'ann:SECRET@h.example',
          SSH_KEY: '/SECRET+base64/SECRET',
          PLAIN: `mode=${KEY}`,
        }),
      ),
    )
    expect(shown).not.toContain('SECRET')
    expect(shown).not.toContain(KEY)
    for (const word of ['h.example/?k=1', 'Server=h', 'ann:', 'mode=']) expect(shown).toContain(word)
  })

  it('where the first sight is trusted, a change is a question all the same, for a client with other capabilities too', () => {
    const { check, gate } = approved(stdio({ API_URL: 'a' }), 's', 'trust')
    expect(check(stdio({ API_URL: 'b' })).blocked).toMatch(/others than the user approved/)
    const to = (announced: JsonObject): Offer => ({ ...baseOffer, announced })
    expect(
      gate.check({ serverId: 's', settings: stdio({ API_URL: 'b' }), offer: to({ roots: {} }) }).blocked,
    ).toBeDefined()
  })

  it('a denied value stays blocked without a question', () => {
    const { check, store, asked } = approved(stdio({ API_URL: 'a' }))
    const { identity } = check(stdio({ API_URL: 'b' }))
    store.deny(identity, new Set(store.pending().map(pendingHash)), 'me')
    asked.length = 0
    expect(check(stdio({ API_URL: 'b' })).blocked).toMatch(/denied/)
    expect(asked).toEqual([])
  })

  it('that was never approved is not approved by moving a key', () => {
    const { check, store } = approved(stdio({ SESSION: 'one', URL_BASE: 'a' }))
    const evil = stdio({ SESSION: 'one', URL_BASE: 'b' })
    const kept = stdio({ SESSION: '${secret:s-session}', URL_BASE: 'b' })
    store.carryVariables('s', evil, kept, 'me')
    expect(check(kept).blocked).toBeDefined()
    store.carryVariables('s', stdio({ SESSION: 'one', URL_BASE: 'a' }), kept, 'me')
    expect(check(kept).blocked).toBeUndefined()
  })

  it('on a full disk, too', () => {
    const { check, setWritable } = approved(stdio({ API_URL: 'a' }))
    setWritable(false)
    expect(check(stdio({ API_URL: 'a' })).blocked).toBeUndefined()
    expect(check(stdio({ API_URL: 'b' })).blocked).toBeDefined()
    setWritable(true)
  })
})

describe('two entries with the same launch', () => {
  it('have values of their own: a question of one neither blocks nor ends that of the other', () => {
    const { check, waits, approve, store } = approved(stdio({ HOST: 'a' }), 'work')
    expect(check(stdio({ HOST: 'b' }), 'home').blocked).toBeDefined()
    expect(check(stdio({ HOST: 'a' }), 'work').blocked).toBeUndefined()
    expect(waits()).toEqual([['variables', 'home']])
    const { identity } = check(stdio({ HOST: 'a' }), 'work')
    expect(store.pendingOf('work', identity)).toEqual([])
    expect(store.pendingOf('home', identity)).toMatchObject([{ serverId: 'home', hash: expect.any(String) }])
    approve()
    for (const [host, id] of [
      ['a', 'work'],
      ['b', 'home'],
      ['a', 'work'],
    ] as const)
      expect(check(stdio({ HOST: host }), id).blocked).toBeUndefined()
    expect(waits()).toEqual([])
  })

  it('are both trusted where the first sight is, and each change of one is a question, also after its approval was revoked', () => {
    const { check, store, gate } = approved(stdio({ HOST: 'a' }), 'work', 'trust')
    expect(check(stdio({ HOST: 'b' }), 'home').blocked).toBeUndefined()
    expect(check(stdio({ HOST: 'c' }), 'home').blocked).toBeDefined()
    expect(check(stdio({ HOST: 'c' }), 'work').blocked).toBeDefined()
    const home = store.wordings.all().filter(({ name }) => name === 'home')
    store.revoke(home[0]?.identity ?? '', new Set(home.map(({ hash }) => hash)), 'me')
    const offer = { ...baseOffer, announced: { roots: {} } }
    expect(gate.check({ serverId: 'home', settings: stdio({ HOST: 'b' }), offer }).blocked).toBeDefined()
  })

  it('another name for the same values is no question; the folder they name is none either', () => {
    const { check } = approved(stdio({ HOST: 'a' }))
    expect(check(stdio({ HOST: 'a' }), 'renamed').blocked).toBeUndefined()
    const inFolder = createGate()
    const at = (folder: string, name: string) =>
      inFolder.gate.check({
        serverId: name,
        settings: stdio({ ROOT_FOLDER: `${folder}/src` }),
        offer: { ...baseOffer, folder },
      })
    const { identity } = at('/srv/one', 'one')
    inFolder.store.approve(identity, new Set(inFolder.store.pending().map(pendingHash)), 'me')
    expect(at('/srv/two', 'two').blocked).toBeUndefined()
  })

  it('what was shown of one is pinned for it alone, and a key that is kept elsewhere since is the same', () => {
    const { store } = createGate()
    const launches = { work: stdio({ HOST: 'a', SESSION: 'x y' }), home: stdio({ HOST: 'b' }) }
    const shown = Object.entries(launches).map(([id, settings]) =>
      compareOffer(store, id, offeredPins(id, settings, baseOffer, []), 1),
    )
    const pinned = (id: string, settings: ServerSettings) =>
      shownFor(shown, id, settings)?.fit.find(({ kind }) => kind === 'variables')?.definition
    expect(pinned('home-2', launches.home)).toBe('{"env":{"HOST":"b"}}')
    expect(pinned('home', stdio({ HOST: 'c' }))).toBeUndefined()
    const kept = stdio({ HOST: 'a', SESSION: '${secret:work-session}' })
    expect(pinned('work', kept)).toBe('{"env":{"HOST":"a","SESSION":"${secret:work-session}"}}')
    expect(pinned('work', { ...kept, env: { HOST: 'b', SESSION: '${secret:work-session}' } })).toBeUndefined()
  })
})
