import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { TextMover } from '../../../electron/engine/work/moved-texts.ts'

const long = (sign: string): string => sign.repeat(1_000_000)
const memoryOf = async (mover: TextMover, text: string): Promise<SharedArrayBuffer | undefined> =>
  (await mover.takeOut({ text })).moved[0]?.text.memory

describe('TextMover', () => {
  test('moves long texts, of either width, and puts them back at their places', async () => {
    const value = { list: [long('a'), 'short', { deep: `é${long('漢')}\ud800` }], n: 1 }
    const given = structuredClone(value)
    expect(TextMover.isNeededFor(given)).toBe(true)
    expect(TextMover.isNeededFor({ text: long('a').slice(1) })).toBe(false)
    const { value: rest, moved } = await new TextMover().takeOut(given)
    expect(given).toEqual(value)
    expect(rest).toEqual({ list: ['', 'short', { deep: '' }], n: 1 })
    expect(moved.map(({ path, text }) => [path, text.isLatin1])).toEqual([
      [['list', 0], true],
      [['list', 2, 'deep'], false],
    ])
    expect(await new TextMover({ piece: 999 }).putBack(rest, moved)).toEqual(value)
  })

  test('copies a text that it holds no second time: for seconds after its last use, and the last four', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const mover = new TextMover()
    const first = await memoryOf(mover, long('a'))
    expect(await memoryOf(mover, long('b'))).not.toBe(first)
    vi.advanceTimersByTime(1500)
    expect(await memoryOf(mover, long('a'))).toBe(first)
    vi.advanceTimersByTime(1500)
    expect(await memoryOf(mover, long('a'))).toBe(first)
    vi.advanceTimersByTime(5000)
    const again = await memoryOf(mover, long('a'))
    expect(again).not.toBe(first)
    vi.advanceTimersByTime(5000)
    const last = await memoryOf(mover, long('a'))
    expect(last).not.toBe(again)
    for (const sign of 'bcd') await memoryOf(mover, long(sign))
    expect(await memoryOf(mover, long('a'))).toBe(last)
    for (const sign of 'bcde') await memoryOf(mover, long(sign))
    expect(await memoryOf(mover, long('a'))).not.toBe(last)
  })

  test('what the other thread made of it is held, too', async () => {
    const mover = new TextMover()
    const { value, moved } = await new TextMover().takeOut({ text: long('a') })
    const back = (await mover.putBack(value, moved)) as { text: string }
    expect(await memoryOf(mover, back.text)).toBe(moved[0]?.text.memory)
  })
})
