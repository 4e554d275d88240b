import { kindOf, NODE, parentOf, valueOf } from '../../tree/json-document.ts'
import type { JsonDocument } from '../../tree/json-document.ts'

const CUT = '…'
/** A tag is whole up to this many characters. */
const SHORT = 80
const DEEPEST = 12

/** Chosen texts in their tags, attributes in the opening tag of their element, indented by depth. */
export function printXml(
  document: JsonDocument,
  heads: Int32Array,
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
  const { text, starts, stops } = document
  const out: string[] = []
  let open: number[] = []
  /** The element whose tag is the last line. */
  let tagged = 0
  for (let i = 0; i < chosen.length; i++) {
    const leaf = chosen[i] ?? 0
    const path = elementsTo(document, leaf)
    let common = 0
    while (common < open.length && common < path.length && open[common] === path[common]) common++
    for (let depth = common; depth < path.length; depth++) {
      const element = path[depth] ?? 0
      const attributes: number[] = []
      if (depth === path.length - 1)
        for (let j = i; j < chosen.length && isAttribute(document, chosen[j] ?? 0, element); j++)
          attributes.push(chosen[j] ?? 0)
      out.push(indent(depth) + openingTag(document, heads, element, attributes, textOf))
    }
    if (common < path.length) tagged = path.at(-1) ?? 0
    open = path
    if (isAttribute(document, leaf, parentOf(document, leaf))) continue
    const words = leafText(text, heads[leaf] ?? 0, starts[leaf] ?? 0, stops[leaf] ?? 0, shownOf(leaf))
    const isTagText = tagged === path.at(-1) && heads[leaf] === starts[leaf] && !words.includes('\n')
    if (isTagText) out.push((out.pop() ?? '') + words)
    else out.push(indent(path.length) + words)
    tagged = 0
  }
  return out.join('\n')

  function shownOf(leaf: number): string | undefined {
    const shown = textOf(leaf)
    return shown === valueOf(document, leaf) || kindOf(document, leaf) === NODE.null ? undefined : shown
  }
}

const indent = (depth: number): string => ' '.repeat(Math.min(DEEPEST, depth))

/** Elements from the outermost; lists of elements have no tag. */
function elementsTo(document: JsonDocument, leaf: number): number[] {
  const path: number[] = []
  for (let node = parentOf(document, leaf); node > 0; node = parentOf(document, node))
    if (kindOf(document, node) === NODE.object) path.push(node)
  return path.reverse()
}

/** In its element's opening tag. */
const isAttribute = ({ starts, stops, parents }: JsonDocument, leaf: number, element: number): boolean =>
  parents[leaf] === element && (stops[leaf] ?? 0) < (starts[element] ?? 0)

function openingTag(
  { text, starts, count, parents, stops }: JsonDocument,
  heads: Int32Array,
  element: number,
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
  const head = heads[element] ?? 0
  const start = starts[element] ?? 0
  if (start - head <= SHORT) return text.slice(head, start).replace(/\s*\n\s*/g, ' ')
  let attributes = 0
  for (
    let node = element + 1;
    node < count && parents[node] === element && (stops[node] ?? 0) < start;
    node++
  )
    attributes++
  const name = /^[^\s/>]+/.exec(text.slice(head, Math.min(start, head + 200)))?.[0] ?? '<'
  const written = chosen.map((node) => {
    const quote = text[(starts[node] ?? 1) - 1] ?? '"'
    const shown = textOf(node)
    const source = text.slice(starts[node], stops[node])
    return text.slice(heads[node], starts[node]) + (shown.includes(CUT) ? shown : source) + quote
  })
  if (written.length < attributes) written.push(CUT)
  return `${[name, ...written].join(' ')}${text.slice(start - 2, start) === '/>' ? '/>' : '>'}`
}

/** With its opening tag; `shown` is what is left of a cut text. */
function leafText(
  text: string,
  head: number,
  start: number,
  stop: number,
  shown: string | undefined,
): string {
  const isElement = text[head] === '<' && head < start && text[head + 1] !== '!'
  const isComment = !isElement && head < start
  let end = stop
  // A closing tag says nothing: like its parents an element ends where another line begins.
  if (head < start && text.startsWith(']]>', stop)) end = stop + 3
  else if (isComment && text.startsWith('-->', stop + 1)) end = stop + 4
  return shown === undefined ? text.slice(head, end) : text.slice(head, start) + shown + text.slice(stop, end)
}
