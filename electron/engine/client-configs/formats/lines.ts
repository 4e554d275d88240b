export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** Before the line break. */
export function lineEnd(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset)
  if (feed === -1) return text.length
  return feed > offset && text[feed - 1] === '\r' ? feed - 1 : feed
}

/** After the line break. */
export function nextLine(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset)
  return feed === -1 ? text.length : feed + 1
}

export const isFirstOnLine = (text: string, offset: number): boolean =>
  /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset))

export function spacesBefore(text: string, offset: number): number {
  let start = offset
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--
  return offset - start
}

export function spacesAfter(text: string, offset: number): number {
  let end = offset
  while (text[end] === ' ' || text[end] === '\t') end++
  return end - offset
}

/** Spaces as wide as the line's text before it; tabs stay tabs. */
export const indentOf = (text: string, offset: number): string =>
  text.slice(lineStart(text, offset), offset).replaceAll(/[^\t]/g, ' ')

export function lineBreakOf(text: string): '\r\n' | '\n' {
  const all = text.split('\n').length - 1
  return text.split('\r\n').length - 1 > all / 2 ? '\r\n' : '\n'
}

/** 1-based. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const start = lineStart(text, offset)
  return { line: text.slice(0, start).split('\n').length, column: offset - start + 1 }
}
