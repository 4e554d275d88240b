import type { Node, Tree } from 'web-tree-sitter'
import { nestDefinitions, type Definition, type FoundDefinition } from './definition.ts'
import type { Grammar } from './grammars.ts'

/** Parsing takes 0.2 to 0.4 s a megabyte; longer sources are outlined by lines. Characters. */
export const LARGEST_PARSED = 64 * 1024
/** Parser steps per character before stopping; usual source needs under 0.05. */
const STEPS_PER_CHARACTER = 1
const kinds = { function: 'function', type: 'type', value: 'value' } as const

export interface SyntaxOutline {
  readonly definitions: readonly Definition[]
  /** The grammar didn't match all text. */
  readonly hasErrors: boolean
}

/** Definitions found with the grammar; undefined when parsing stopped early. */
export function outlineBySyntax(text: string, grammar: Grammar): SyntaxOutline | undefined {
  if (text.length > LARGEST_PARSED) return undefined
  let steps = 0
  const limit = 1000 + text.length * STEPS_PER_CHARACTER
  let tree: Tree | null = null
  try {
    tree = grammar.parser.parse(text, null, { progressCallback: () => ++steps > limit })
    if (!tree) {
      grammar.parser.reset()
      return undefined
    }
    const found: FoundDefinition[] = []
    for (const match of grammar.query.matches(tree.rootNode)) {
      const whole = match.captures.find((capture) => capture.name in kinds)
      if (!whole) continue
      const part = (name: string): Node | undefined =>
        match.captures.find((capture) => capture.name === name)?.node
      found.push(toDefinition(text, whole.name as keyof typeof kinds, whole.node, part('name'), part('body')))
    }
    return { definitions: nestDefinitions(found), hasErrors: tree.rootNode.hasError }
  } catch {
    // Runtime out of memory or grammar trap: the caller outlines by lines.
    return undefined
  } finally {
    tree?.delete()
  }
}

function toDefinition(
  text: string,
  kind: keyof typeof kinds,
  whole: Node,
  name: Node | undefined,
  body: Node | undefined,
): FoundDefinition {
  const end = lineEnd(text, whole.endIndex)
  const named = name ? text.slice(name.startIndex, Math.min(name.endIndex, name.startIndex + 200)) : ''
  return {
    name: plainName(named || text.slice(whole.startIndex, body?.startIndex ?? whole.startIndex + 40)),
    kind: kinds[kind],
    start: startWithComment(text, whole.startIndex),
    bodyStart: Math.min(body?.startIndex ?? end, end),
    end,
  }
}

/** `*parse(const char *s)` is `parse`. */
function plainName(text: string): string {
  const head = text.split(/[({<=]/, 1)[0] ?? ''
  const name = /[\p{L}\p{N}_$~?!:.]+\s*$/u.exec(head)?.[0]?.trim()
  return name || text.trim().replace(/\s+/g, ' ').slice(0, 60)
}

/** Line end after an offset when only closing punctuation precedes it; otherwise the offset. */
function lineEnd(text: string, offset: number): number {
  let i = offset
  while (i < text.length && ' \t;,)'.includes(text[i] ?? '')) i++
  if (text[i] === '\r') i++
  return i >= text.length || text[i] === '\n' ? Math.min(i, text.length) : offset
}

/**
 * Start of the line of `offset`, moved up over adjacent decorators, attributes and comment lines. `#` is a comment
 * unless a C directive.
 */
export function startWithComment(text: string, offset: number): number {
  let start = text.lastIndexOf('\n', offset - 1) + 1
  for (let lines = 0; start > 0 && lines < 200; lines++) {
    const above = text.lastIndexOf('\n', start - 2) + 1
    const line = text.slice(above, Math.min(start - 1, above + 200)).trim()
    if (
      !/^(?:\/\/|\/?\*|--|@|#\[|#(?!\s*(?:include|if|ifdef|ifndef|else|endif|define|undef|pragma|region|!))|\[\w+|template ?<)/.test(
        line,
      )
    )
      break
    start = above
  }
  return start
}
