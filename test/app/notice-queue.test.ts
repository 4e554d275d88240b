import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFailureWatch } from '../../electron/app/failure-watch.ts'
import { createNoticeQueue, type Notice } from '../../electron/app/notice-queue.ts'

const notice = (about: string, kind: Notice['kind'] = 'changes'): Notice => ({
  kind,
  about,
  title: `${about} changed`,
  body: 'x',
  target: { review: about },
})

describe('notifications', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const start = (unwanted: readonly string[] = []) => {
    const shown: Notice[] = []
    const queue = createNoticeQueue({
      show: (each) => shown.push(each),
      isWanted: (kind) => !unwanted.includes(kind),
      now: Date.now,
    })
    return { queue, titles: () => shown.map(({ title }) => title), shown }
  }

  it('tell of one thing in its own words, a moment later', () => {
    const { queue, titles, shown } = start()
    queue.add(notice('a'))
    expect(titles()).toEqual([])
    vi.advanceTimersByTime(1_500)
    expect(titles()).toEqual(['a changed'])
    expect(shown[0]?.target).toEqual({ review: 'a' })
  })

  it('tell of many together, and of each once', () => {
    const { queue, shown } = start()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a']) queue.add(notice(name))
    vi.advanceTimersByTime(1_500)
    expect(shown).toMatchObject([
      {
        title: '7 servers wait for your approval',
        body: 'b, c, d, e, f and 2 more',
        target: { route: '/approvals' },
      },
    ])
  })

  it('leave half a minute between two of a kind, and do not hold up another kind', () => {
    const { queue, titles } = start()
    queue.add(notice('a'))
    vi.advanceTimersByTime(1_500)
    queue.add(notice('b'))
    queue.add(notice('c'))
    queue.add(notice('x', 'failures'))
    vi.advanceTimersByTime(1_500)
    expect(titles()).toEqual(['a changed', 'x changed'])
    vi.advanceTimersByTime(28_500)
    expect(titles()).toEqual(['a changed', 'x changed', '2 servers wait for your approval'])
  })

  it('wait while nobody looks', () => {
    const { queue, titles } = start()
    queue.add(notice('a'))
    queue.hold(true)
    queue.add(notice('b'))
    vi.advanceTimersByTime(3_600_000)
    expect(titles()).toEqual([])
    queue.hold(false)
    vi.advanceTimersByTime(1_500)
    expect(titles()).toEqual(['2 servers wait for your approval'])
  })

  it('are not shown of a kind that nobody wants', () => {
    const { queue, titles } = start(['changes'])
    queue.add(notice('a'))
    vi.advanceTimersByTime(60_000)
    expect(titles()).toEqual([])
  })

  it('come no more after the end', () => {
    const { queue, titles } = start()
    queue.add(notice('a'))
    queue.close()
    vi.advanceTimersByTime(60_000)
    expect(titles()).toEqual([])
  })
})

describe('a failing server', () => {
  it('is told of at its second failure, once, until it works again', () => {
    let now = 0
    const watch = createFailureWatch(() => now)
    expect(watch.noteFailed('a')).toBe(false)
    expect(watch.noteFailed('b')).toBe(false)
    expect(watch.noteFailed('a')).toBe(true)
    expect(watch.noteFailed('a')).toBe(false)
    watch.noteReady('a')
    expect(watch.noteFailed('a')).toBe(false)
    now += 11 * 60_000
    expect(watch.noteFailed('a')).toBe(false)
    expect(watch.noteFailed('a')).toBe(true)
  })
})
