import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import canonicalize from 'canonicalize'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { ApprovalGate } from '../../../electron/engine/approvals/approval-gate.ts'
import { canonicalJson } from '../../../electron/engine/protocol/canonical-json.ts'
import { pinMigrations } from '../../../electron/engine/approvals/pin-migrations.ts'
import { PinStore } from '../../../electron/engine/approvals/pin-store.ts'
import { pendingHash } from '../../../electron/engine/approvals/pending-hash.ts'
import type { PendingChange } from '../../../electron/engine/approvals/pin.ts'
import type { Offer } from '../../../electron/engine/approvals/pinned-item.ts'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { approvedOffer, at, folder, home } from '../../fixtures/pins/offer.ts'
import { settings } from '../../helpers/approval-gate.ts'
import { simpleTool } from '../../helpers/changeable-server.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** Deeper offers are not approved. */
const DEEPEST = 2_000

type Sight = 'ask' | 'trust'

/** A gate for one process, over a record that outlives it. */
function begin(path: string, sight: Sight = 'ask', now = (): number => at) {
  const database = openDatabase({ path, logger: silentLogger, now, migrations: pinMigrations })
  onTestFinished(() => database.close())
  const store = new PinStore(database, now)
  const asked: string[][] = []
  let firstSight = (): Sight => sight
  const gate = new ApprovalGate({
    store,
    firstSight: () => firstSight(),
    resolvePackages: () => [],
    homeDir: home,
    logger: silentLogger,
    now,
    onPending: (_, changes) => asked.push(changes.map(({ name }) => name)),
  })
  const onTrial = (offer: Offer) => ({ serverId: 'x', settings, offer })
  return {
    database,
    store,
    gate,
    asked,
    check: (offer: Offer) => gate.check(onTrial(offer)),
    checkInTurns: (offer: Offer) => gate.checkInTurns(onTrial(offer)),
    pending: (): PendingChange[] => store.pending(),
    whenAsked: (answer: () => Sight) => void (firstSight = answer),
  }
}

const newPath = (): string => join(temporaryFolder(), 'pins.db')
const bare: Offer = {
  announced: {},
  instructions: 'Be kind.',
  tools: [],
  prompts: [],
  resources: [],
  templates: [],
}
const COUNT = 600
/** Enough for several portions. */
const manyTools = (description = 'Does it. '.repeat(250)): JsonObject[] =>
  Array.from({ length: COUNT }, (_, index) => simpleTool(`tool_${index}`, description))
const large = (tools = manyTools()): Offer => ({ ...bare, tools })
const passing = (verdict: { allows: (kind: 'tool', tool: JsonObject) => boolean }, offer: Offer): number =>
  offer.tools.filter((tool) => verdict.allows('tool', tool)).length

describe('a record of an earlier Sluice', () => {
  const open = () => {
    const path = newPath()
    const database = new DatabaseSync(path)
    database.exec(readFileSync(join(import.meta.dirname, '../../fixtures/pins/schema-5.sql'), 'utf8'))
    database.close()
    const database6 = openDatabase({ path, logger: silentLogger, now: () => at, migrations: pinMigrations })
    onTestFinished(() => database6.close())
    const store = new PinStore(database6, () => at)
    const gate = new ApprovalGate({
      store,
      firstSight: () => 'ask',
      resolvePackages: () => [],
      homeDir: home,
      logger: silentLogger,
      now: () => at,
      onPending: () => {},
    })
    const check = (offer: Offer) =>
      gate.checkInTurns({
        serverId: 'notes',
        settings: { command: 'notes', args: ['--x'], env: { TOKEN: 'secret' } },
        offer,
      })
    return { store, check, database: database6 }
  }

  it('goes on holding: each hash is the same as before', async () => {
    const { store, check } = open()
    const verdict = await check(structuredClone(approvedOffer))
    expect(verdict.blocked).toBeUndefined()
    expect(store.pending()).toEqual([])
    for (const tool of approvedOffer.tools) expect(verdict.allows('tool', tool)).toBe(true)
    expect(verdict.allows('introduction', approvedOffer.introduction ?? {})).toBe(true)
    for (const prompt of approvedOffer.prompts) expect(verdict.allows('prompt', prompt)).toBe(true)
    for (const resource of approvedOffer.resources) expect(verdict.allows('resource', resource)).toBe(true)
    for (const each of approvedOffer.templates) expect(verdict.allows('template', each)).toBe(true)
  })

  it('shows what differs from it', async () => {
    const { store, check } = open()
    const [search, now] = approvedOffer.tools
    const changed = { ...now, description: `It is never. In ${folder}.` }
    const verdict = await check({ ...approvedOffer, tools: [search ?? {}, changed] })
    expect(verdict.allows('tool', changed)).toBe(false)
    expect(store.pending()).toMatchObject([{ name: 'now', change: 'changed' }])
    expect(store.pending()[0]?.before).toContain('Counted: ⟨time⟩')
  })

  it('reads hashes without definitions', () => {
    const { database } = open()
    const plan = (sql: string): string =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all('x')
        .map((row) => String(row['detail']))
        .join()
    expect(plan('SELECT kind, name, hash FROM pins WHERE identity = ?')).toContain('COVERING INDEX')
    expect(
      plan('SELECT kind, name, change, hash, literal, at, denied_at FROM pending WHERE identity = ?'),
    ).toContain('COVERING INDEX')
  })
})

