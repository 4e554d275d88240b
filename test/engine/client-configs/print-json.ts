/** A value as hand-written JSON: comments, tabs, trailing commas and line breaks anywhere. */
export function printJson(value: unknown, random: () => number): string {
  const unit = random() < 0.5 ? '\t' : '  '
  const isTidy = random() < 0.4
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const gap = (): string => (isTidy ? '' : pick(['', '', '', ' ', ' /* c, */ ', '\n', '\t']))
  const print = (node: unknown, depth: number): string => {
    if (typeof node !== 'object' || node === null) return printScalar(node, random)
    const isList = Array.isArray(node)
    const items = isList
      ? node.map((item) => print(item, depth + 1))
      : Object.entries(node).map(
          ([key, item]) =>
            `${JSON.stringify(key)}${gap()}:${gap()}${isTidy ? ' ' : ''}${print(item, depth + 1)}`,
        )
    const [open, close] = isList ? '[]' : '{}'
    if (items.length === 0) return `${open}${gap()}${close}`
    if (random() < 0.3) return `${open}${gap()}${items.join(pick([',', ', ', ' ,']))}${gap()}${close}`
    const indent = unit.repeat(depth + 1)
    const lines = items.map((item, index) => {
      const isLast = index === items.length - 1
      const comma = isLast ? (random() < 0.3 ? ',' : '') : ','
      const comment = random() < 0.15 ? ' // note, "x": 1' : ''
      const above = random() < 0.1 ? `${indent}// about the next\n` : ''
      return `${above}${indent}${item}${random() < 0.1 ? ' /* , */ ' : ''}${comma}${comment}`
    })
    return `${open}\n${lines.join('\n')}\n${unit.repeat(depth)}${close}`
  }
  const top = random() < 0.2 ? '// by hand\n' : ''
  return top + print(value, 0) + pick(['', '\n', '\n\n', ' // end\n'])
}

/** Sometimes with unnecessary escapes. */
function printScalar(value: unknown, random: () => number): string {
  const plain = JSON.stringify(value)
  if (typeof value !== 'string' || random() > 0.1) return plain
  return plain.replaceAll('/', String.raw`\/`).replaceAll('a', String.raw`\u0061`)
}
