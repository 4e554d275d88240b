const COLOURS = 8

/** Which of the eight chart colours belongs to a name: by its place among all names; the last one for a name of old. */
export function colourOf(name: string, names: readonly string[]): string {
  const place = names.indexOf(name)
  return `var(--chart-${place < 0 ? COLOURS : (place % COLOURS) + 1})`
}

/** What a CSS variable, or a `var(…)`, is worth now; canvas charts can't read variables by themselves. */
export function colourValue(variable: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(variable)?.[1] ?? variable
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}
