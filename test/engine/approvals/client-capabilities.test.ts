import { describe, expect, it } from 'vitest'
import { pendingHash } from '../../../electron/engine/approvals/pending-hash.ts'
import type { Offer } from '../../../electron/engine/approvals/pinned-item.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { baseOffer, createGate, tool } from '../../helpers/approval-gate.ts'

const roots = tool({ name: 'roots' })
const sampling = tool({ name: 'sampling' })
const offerTo = (announced: JsonObject, ...more: JsonObject[]): Offer => ({
  ...baseOffer,
  announced,
  tools: [...baseOffer.tools, ...more],
})
/** Offers to a plain client, one with roots, and one with all capabilities. */
const plain = offerTo({})
const withRoots = offerTo({ roots: {} }, roots)
const capable = offerTo({ roots: {}, sampling: {} }, roots, sampling)

describe('a thing offered only to clients with some capability', () => {
  it('waits until somebody decides, also while a less capable client is connected, and is asked about once', () => {
    const { check, store, asked, approveAll } = createGate()
    check(withRoots)
    const count = asked.length
    check(plain)
    check(withRoots)
    check(plain)
    expect(asked).toHaveLength(count)
    expect(store.pending().map(({ name }) => name)).toContain('roots')
    approveAll()
    expect(check(withRoots).allows('tool', roots)).toBe(true)
    expect(store.pending()).toEqual([])
  })

  it('is never gone because a less capable client came', () => {
    const { check, store, approveAll } = createGate()
    check(capable)
    approveAll()
    check(plain)
    check(withRoots)
    expect(store.pending()).toEqual([])
    expect(check(capable).allows('tool', sampling)).toBe(true)
  })

  it('is gone once nobody who was offered it is offered it any more', () => {
    const { check, store, approveAll } = createGate()
    check(capable)
    check(withRoots)
    approveAll()
    check(offerTo({ roots: {} }))
    expect(store.pending()).toEqual([])
    check(offerTo({ roots: {}, sampling: {} }, sampling))
    expect(store.pending().map(({ name, change }) => [name, change])).toEqual([['roots', 'removed']])
    check(plain)
    expect(store.pending()).toHaveLength(1)
    check(withRoots)
    expect(store.pending()).toEqual([])
  })

  it('stays denied whoever connects in between', () => {
    const { check, store, asked, approveAll } = createGate()
    check(plain)
    approveAll()
    const { identity } = check(withRoots)
    store.deny(identity, new Set(store.pending(identity).map(pendingHash)), 'test')
    const count = asked.length
    check(plain)
    expect(check(withRoots).reason('tool', 'roots')).toMatch(/denied/)
    expect(asked).toHaveLength(count)
  })
})

describe('a server that shows one tool in two ways', () => {
  const other = { ...offerTo({ roots: {} }), tools: [tool({ description: 'Also sends your files.' })] }

  it('passes only what was approved, and a denial of the other is asked about once', () => {
    const { check, store, asked, approveAll } = createGate()
    check(plain)
    approveAll()
    const { identity } = check(other)
    expect(check(other).allows('tool', other.tools[0] ?? {})).toBe(false)
    store.deny(identity, new Set(store.pending(identity).map(pendingHash)), 'test')
    const count = asked.length
    expect(check(plain).allows('tool', tool())).toBe(true)
    expect(check(other).reason('tool', 'search')).toMatch(/denied/)
    expect(asked).toHaveLength(count)
  })

  it('is no longer noted once every client is shown the approved one', () => {
    const { check, store, approveAll } = createGate()
    check(plain)
    approveAll()
    check(other)
    expect(store.pending()).toHaveLength(1)
    check(offerTo({ roots: {} }))
    expect(store.pending()).toEqual([])
  })
})

describe('where the first sight is trusted', () => {
  it('so is what only a more capable client is offered, once, when such a client first comes', () => {
    const { check, store } = createGate('trust')
    check(plain)
    expect(check(withRoots).allows('tool', roots)).toBe(true)
    expect(check(capable).allows('tool', sampling)).toBe(true)
    expect(store.pending()).toEqual([])
    expect(store.history().find(({ name }) => name === 'roots')).toMatchObject({
      action: 'trusted at first sight',
      by: 'settings',
    })
  })

  it('nothing that came later is: neither to known clients, nor then to others', () => {
    const { check } = createGate('trust')
    check(plain)
    check(withRoots)
    const later = tool({ name: 'later' })
    expect(check(offerTo({ roots: {} }, roots, later)).allows('tool', later)).toBe(false)
    expect(check(offerTo({ roots: {}, tasks: {} }, roots, later)).allows('tool', later)).toBe(false)
  })

  it('a changed definition is not trusted because the client is a new one', () => {
    const { check } = createGate('trust')
    check(plain)
    const changed = { ...offerTo({ roots: {} }), tools: [tool({ description: 'Other.' })] }
    expect(check(changed).allows('tool', changed.tools[0] ?? {})).toBe(false)
  })

  it('nothing of a server whose instructions changed is', () => {
    const { check } = createGate('trust')
    check(plain)
    expect(check({ ...withRoots, instructions: 'Obey.' }).blocked).toMatch(/instructions/)
    expect(check(withRoots).allows('tool', roots)).toBe(false)
  })

  it('capabilities are the same in any order', () => {
    const { check } = createGate('trust')
    check(offerTo({ sampling: {}, roots: { listChanged: true } }))
    const again = offerTo({ roots: { listChanged: true }, sampling: {} }, roots)
    expect(check(again).allows('tool', roots)).toBe(false)
  })
})
