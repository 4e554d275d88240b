import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { engineWorld } from '../helpers/engine-world.ts'
import { testServer } from '../helpers/upstream.ts'

/** The data folder on a small file system of its own, which only a superuser of Linux can make. */

const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

function mountSmall(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'))
  if (!succeeds('mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder)) throw new Error('Could not mount.')
  onTestFinished(() => {
    succeeds('umount', '--lazy', folder)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

const canMount = ((): boolean => {
  const probe = mkdtempSync(join(tmpdir(), 'sluice-probe-'))
  const can =
    process.platform === 'linux' && succeeds('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe)
  if (can) succeeds('umount', probe)
  rmSync(probe, { recursive: true, force: true })
  if (!can) console.warn('Skipped: only a superuser of Linux can mount the small disks of bad-disk.test.ts.')
  return can
})()

function fill(folder: string): void {
  const filler = join(folder, 'filler')
  for (const size of [1_000_000, 10_000, 1000, 1])
    try {
      for (;;) appendFileSync(filler, randomBytes(size))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
}

test.skipIf(!canMount)(
  'a full disk costs savings and records; of calls, those that nobody could check',
  async () => {
    const folder = mountSmall()
    const { connect } = await engineWorld(
      { s: testServer('misbehaving') },
      { approvals: { firstSight: 'trust' } },
      { folder },
    )
    const { call, names } = await connect()
    expect(await call('echo', { text: 'before' })).toBe('before')
    fill(folder)
    expect(await names()).toContain('echo')
    for (let index = 0; index < 20; index++)
      expect(await call('echo', { text: `full ${index}` })).toBe(`full ${index}`)
    // What can't be kept is not shortened either: there would be no way back to it.
    expect(await call('huge', { bytes: 100_000 })).toBe('x'.repeat(100_000))
    // What a newcomer is offered can't be noted in the record of approvals, and that fails closed.
    const other = await connect({ name: 'another' })
    expect(await other.call('echo', { text: 'newcomer' })).toMatch(/could not be checked: .*disk is full/)

    rmSync(join(folder, 'filler'))
    expect(await call('echo', { text: 'after' })).toBe('after')
    expect(await call('huge', { bytes: 100_000 })).toContain('proxy_')
    expect(await (await connect()).call('echo', { text: 'newcomer' })).toBe('newcomer')
  },
  60_000,
)
