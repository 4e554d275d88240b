import { percentOf } from '../../shared/percent-of.ts'

/** Thousands separators and a true minus sign. */
export const formatCount = (value: number): string =>
  String(Math.round(value))
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
    .replace('-', '−')

/** 950, 12.4 k, 3.1 M. */
export function formatShort(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  if (size < 1000) return sign + Math.round(size).toString()
  const [scaled, unit] = size < 999_500 ? [size / 1000, 'k'] : [size / 1_000_000, 'M']
  return `${sign}${scaled < 100 ? scaled.toFixed(1).replace('.0', '') : Math.round(scaled)} ${unit}`
}

/** 0.4 ms, 12 ms, 3.1 s. */
export const formatMs = (ms: number): string =>
  ms >= 999.5 ? `${(ms / 1000).toFixed(1)} s` : `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`

export const formatShare = (before: number, after: number): string =>
  before > after && before > 0 ? `−${percentOf(before - after, before)} %` : ''

/** 312 B, 4.2 kB, 81 MB (decimal). */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  // Rounds up to the next unit instead of 1000.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ''}`
}

export const formatNoun = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
