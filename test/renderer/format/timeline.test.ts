import { expect, test } from 'vitest'
import { columnLabel, fillTimeline, savingsSeries } from '../../../renderer/format/timeline.ts'

const at = (day: number, hour = 0) => new Date(2026, 10, day, hour).getTime()
const point = (time: number, net: number) => ({ at: time, after: 5, added: 1, fetched: 2, net })

test('hours without calls are columns of zeros', () => {
  const columns = fillTimeline([point(at(22, 1), 10)], { from: at(22), to: at(22, 3) }, 'hour')
  expect(columns).toEqual([
    { at: at(22), sent: 0, fetched: 0, kept: 0 },
    { at: at(22, 1), sent: 6, fetched: 2, kept: 10 },
    { at: at(22, 2), sent: 0, fetched: 0, kept: 0 },
  ])
})

test('a loss is not drawn below the axis', () => {
  const [column] = fillTimeline([point(at(22), -4)], { from: at(22), to: at(23) }, 'day')
  expect(column?.kept).toBe(0)
})

test('each series of the chart has the name, the colour and the figures of its column', () => {
  const columns = [
    { at: at(22), sent: 1, fetched: 2, kept: 3 },
    { at: at(23), sent: 10, fetched: 20, kept: 30 },
  ]
  expect(savingsSeries(columns)).toEqual([
    { name: 'sent', colour: '--sent', values: [1, 10] },
    { name: 'fetched back', colour: '--fetched', values: [2, 20] },
    { name: 'kept out', colour: '--kept', values: [3, 30] },
  ])
})

test('days and months follow the calendar', () => {
  const days = fillTimeline([], { from: at(20), to: at(23) }, 'day')
  expect(days.map((column) => columnLabel(column.at, 'day'))).toEqual(['20 Nov', '21 Nov', '22 Nov'])
  const months = fillTimeline(
    [],
    { from: new Date(2025, 11, 31).getTime(), to: new Date(2026, 1, 2).getTime() },
    'month',
  )
  expect(months.map((column) => columnLabel(column.at, 'month'))).toEqual([
    'Dec 2025',
    'Jan 2026',
    'Feb 2026',
  ])
})
