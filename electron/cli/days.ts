/** Local midnight, Unix milliseconds. */
export function startOfDay(now: number, daysBack: number): number {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - daysBack)
  return day.getTime()
}

/** The same days for `stats` and `report`. */
export const WEEK_DAYS = 7
