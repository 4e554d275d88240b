import { parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Node, ParseError } from 'jsonc-parser'
import { formatPath } from './settings-problem.ts'
import type { SettingsPath, SettingsProblem } from './settings-problem.ts'

/** Of Windows editors; not valid JSON. */
const BYTE_ORDER_MARK = '\uFEFF'

/** JSONC (comments, trailing commas), with positions. */
export interface ConfigText {
  readonly root: Node | undefined
  /** Syntax errors and duplicate keys. */
  readonly problems: readonly SettingsProblem[]
  /** Of the value (with `atKey` the key) at `path`, or of the nearest enclosing value. */
  place(path: SettingsPath, atKey?: boolean): { line: number; column: number }
}

export function readConfigText(source: string): ConfigText {
  // Blanked rather than cut off, to keep offsets.
  const text = source.startsWith(BYTE_ORDER_MARK) ? ` ${source.slice(1)}` : source
  const lineStarts = findLineStarts(text)
  const placeOf = (offset: number) => {
    const line = lineStarts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 }
  }

  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const [first] = errors
  const problems: SettingsProblem[] = []
  if (first) {
    // Later syntax errors are mostly consequences of the first.
    const found = text.slice(first.offset, first.offset + first.length)
    problems.push({
      ...placeOf(first.offset),
      path: '',
      message: syntaxMessage(first, found),
      serverId: undefined,
    })
  } else if (root) {
    for (const { path, offset, firstOffset } of suspectKeys(root, [])) {
      const message =
        firstOffset === undefined
          ? '"__proto__" cannot be used as a key.'
          : `"${path.at(-1)}" is here twice (first in line ${placeOf(firstOffset).line}). Keep one.`
      problems.push({ ...placeOf(offset), path: formatPath(path), message, serverId: serverOf(path) })
    }
  }

  return {
    root,
    problems,
    place: (path, atKey = false) => {
      const node = root && nodeAt(root, path)
      if (!node) return { line: 1, column: 1 }
      const property = node.parent?.type === 'property' ? node.parent : undefined
      return placeOf(atKey && property ? property.offset : node.offset)
    },
  }
}

/** In `servers` or `mcpServers`. */
export const serverOf = (path: SettingsPath): string | undefined =>
  (path[0] === 'servers' || path[0] === 'mcpServers') && typeof path[1] === 'string' ? path[1] : undefined

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length)
  return starts
}

function nodeAt(root: Node, path: SettingsPath): Node {
  let node = root
  for (const part of path) {
    const next =
      typeof part === 'number'
        ? node.children?.[part]
        : node.children?.find((property) => property.children?.[0]?.value === part)?.children?.[1]
    if (!next) return node
    node = next
  }
  return node
}

interface SuspectKey {
  path: SettingsPath
  offset: number
  /** Undefined for a key that would set a prototype. */
  firstOffset: number | undefined
}

function* suspectKeys(node: Node, path: SettingsPath): Generator<SuspectKey> {
  if (node.type === 'array') {
    for (const [index, child] of (node.children ?? []).entries()) yield* suspectKeys(child, [...path, index])
  }
  if (node.type !== 'object') return
  const seen = new Map<string, number>()
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? []
    if (!key) continue
    const name = String(key.value)
    const firstOffset = seen.get(name)
    if (firstOffset === undefined) seen.set(name, key.offset)
    if (firstOffset !== undefined || name === '__proto__') {
      yield { path: [...path, name], offset: key.offset, firstOffset }
    }
    if (value) yield* suspectKeys(value, [...path, name])
  }
}

const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: "this isn't a JSON value",
  InvalidNumberFormat: "this isn't a JSON number",
  PropertyNameExpected: 'a key in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is missing after the key',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'the file should end here: this is too much',
  InvalidCommentToken: "this isn't a JSON comment (use // or /* */)",
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed on its line',
  UnexpectedEndOfNumber: 'a number breaks off',
  InvalidUnicode: 'after \\u four hexadecimal digits are expected',
  InvalidEscapeCharacter: 'this escape is unknown; a backslash itself is written \\\\',
  InvalidCharacter: 'a control character must be escaped',
}

function syntaxMessage(error: ParseError, found: string): string {
  const what = SYNTAX_MESSAGES[printParseErrorCode(error.error)] ?? 'this is not valid JSON'
  const shown = found.trim().slice(0, 30)
  return `Not valid JSON: ${what}${shown === '' ? '' : ` (found ${shown})`}.`
}
