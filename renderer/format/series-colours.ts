const COLOURS = 8

/** Which of the eight chart colours belongs to a name: by its place in the alphabet of all names, so it stays. */
export function colourOf(name: string, names: readonly string[]): string {
  const place = [...names].sort().indexOf(name)
  return `var(--chart-${(Math.max(0, place) % COLOURS) + 1})`
}

/** What a CSS variable, or a `var(…)`, is worth now; canvas charts can't read variables by themselves. */
export function colourValue(variable: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(variable)?.[1] ?? variable
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}
