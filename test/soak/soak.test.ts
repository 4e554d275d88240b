import { expect, onTestFinished, test } from 'vitest'
import { SEED } from '../helpers/rounds.ts'
import { canMountSmallDisks, smallDisk } from '../helpers/small-disk.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { Random } from './random.ts'
import { runSoak } from './run-soak.ts'

/** The short form of `npm run soak`, with a new seed every time but in CI; failures name it. */

const disk = canMountSmallDisks()
if (!disk) console.warn('Left out: only a superuser of Linux can mount the small disk that the soak fills.')

test.skipIf(process.platform !== 'linux')(
  'some seconds of kills, stalls, floods, edits and full disks: no call is lost, no process is left',
  async () => {
    const seed = SEED ?? Math.floor(Math.random() * 1e9)
    const folder = disk ? smallDisk('128m', onTestFinished) : temporaryFolder()
    const { calls, rests, faults, ...rest } = await runSoak({
      seconds: 8,
      atLeast: { calls: 40, mischief: 7 },
      seed,
      folder,
      disk,
      say: () => {},
    })
    expect({ seed, faults, lostCalls: rest.lostCalls }).toEqual({ seed, faults: [], lostCalls: [] })
    expect(calls.lost).toBe(0)
    expect(calls.answered + calls.refused + calls.cutOff).toBe(calls.made)
    // A soak without activity is not valid.
    expect(calls.answered).toBeGreaterThan(25)
    expect(Object.values(rest.mischief).reduce((sum, count) => sum + count)).toBeGreaterThan(5)
    expect(rests).toHaveLength(2)
    expect(rest).toMatchObject({ processesLeft: 0, exitCode: 0 })
  },
  900_000,
)

test('the same seed draws the same', () => {
  const draw = (seed: number): unknown[] => {
    const random = new Random(seed)
    const other = random.fork()
    return Array.from({ length: 50 }, () => [
      random.weighted({ often: 9, seldom: 1, never: 0 }),
      random.between(3, 5),
      other.pick(['a', 'b']),
    ])
  }
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
  const drawn = draw(7).map((row) => row as [string, number, string])
  expect(new Set(drawn.map(([often]) => often))).toEqual(new Set(['often', 'seldom']))
  expect(new Set(drawn.map(([, number]) => number))).toEqual(new Set([3, 4, 5]))
})
