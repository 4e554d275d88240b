import { formatPath } from '../text/tree/format-path.ts'
import { parseJson } from '../text/tree/parse-json.ts'
import { nodeAt, pathFinder } from '../text/tree/places.ts'

/** For people and scripts that look a passage up. */
export interface Passage {
  /** From 1, as editors count. */
  readonly line: number
  readonly column: number
  /** In JSON and JSON lines: of the value, such as `users[3].email`. */
  readonly path?: string
}

/** By the index of a character. The text is read when first asked. */
export function passageFinder(text: string): (index: number) => Passage {
  let pathOf: ((index: number) => string) | undefined
  return (index) => {
    const path = (pathOf ??= pathsIn(text))(index)
    return { ...lineOf(text, index), ...(path === '' ? {} : { path }) }
  }
}

function pathsIn(text: string): (index: number) => string {
  const json = /^\ufeff?\s*[{[]/.test(text) ? parseJson(text) : undefined
  if (!json) return () => ''
  const find = pathFinder(json)
  return (index) => formatPath(find(nodeAt(json, index)))
}

function lineOf(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index)
  const breaks = [...before.matchAll(/\r\n|\r|\n/g)]
  const last = breaks.at(-1)
  return { line: breaks.length + 1, column: index - (last ? last.index + last[0].length : 0) + 1 }
}
