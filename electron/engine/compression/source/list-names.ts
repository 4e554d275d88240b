import { countUpTo } from '../../text/tokens/count-tokens.ts'
import type { Definition } from './definition.ts'

/** Indexes of definitions worth naming: each name once, without locals of functions. */
export function namedDefinitions(definitions: readonly Definition[]): number[] {
  const seen = new Set<string>()
  return definitions.flatMap((definition, i) => {
    const { name, kind, parent } = definition
    const isLocal = parent >= 0 && definitions[parent]?.kind === 'function'
    if (name === '' || seen.has(name) || (isLocal && kind === 'value')) return []
    seen.add(name)
    return [i]
  })
}

/** Names in source order, members in braces after their type; the best that fit the budget. */
export function listNames(
  definitions: readonly Definition[],
  named: readonly number[],
  score: (definition: number) => number,
  budget: number,
): string {
  const all = render(definitions, named)
  if (countUpTo(all, budget) <= budget) return all
  const best = [...named].sort((a, b) => score(b) - score(a) || a - b)
  let low = 0
  let high = best.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const some = render(definitions, inOrder(best.slice(0, middle)))
    if (countUpTo(`${some} …`, budget) <= budget) low = middle
    else high = middle - 1
  }
  return low === 0 ? '' : `${render(definitions, inOrder(best.slice(0, low)))} …`
}

const inOrder = (indexes: readonly number[]) => [...indexes].sort((a, b) => a - b)

function render(definitions: readonly Definition[], indexes: readonly number[]): string {
  const shown = new Set(indexes)
  const open: number[] = []
  let text = ''
  for (const i of indexes) {
    const definition = definitions[i]
    if (!definition) continue
    while (open.length > 0 && !isWithin(definitions, i, open[open.length - 1] ?? -1)) {
      open.pop()
      text += ' }'
    }
    if (definition.parent >= 0 && shown.has(definition.parent) && open.at(-1) !== definition.parent) {
      open.push(definition.parent)
      text += ' {'
    }
    text += ` ${definition.name}`
  }
  return `${text}${' }'.repeat(open.length)}`.trim()
}

function isWithin(definitions: readonly Definition[], inner: number, outer: number): boolean {
  const definition = definitions[inner]
  const around = definitions[outer]
  return !!definition && !!around && definition.start >= around.start && definition.end <= around.end
}
