import { describe, expect, test } from 'vitest'
import {
  APART,
  lanesOf,
  MEDIUM_JOB,
  placeFor,
  SMALL_JOB,
  type Seat,
} from '../../../electron/engine/work/lanes.ts'

const lanes = lanesOf(3)
const place = (lane: number, threads: readonly Seat[], parallel = 1) =>
  placeFor({ name: 'compress', lane, affinity: undefined }, threads, { lanes, parallel })

const seat = (lane: number, facts: Partial<Seat> = {}): Seat => ({
  lane,
  isIdle: true,
  lastAffinity: undefined,
  prepared: new Set(),
  preparing: undefined,
  ...facts,
})
const busy = (lane: number, facts: Partial<Seat> = {}): Seat => seat(lane, { isIdle: false, ...facts })

describe('the thread of a job', () => {
  test('lanes by number of threads', () => {
    expect(lanesOf(1)).toEqual([Infinity])
    expect(lanesOf(2)).toEqual([SMALL_JOB, Infinity])
    expect(lanesOf(4)).toEqual([SMALL_JOB, MEDIUM_JOB, Infinity, Infinity])
  })

  test('small jobs get one of their own, although a larger one is idle: later it may be busy', () => {
    expect(place(0, [seat(2, { prepared: new Set(['compress']) })])).toEqual({ start: 0 })
  })

  test('other jobs go to an idle larger thread before one is started for them', () => {
    const larger = seat(2)
    expect(place(1, [seat(0), larger])).toEqual({ on: larger })
    expect(place(1, [seat(0)])).toEqual({ start: 1 })
  })

  test('a job waits for its busy thread, while an idle one that does not know it yet is prepared, once', () => {
    const idle = seat(2)
    expect(place(0, [busy(0), busy(1), idle])).toEqual({ prepare: idle })
    expect(place(0, [busy(0), busy(1, { preparing: 'compress' }), idle])).toEqual({ wait: true })
    const prepared = seat(2, { prepared: new Set(['compress']) })
    expect(place(0, [busy(0), seat(1), prepared])).toEqual({ on: prepared })
  })

  test('with processors to spare another thread is started and prepared', () => {
    expect(place(0, [busy(0)], 3)).toEqual({ prepare: 1 })
    expect(place(0, [busy(0), busy(1), busy(2)], 3)).toEqual({ wait: true })
    expect(place(0, [busy(0)], 1)).toEqual({ wait: true })
  })

  test('a job beside others takes the next thread, started for it, and its own while that is busy', () => {
    const beside = (lane: number, threads: readonly Seat[]) =>
      placeFor({ name: 'scan', lane, affinity: undefined, beside: true }, threads, { lanes, parallel: 1 })
    const [small, medium, large] = [seat(0), seat(1), seat(2)]
    expect(beside(1, [small, busy(1)])).toEqual({ start: 2 })
    expect(beside(1, [small, busy(1), large])).toEqual({ on: large })
    expect(beside(1, [small, medium, busy(2)])).toEqual({ on: medium })
    expect(beside(2, [small, medium, busy(2)])).toEqual({ on: medium })
    expect(beside(2, [small, busy(1), busy(2)])).toEqual({ wait: true })
  })

  test('a small job has its own thread even so', () => {
    const scan = { name: 'scan', lane: 0, affinity: undefined, beside: true }
    expect(placeFor(scan, [], { lanes, parallel: 1 })).toEqual({ start: 0 })
    expect(placeFor(scan, [seat(0)], { lanes, parallel: 1 })).toEqual({ on: seat(0) })
    const two = { lanes: lanesOf(2), parallel: 1 }
    expect(placeFor({ ...scan, lane: 1 }, [seat(0), busy(1)], two)).toEqual({ wait: true })
  })

  test('none takes a job that is larger than its lane, and what runs apart stays there', () => {
    expect(place(2, [seat(0), seat(1)])).toEqual({ start: 2 })
    expect(place(2, [seat(0), seat(1), busy(2)])).toEqual({ wait: true })
    expect(place(0, [busy(0), seat(APART), busy(1), busy(2)])).toEqual({ wait: true })
    expect(place(APART, [seat(0), seat(1), busy(APART)])).toEqual({ wait: true })
    expect(place(APART, [seat(0)])).toEqual({ start: APART })
  })
})
