import { afterEach, describe, expect, it, vi } from 'vitest'
import { TextsAsTheyCame } from '../../../electron/engine/protocol/texts-as-they-came.ts'

const inside = new Uint8Array(new SharedArrayBuffer(3))

afterEach(() => {
  vi.useRealTimers()
})

describe('TextsAsTheyCame', () => {
  it('forgets a text within seconds after it was last asked for', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    const texts = new TextsAsTheyCame()
    texts.hold('a', inside)
    texts.hold('b', inside)
    vi.advanceTimersByTime(1500)
    expect(texts.insideOf('a')).toBe(inside)
    vi.advanceTimersByTime(1500)
    expect(texts.insideOf('a')).toBe(inside)
    expect(texts.insideOf('b')).toBeUndefined()
    vi.advanceTimersByTime(5000)
    expect(texts.insideOf('a')).toBeUndefined()
    texts.hold('a', inside)
    vi.advanceTimersByTime(5000)
    expect(texts.insideOf('a')).toBeUndefined()
  })

  it('holds no more than a few', () => {
    const texts = new TextsAsTheyCame()
    for (let n = 0; n < 100; n++) texts.hold(`text ${n}`, inside)
    const held = Array.from({ length: 100 }, (_, n) => texts.insideOf(`text ${n}`)).filter(Boolean)
    expect(held).toHaveLength(4)
    expect(texts.insideOf('text 99')).toBe(inside)
  })
})