describe('the canonical form', () => {
  test.each<[string, unknown]>([
    ['numbers', [0, -0, 1e21, 1e-7, 0.1, 123456789.125, Number.MAX_SAFE_INTEGER, 5e-324]],
    ['texts', ['\u2028', '"\\/\b\f\n\r\t\u0001\u007f', 'ß検🔎', '']],
    ['keys', { b: 1, a: 2, 10: 3, 9: 4, Ä: 5, '': 6, '\u{1f600}': 7, '\ufb33': 8, __proto__x: 9 }],
    ['what is left out', { a: undefined, b: [undefined, null], c: {} }],
    ['nothing', null],
    ['a text', 'x'],
    ['what has a form of its own', { at: new Date(0), list: [new Date(1)] }],
  ])('of %s is what it was', (_, value) => {
    expect(canonicalJson(value)).toBe(canonicalize(value))
  })
})

const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = { x: value }
  return value
}

describe('a definition nested', () => {
  const offerOf = (levels: number): Offer => ({
    ...bare,
    tools: [simpleTool('plain'), { name: 'deep', inputSchema: nested(levels) }],
  })

  it('deeper than anybody writes is blocked, says why, and cannot be approved', async () => {
    for (const levels of [DEEPEST, 20_000]) {
      const { checkInTurns, store } = begin(newPath())
      const offer = offerOf(levels)
      const { identity } = await checkInTurns(offer)
      store.approve(identity, new Set(store.pending().map(pendingHash)), 'test')
      const verdict = await checkInTurns(offer)
      const [plain, deep] = offer.tools
      expect(verdict.blocked).toBeUndefined()
      expect(verdict.allows('tool', plain ?? {})).toBe(true)
      expect(verdict.allows('tool', deep ?? {})).toBe(false)
      expect(verdict.reason('tool', 'deep')).toMatch(
        /"deep" .* is blocked, and can't be approved: it is nested too deeply, in more than 2000 levels/,
      )
      expect(store.wordings.all().map(({ name }) => name)).not.toContain('deep')
    }
  })

  it('less deep is one like any other', async () => {
    const { checkInTurns, store } = begin(newPath())
    const offer = offerOf(DEEPEST - 1)
    const { identity } = await checkInTurns(offer)
    store.approve(identity, new Set(store.pending().map(pendingHash)), 'test')
    const verdict = await checkInTurns(offer)
    expect(passing(verdict, offer)).toBe(2)
  })
})

