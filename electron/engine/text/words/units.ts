/** Factors of unit suffixes, in seconds, bytes or one. */
export const UNITS = new Map<string, number>([
  ...['', '%', 'b', 'byte', 'bytes', 's', 'sec', 'secs', 'second', 'seconds', '$', '€', '£', '¥'].map(
    (unit) => [unit, 1] as const,
  ),
  ...(['ns', 'nanoseconds'] as const).map((unit) => [unit, 1e-9] as const),
  ...['us', 'µs', 'μs'].map((unit) => [unit, 1e-6] as const),
  ...['ms', 'msec', 'milliseconds'].map((unit) => [unit, 1e-3] as const),
  ...['min', 'mins', 'minute', 'minutes'].map((unit) => [unit, 60] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map((unit) => [unit, 3600] as const),
  ...['d', 'day', 'days'].map((unit) => [unit, 86_400] as const),
  ...['w', 'wk', 'wks', 'week', 'weeks'].map((unit) => [unit, 604_800] as const),
  ...['month', 'months'].map((unit) => [unit, 2_629_800] as const),
  ...['y', 'yr', 'yrs', 'year', 'years'].map((unit) => [unit, 31_557_600] as const),
  ...['k', 'kb', 'ki', 'kib'].map((unit) => [unit, 1e3] as const),
  ...['mb', 'mi', 'mib', 'mil'].map((unit) => [unit, 1e6] as const),
  ...['g', 'gb', 'gi', 'gib', 'bn'].map((unit) => [unit, 1e9] as const),
  ...['t', 'tb', 'ti', 'tib'].map((unit) => [unit, 1e12] as const),
])

/** Of a unit of time or size in words or letters; undefined for other words. */
export const factorOf = (unit: string): number | undefined =>
  /^[a-zµμ]/i.test(unit) ? UNITS.get(unit.toLowerCase()) : undefined
