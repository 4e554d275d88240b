/** Unix milliseconds; local days and months. */
export interface Period {
  /** 2026-11 or 2026-11-25. */
  readonly key: string
  readonly from: number
  readonly to: number
}

export function periodAt(kind: 'day' | 'month', now: number): Period {
  const at = new Date(now)
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()]
  const key = [String(year), pad(month + 1), ...(kind === 'day' ? [pad(day)] : [])].join('-')
  return kind === 'day'
    ? { key, from: new Date(year, month, day).getTime(), to: new Date(year, month, day + 1).getTime() }
    : { key, from: new Date(year, month).getTime(), to: new Date(year, month + 1).getTime() }
}

const pad = (value: number): string => String(value).padStart(2, '0')

/** Too early to say. */
const LEAST_SHARE = 0.05

/** Extrapolates to the end of the period at the rate so far. Undefined in its first 5 %. */
export function forecast(spent: number, { from, to }: Period, now: number): number | undefined {
  const share = (now - from) / (to - from)
  return share < LEAST_SHARE ? undefined : spent / Math.min(1, share)
}
