import type { Savings } from '../../shared/api/savings.ts'
import { formatDay } from './times.ts'

export type TimeUnit = 'hour' | 'day' | 'month'

export interface TimelineColumn {
  readonly at: number
  readonly sent: number
  readonly fetched: number
  readonly kept: number
}

const startOf = (at: number, unit: TimeUnit): Date => {
  const date = new Date(at)
  if (unit === 'hour') return new Date(date.getFullYear(), date.getMonth(), date.getDate(), date.getHours())
  return new Date(date.getFullYear(), date.getMonth(), unit === 'day' ? date.getDate() : 1)
}

const next = (date: Date, unit: TimeUnit): Date => {
  if (unit === 'hour') return new Date(date.getTime() + 3_600_000)
  if (unit === 'day') return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1)
  return new Date(date.getFullYear(), date.getMonth() + 1, 1)
}

/** With zeros, so that quiet times aren't drawn as lines. */
export function fillTimeline(
  points: readonly (Pick<Savings, 'after' | 'added' | 'fetched' | 'net'> & { readonly at: number })[],
  range: { readonly from: number; readonly to: number },
  unit: TimeUnit,
): TimelineColumn[] {
  const columns = new Map<number, TimelineColumn>()
  for (let date = startOf(range.from, unit); date.getTime() < range.to; date = next(date, unit)) {
    columns.set(date.getTime(), { at: date.getTime(), sent: 0, fetched: 0, kept: 0 })
  }
  for (const point of points) {
    const at = startOf(point.at, unit).getTime()
    columns.set(at, {
      at,
      sent: point.after + point.added,
      fetched: point.fetched,
      kept: Math.max(0, point.net),
    })
  }
  return [...columns.values()].sort((a, b) => a.at - b.at)
}

export const savingsSeries = (
  columns: readonly TimelineColumn[],
): { name: string; colour: string; values: number[] }[] => [
  { name: 'sent', colour: '--sent', values: columns.map((column) => column.sent) },
  { name: 'fetched back', colour: '--fetched', values: columns.map((column) => column.fetched) },
  { name: 'kept out', colour: '--kept', values: columns.map((column) => column.kept) },
]

export function columnLabel(at: number, unit: TimeUnit): string {
  const date = new Date(at)
  if (unit === 'hour') {
    const hour = `${String(date.getHours()).padStart(2, '0')}:00`
    return date.toDateString() === new Date().toDateString() ? hour : `${formatDay(at)} ${hour}`
  }
  return unit === 'day'
    ? formatDay(at)
    : date.toLocaleDateString('en-GB', { month: 'short', year: 'numeric' })
}
