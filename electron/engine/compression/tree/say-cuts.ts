import { groupDigits } from '../group-digits.ts'
import type { CutReport } from './create-shortener.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'

/** Most named lists and fields; further ones are counted. */
const MOST_NAMED = 6

/** Undefined when complete. */
export function sayCuts(leaves: JsonLeaves, { lists, fields, strings }: CutReport): string | undefined {
  const cut = [...lists].filter(([, { kept, of }]) => kept < of)
  const shown = cut
    .slice(0, MOST_NAMED)
    .map(([path, { kept, of }]) => `${groupDigits(kept)} of ${groupDigits(of)} in ${pathText(leaves, path)}`)
  const named = [...fields].slice(0, MOST_NAMED).map((path) => pathText(leaves, path))
  const parts = [
    ...shown,
    ...(cut.length > MOST_NAMED ? [`${groupDigits(cut.length - MOST_NAMED)} more lists cut`] : []),
    ...(named.length > 0 ? [`without ${named.join(', ')}`] : []),
    ...(fields.size > MOST_NAMED ? [`and ${groupDigits(fields.size - MOST_NAMED)} more fields`] : []),
    ...(strings > 0 ? [`parts of ${groupDigits(strings)} long ${strings === 1 ? 'text' : 'texts'}`] : []),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}

/** `orders[].lines`; '' for the root. */
function pathText({ pathParents, pathNames, pathKeys }: JsonLeaves, path: number): string {
  let text = ''
  for (let at = path; at > 0; at = pathParents[at] ?? 0) {
    const isElement = (pathKeys[at] ?? -1) < 0
    text = isElement ? `[]${text}` : `.${pathNames[at] ?? ''}${text}`
  }
  return text.replace(/^\./, '') || 'structuredContent'
}
