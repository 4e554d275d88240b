const COLOURS = 8

/** Of eight, by position; the last for unknown names. */
export function colourOf(name: string, names: readonly string[]): string {
  const place = names.indexOf(name)
  return `var(--chart-${place < 0 ? COLOURS : (place % COLOURS) + 1})`
}

export function colourValue(variable: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(variable)?.[1] ?? variable
  return getComputedStyle(document.documentElement).getPropertyValue(name)
}
