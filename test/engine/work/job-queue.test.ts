import { describe, expect, test } from 'vitest'
import { JobQueue } from '../../../electron/engine/work/job-queue.ts'

const job = (turn: string, name: number) => ({ turn, name })
const drained = (queue: JobQueue<ReturnType<typeof job>>): string[] => {
  const taken: string[] = []
  for (let next = queue.next(); next; next = queue.next()) taken.push(`${next.turn}${next.name}`)
  return taken
}

describe('a queue of jobs', () => {
  test('gives each owner a turn before any has a second', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    for (const each of [job('a', 1), job('a', 2), job('a', 3), job('b', 1), job('c', 1), job('c', 2)])
      queue.add(each)
    expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  })

  test('who had a turn just now waits for who came meanwhile', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    queue.add(job('a', 1))
    queue.next()
    queue.add(job('a', 2))
    queue.add(job('b', 1))
    expect(queue.first).toEqual(job('b', 1))
    expect(drained(queue)).toEqual(['b1', 'a2'])
  })

  test('what was removed is never given, and counts for nothing', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const jobs = Array.from({ length: 5000 }, (_, index) => job('a', index))
    for (const each of jobs) queue.add(each)
    expect(jobs.filter(({ name }) => name % 5 !== 0).every((each) => queue.remove(each))).toBe(true)
    expect(jobs.slice(1, 2).map((each) => queue.remove(each))).toEqual([false])
    expect(queue.waitingOf('a')).toBe(1000)
    queue.add(job('b', 1))
    const taken = drained(queue)
    expect(taken.slice(0, 4)).toEqual(['a0', 'b1', 'a5', 'a10'])
    expect(taken).toHaveLength(1001)
    expect(queue.waitingOf('a')).toBe(0)
  })

  test('takes as long for each of a hundred thousand as for each of a few', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    for (let index = 0; index < 100_000; index++) queue.add(job('a', index))
    // Stepping over removed entries each time would take minutes.
    expect(drained(queue)).toHaveLength(100_000)
  })
})
