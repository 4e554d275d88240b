import { isRecord } from '../../text/tree/json-values.ts'

/** Characters of values on one line. */
const LINE = 120
const SHORT = 40

/** Line breaks only in long values: few tokens, but lines to cut at. Valid JSON with numbers as in the source. */
export function renderJson(value: unknown, depth = 0): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const items = value.map((element) => renderJson(element, depth + 1))
    return wrap(items, '[', ']', depth, items.every(isShort))
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${renderJson(inner, depth + 1)}`,
  )
  return wrap(fields, '{', '}', depth, false)
}

function wrap(items: readonly string[], open: string, close: string, depth: number, fill: boolean): string {
  let length = 0
  let isFlat = true
  for (const item of items) {
    length += item.length + 1
    if (length <= LINE && !item.includes('\n')) continue
    isFlat = false
    break
  }
  if (isFlat) return open + items.join(',') + close
  const indent = ' '.repeat(Math.min(depth, 8) + 1)
  const lines = fill
    ? filled(items)
    : items.map((item, index) => (index < items.length - 1 ? `${item},` : item))
  return `${open}\n${indent}${lines.join(`\n${indent}`)}\n${indent.slice(1)}${close}`
}

function filled(items: readonly string[]): string[] {
  const lines: string[] = []
  let line: string[] = []
  let length = 0
  items.forEach((item, index) => {
    line.push(index < items.length - 1 ? `${item},` : item)
    length += item.length + 1
    if (length < LINE) return
    lines.push(line.join(''))
    line = []
    length = 0
  })
  return line.length > 0 ? [...lines, line.join('')] : lines
}

const isShort = (item: string): boolean => item.length <= SHORT && !item.includes('\n')
