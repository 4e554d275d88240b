import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ServerSettings } from '../../../shared/settings.ts'
import { pinnable } from '../../../electron/engine/approvals/compare-offer.ts'
import { itemsOf } from '../../../electron/engine/approvals/pinned-item.ts'
import { compareOffer, offeredPins } from '../../../electron/engine/approvals/review-offer.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { baseOffer, createGate } from '../../helpers/approval-gate.ts'
import { canonicalDefinition } from '../../../electron/engine/protocol/definition-hash.ts'
import { formerIdentityOf } from '../../../electron/engine/approvals/former-launch.ts'
import { pinMigrations } from '../../../electron/engine/approvals/pin-migrations.ts'
import { PinStore } from '../../../electron/engine/approvals/pin-store.ts'
import { Sightings } from '../../../electron/engine/approvals/sightings.ts'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** Pins in older formats: the launch verbatim, or with only the secret names known then masked. */
function oldPins(version: number): string {
  const path = join(temporaryFolder(), 'pins.db')
  const database = openDatabase({
    path,
    logger: silentLogger,
    now: () => 1,
    migrations: pinMigrations.slice(0, version),
  })
  const sightings = new Sightings(database)
  const tool = canonicalDefinition({ name: 'a' })
  for (const [key, at] of [
    ['SECRET-OLD', 5],
    ['SECRET-NEW', 9],
  ] as const) {
    const launch = { args: ['--db-pw', key], command: 'x', env: [] }
    const identity = canonicalDefinition(launch).hash
    const pinned = canonicalDefinition({ ...launch, packages: [{ name: 'x', version: '1' }] })
    database.prepare('INSERT INTO servers VALUES (?, ?, ?, 1, ?)').run(identity, 's', pinned.text, at)
    const offered = [
      { kind: 'server' as const, name: '', hash: pinned.hash, definition: pinned.text },
      { kind: 'tool' as const, name: 'a', hash: tool.hash, definition: tool.text },
    ]
    const table = key === 'SECRET-NEW' ? 'pins' : 'pending'
    for (const { kind, name, hash, definition } of offered) {
      const more = table === 'pins' ? [1, 'me'] : [1, null]
      const own = table === 'pins' ? [hash, definition] : ['new', hash, definition]
      database
        .prepare(`INSERT INTO ${table} VALUES (${[0, 0, 0, ...own, ...more].map(() => '?').join(', ')})`)
        .run(identity, kind, name, ...own, ...more)
      database
        .prepare("INSERT INTO history VALUES (NULL, 1, ?, 's', ?, ?, 'approved', 'me', NULL, ?)")
        .run(identity, kind, name, definition)
    }
    sightings.meet(identity, 'view', at)
    sightings.note(identity, 'view', offered)
  }
  database
    .prepare("INSERT INTO servers VALUES ('plain', 'other', ?, 1, 1)")
    .run('{"args":["a"],"command":"y","env":[]}')
  database.close()
  return path
}

it.each([2, 3])(
  'a record of version %i goes on matching, and has no secret in its file any more',
  (version) => {
    const path = oldPins(version)
    expect(readFileSync(path).includes('SECRET-NEW')).toBe(true)
    const store = new PinStore(
      openDatabase({
        path,
        logger: silentLogger,
        now: () => 2,
        migrations: pinMigrations,
        onDamage: 'throw',
      }),
      () => 2,
    )
    const settings = { command: 'x', args: ['--db-pw', 'SECRET-NEWER'] }
    const identity = formerIdentityOf(settings)
    const live = canonicalDefinition({
      args: ['--db-pw', '…'],
      command: 'x',
      env: [],
      packages: [{ name: 'x', version: '1' }],
    })
    expect(store.pinsOf(identity).map(({ kind, name, hash }) => [kind, name, hash])).toEqual([
      ['server', '', live.hash],
      ['tool', 'a', canonicalDefinition({ name: 'a' }).hash],
    ])
    expect(store.pending()).toEqual([])
    expect(store.sightings.hasMet(identity, 'view')).toBe(true)
    expect([...(store.sightings.all(identity).get('server ') ?? [])]).toEqual([live.hash])
    expect(store.servers().map((server) => [server.identity, server.launch])).toEqual([
      [identity, live.text],
      ['plain', '{"args":["a"],"command":"y","env":[]}'],
    ])
    expect(store.history(identity).map(({ action }) => action)).toContain('approved')
    for (const name of readdirSync(join(path, '..')))
      expect(readFileSync(join(path, '..', name)).toString('latin1')).not.toContain('SECRET-')
    store.close()
  },
)

describe('a launch that is written down with more than before', () => {
  const offer = { ...baseOffer, prompts: [], resources: [], templates: [] }
  const approvedBefore = (store: PinStore, server: ServerSettings, launch: JsonObject) => {
    const identity = formerIdentityOf(server)
    expect(canonicalDefinition(launch).hash).toBe(identity)
    store.meet(identity, 's', canonicalDefinition(launch).text)
    const { fit } = pinnable([{ kind: 'server', name: '', definition: launch }, ...itemsOf(offer)])
    store.setPending(
      identity,
      fit.map((pin) => ({ ...pin, change: 'new' as const })),
    )
    store.approve(identity, new Set(fit.map(({ hash }) => hash)), 'me')
  }

  it.each(['ask', 'trust'] as const)('is asked about once, and none of its tools is (%s)', (sight) => {
    const { store, gate } = createGate(sight)
    const server = { command: 'x', args: ['-c', 'A_TOKEN=1; run'], env: { PATH: '/bin', B_TOKEN: 'word' } }
    approvedBefore(store, server, { command: 'x', args: ['-c', 'A_TOKEN=…'], env: ['B_TOKEN', 'PATH'] })
    const compared = compareOffer(store, 's', offeredPins('s', server, offer, []), 1)
    expect(compared.changes.map(({ kind, change }) => [kind, change])).toEqual([['server', 'changed']])
    const verdict = gate.check({ serverId: 's', settings: server, offer })
    expect(verdict.blocked).toMatch(/started in another way/)
    const waiting = store.pending()
    expect(waiting.map(({ kind, change }) => [kind, change])).toEqual([['server', 'changed']])
    store.approve(verdict.identity, new Set(waiting.map(({ hash }) => hash)), 'me')
    const after = gate.check({ serverId: 's', settings: server, offer })
    expect(after.blocked).toBeUndefined()
    expect(offer.tools.every((each) => after.allows('tool', each))).toBe(true)
    expect(store.servers()).toHaveLength(1)
  })

  it('goes on without a question where nothing more is written down, with another key too', () => {
    const { store, gate } = createGate()
    const key = 'k3yk3yk3yk3yk3yk3yk3yk3y'
    const server = {
      command: 'npx',
      args: ['-y', 'p', '--token', key, '--a-key=b'],
      env: { B_TOKEN: 'word' },
    }
    approvedBefore(store, server, {
      command: 'npx',
      args: ['-y', 'p', '--token', '…', '--a-key=…'],
      env: ['B_TOKEN'],
    })
    expect(gate.check({ serverId: 's', settings: server, offer }).blocked).toBeUndefined()
    expect(store.pending()).toEqual([])
  })
})
