import { expect, onTestFinished, test } from 'vitest'
import { engineWorld } from '../helpers/engine-world.ts'
import {
  canMakeReadOnly,
  canMountSmallDisks,
  fillDisk,
  makeReadOnly,
  smallDisk,
} from '../helpers/small-disk.ts'
import { testServer } from '../helpers/upstream.ts'

/** The data folder on a small file system of its own, which only a superuser of Linux can make. */

const canMount = canMountSmallDisks()
if (!canMount)
  console.warn('Skipped: only a superuser of Linux can mount the small disks of bad-disk.test.ts.')

test.skipIf(!canMount)(
  'a full disk costs savings and records; of calls, those that nobody could check',
  async () => {
    const folder = smallDisk('8m', onTestFinished)
    const { connect } = await engineWorld(
      { s: testServer('misbehaving') },
      { approvals: { firstSight: 'trust' } },
      { folder },
    )
    const { call, names } = await connect()
    expect(await call('echo', { text: 'before' })).toBe('before')
    const makeRoom = await fillDisk(folder)
    expect(await names()).toContain('echo')
    for (let index = 0; index < 20; index++)
      expect(await call('echo', { text: `full ${index}` })).toBe(`full ${index}`)
    // What can't be kept is not shortened either: there would be no way back to it.
    expect(await call('huge', { bytes: 100_000 })).toBe('x'.repeat(100_000))
    // What a newcomer is offered can't be noted in the record of approvals, and that fails closed.
    const other = await connect({ name: 'another' })
    expect(await other.call('echo', { text: 'newcomer' })).toMatch(/could not be checked: .*disk is full/)

    makeRoom()
    expect(await call('echo', { text: 'after' })).toBe('after')
    expect(await call('huge', { bytes: 100_000 })).toContain('proxy_')
    expect(await (await connect()).call('echo', { text: 'newcomer' })).toBe('newcomer')
  },
  60_000,
)

const canLock = canMakeReadOnly()
if (!canLock) console.warn('Skipped: only a superuser of Linux can make a folder read-only to himself.')

test.skipIf(!canLock)(
  'a data folder that becomes read-only costs savings and records; of calls, those that nobody could check',
  async () => {
    const { connect, dataDir } = await engineWorld(
      { s: testServer('misbehaving') },
      { approvals: { firstSight: 'trust' } },
    )
    const { call, names } = await connect()
    expect(await call('echo', { text: 'before' })).toBe('before')
    const unlock = makeReadOnly(dataDir)
    onTestFinished(unlock)
    expect(await names()).toContain('echo')
    for (let index = 0; index < 5; index++)
      expect(await call('echo', { text: `locked ${index}` })).toBe(`locked ${index}`)
    expect(await call('huge', { bytes: 100_000 })).toBe('x'.repeat(100_000))
    const other = await connect({ name: 'another' })
    expect(await other.call('echo', { text: 'newcomer' })).toMatch(
      /could not be checked: pins.db, .* can't be written \(.*\)\. See that the folder/,
    )
    unlock()
    expect(await call('echo', { text: 'after' })).toBe('after')
    expect(await call('huge', { bytes: 100_000 })).toContain('proxy_')
  },
  60_000,
)