describe('a large offer', () => {
  it('is checked with turns for others in between, and told of once', async () => {
    const { checkInTurns, asked, pending } = begin(newPath())
    const state = { turns: 0, isDone: false }
    const checked = checkInTurns(large()).finally(() => (state.isDone = true))
    while (!state.isDone) {
      await nextTurn()
      state.turns++
    }
    const verdict = await checked
    expect(state.turns).toBeGreaterThan(3)
    expect(verdict).toMatchObject({ blocked: expect.stringContaining('is new'), isProvisional: false })
    expect(pending()).toHaveLength(COUNT + 2)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toHaveLength(COUNT + 2)
  })

  it('is written down in portions, with a turn for others between any two', async () => {
    const { checkInTurns, store } = begin(newPath())
    const steps: ('portion' | 'turn')[] = []
    const writeOn = store.writeOn.bind(store)
    store.writeOn = (unwritten) => {
      steps.push('portion')
      return writeOn(unwritten)
    }
    const state = { isDone: false }
    const checked = checkInTurns(large()).finally(() => (state.isDone = true))
    while (!state.isDone) {
      await nextTurn()
      steps.push('turn')
    }
    await checked
    expect(steps.filter((step) => step === 'portion').length).toBeGreaterThan(2)
    expect(steps.join(' ')).not.toContain('portion portion')
  })

  it('passes in no part before all of it is written down', () => {
    const { check, store } = begin(newPath(), 'trust')
    const offer = large()
    const verdict = check(offer)
    expect(verdict.unwritten).toBeDefined()
    expect(verdict.blocked).toMatch(/still being written down/)
    expect(passing(verdict, offer)).toBe(0)
    expect(store.lightPinsOf(verdict.identity).length).toBeGreaterThan(0)
    expect(store.lightPinsOf(verdict.identity).map(({ kind }) => kind)).not.toContain('server')
  })

  /** A process that ends after its first portion. */
  const crashed = (sight: Sight, offer = large()): string => {
    const path = newPath()
    const { check, database } = begin(path, sight)
    expect(check(offer).unwritten).toBeDefined()
    database.close()
    return path
  }

  it('whose first sight was cut off goes on where that is trusted', async () => {
    const offer = large()
    const { checkInTurns, pending } = begin(crashed('trust'), 'trust')
    const verdict = await checkInTurns(offer)
    expect(verdict.blocked).toBeUndefined()
    expect(passing(verdict, offer)).toBe(COUNT)
    expect(pending()).toEqual([])
  })

  it('whose first sight was cut off waits whole where it is asked about', async () => {
    const offer = large()
    const { checkInTurns, store, pending } = begin(crashed('trust'), 'ask')
    const verdict = await checkInTurns(offer)
    expect(verdict.blocked).toMatch(/is new and was not approved/)
    expect(passing(verdict, offer)).toBe(0)
    expect(pending()).toHaveLength(COUNT + 2)
    expect(store.lightPinsOf(verdict.identity)).toEqual([])
    expect(store.wordings.all()).toEqual([])
  })

  it('that says something else after its first sight was cut off is trusted in the first wording alone', async () => {
    const path = crashed('trust')
    const offer = large([simpleTool('tool_0', 'Something else.'), ...manyTools().slice(1)])
    const { checkInTurns, pending } = begin(path, 'trust')
    const verdict = await checkInTurns(offer)
    expect(verdict.blocked).toBeUndefined()
    expect(verdict.allows('tool', offer.tools[0] ?? {})).toBe(false)
    expect(passing(verdict, offer)).toBe(COUNT - 1)
    expect(pending()).toMatchObject([{ name: 'tool_0', change: 'changed' }])
  })

  it('that waited, and whose first sight was then cut off, goes on or waits whole', async () => {
    for (const sight of ['ask', 'trust'] as const) {
      const path = newPath()
      const offer = large()
      const asking = begin(path)
      await asking.checkInTurns(offer)
      asking.database.close()
      const trusting = begin(path, 'trust')
      expect(trusting.check(offer).unwritten).toBeDefined()
      trusting.database.close()
      const { checkInTurns, pending, store } = begin(path, sight)
      const verdict = await checkInTurns(offer)
      const found = [passing(verdict, offer), pending().length, store.lightPinsOf(verdict.identity).length]
      expect(found).toEqual(sight === 'trust' ? [COUNT, 0, COUNT + 2] : [0, COUNT + 2, 0])
    }
  })

  it('whose question was cut off is asked about whole, under either setting', async () => {
    for (const sight of ['ask', 'trust'] as const) {
      const offer = large()
      const { checkInTurns, pending, store } = begin(crashed('ask'), sight)
      const verdict = await checkInTurns(offer)
      if (sight === 'ask') expect(verdict.blocked).toMatch(/is new/)
      if (sight === 'ask') expect(pending()).toHaveLength(COUNT + 2)
      else expect([verdict.blocked, pending(), passing(verdict, offer)]).toEqual([undefined, [], COUNT])
      expect(store.hasBegunTrust(verdict.identity)).toBe(false)
    }
  })

  it('that could not be written to its end stays blocked, and goes on when there is room again', async () => {
    const { checkInTurns, whenAsked, database } = begin(newPath(), 'trust')
    const offer = large()
    let asked = 0
    whenAsked(() => {
      // The disk is full after the first portions.
      if (++asked === 4) database.prepare('PRAGMA query_only = 1').run()
      return 'trust'
    })
    const stuck = await checkInTurns(offer)
    expect(asked).toBeGreaterThan(3)
    expect(stuck.isProvisional).toBe(true)
    expect(stuck.blocked).toBeDefined()
    expect(stuck.allows('introduction', {})).toBe(false)
    database.prepare('PRAGMA query_only = 0').run()
    expect(passing(await checkInTurns(offer), offer)).toBe(COUNT)
  })

  it('is asked about whole where the setting changes meanwhile', async () => {
    const { checkInTurns, whenAsked, pending, store } = begin(newPath(), 'trust')
    let asked = 0
    whenAsked(() => (++asked < 4 ? 'trust' : 'ask'))
    const verdict = await checkInTurns(large())
    expect(verdict.blocked).toMatch(/is new/)
    expect(pending()).toHaveLength(COUNT + 2)
    expect(store.lightPinsOf(verdict.identity)).toEqual([])
  })

  it('keeps a denial that comes meanwhile from another process', async () => {
    const path = newPath()
    const { checkInTurns, whenAsked, pending } = begin(path)
    const other = begin(path)
    let asked = 0
    whenAsked(() => {
      if (++asked === 4) {
        const [identity = ''] = other.pending().map((item) => item.identity)
        expect(other.store.deny(identity, new Set(other.pending().map(pendingHash)), 'test')).not.toEqual([])
      }
      return 'ask'
    })
    const verdict = await checkInTurns(large())
    expect(verdict.blocked).toMatch(/denied/)
    expect(pending()).toHaveLength(COUNT + 2)
    const denied = pending().filter(({ deniedAt }) => deniedAt !== undefined)
    expect(denied.map(({ kind }) => kind)).toContain('server')
    expect(denied.length).toBeLessThan(COUNT)
  })

  it('that is denied while it is being trusted is not trusted', async () => {
    const path = newPath()
    const offer = large()
    const other = begin(path)
    const { identity } = await other.checkInTurns(offer)
    const { checkInTurns, whenAsked, store } = begin(path, 'trust')
    let asked = 0
    whenAsked(() => {
      if (++asked === 4) other.store.deny(identity, new Set(other.pending().map(pendingHash)), 'test')
      return 'trust'
    })
    const verdict = await checkInTurns(offer)
    expect(asked).toBeGreaterThan(4)
    expect(verdict.blocked).toMatch(/denied/)
    expect(passing(await other.checkInTurns(offer), offer)).toBe(0)
    expect(store.lightPinsOf(identity).map(({ kind }) => kind)).not.toContain('server')
  })

  it('of two clients at once is trusted as the first of them saw it', async () => {
    const { checkInTurns, pending } = begin(newPath(), 'trust')
    const [one, other] = [large(), large(manyTools('Does something else. '.repeat(100)))]
    const verdicts = await Promise.all([checkInTurns(one), checkInTurns(other)])
    expect(passing(verdicts[0], one)).toBe(COUNT)
    expect(passing(verdicts[1], other)).toBe(0)
    expect(pending()).toHaveLength(COUNT)
    expect(passing(await checkInTurns(one), one)).toBe(COUNT)
  })

  it('is left where it is when the engine ends', async () => {
    const path = newPath()
    const { checkInTurns, gate, database } = begin(path, 'trust')
    const checked = checkInTurns(large())
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    gate.close()
    database.close()
    const offer = large()
    expect((await checked).blocked).toBeDefined()
    expect(passing(await begin(path, 'trust').checkInTurns(offer), offer)).toBe(COUNT)
  })
})
