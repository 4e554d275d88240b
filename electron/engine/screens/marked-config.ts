import { createScanner, getNodeValue, parseTree, type Node } from 'jsonc-parser'
import { SECRET_MARK } from '../../../shared/api/settings.ts'
import { HIDDEN, hideInLine } from '../ground/secrets/hide-secrets.ts'
import { STARTER_CONFIG } from '../settings/starter-config.ts'
import type { SettingsPath } from '../settings/settings-problem.ts'
import { restoreText, shownText } from './secret-marks.ts'

export function markConfigText(text: string): string {
  const { strings, comments, loose } = piecesOf(text)
  return withPieces(text, [
    ...strings.map(({ offset, length, value, path, siblings }) => ({
      offset,
      length,
      text: quoteIfChanged(text.slice(offset, offset + length), value, shownText(value, path, siblings)),
    })),
    ...comments.map(({ offset, length }) => ({
      offset,
      length,
      text: hideComment(text.slice(offset, offset + length)),
    })),
    // Hides all strings where the syntax is broken.
    ...loose.map(({ offset, length }) => ({ offset, length, text: JSON.stringify(SECRET_MARK) })),
  ])
}

/** `current`: before marking. */
export function restoreConfigText(text: string, current: string): string {
  const known = getNodeValue(parseTree(current, [], { allowTrailingComma: true }) ?? NOTHING) as unknown
  const oldComments = piecesOf(current).comments.map(({ offset, length }) =>
    current.slice(offset, offset + length),
  )
  const { strings, comments } = piecesOf(text)
  return withPieces(text, [
    ...strings
      .filter(({ value }) => value.includes(SECRET_MARK))
      .map(({ offset, length, value, path, siblings }) => ({
        offset,
        length,
        text: JSON.stringify(restoreText(value, path, known, siblings)),
      })),
    ...comments.map(({ offset, length }) => {
      const comment = text.slice(offset, offset + length)
      const found = comment.includes(SECRET_MARK)
        ? oldComments.findIndex((old) => hideComment(old) === comment)
        : -1
      return { offset, length, text: found < 0 ? comment : (oldComments.splice(found, 1)[0] ?? comment) }
    }),
  ])
}

const NOTHING: Node = { type: 'null', offset: 0, length: 0 }

/** Of the examples that Sluice wrote itself: they hold no secret. */
const ownLines = new Set(STARTER_CONFIG.split('\n').map((line) => line.trim()))

/** Commented-out entries lose all string values. */
function hideComment(comment: string): string {
  return comment
    .split('\n')
    .map((line) =>
      ownLines.has(line.trim())
        ? line
        : hideInLine(line)
            .replaceAll(HIDDEN, SECRET_MARK)
            .replaceAll(/(["'][\w.-]+["']\s*:\s*)"([^"\\]|\\.)*"/g, `$1"${SECRET_MARK}"`),
    )
    .join('\n')
}

const quoteIfChanged = (source: string, value: string, shown: string): string =>
  shown === value ? source : JSON.stringify(shown)

interface Piece {
  readonly offset: number
  readonly length: number
}

interface StringPiece extends Piece {
  readonly value: string
  readonly path: SettingsPath
  readonly siblings: readonly unknown[] | undefined
}

function piecesOf(text: string): { strings: StringPiece[]; comments: Piece[]; loose: Piece[] } {
  const strings: StringPiece[] = []
  const keys = new Set<number>()
  const visit = (node: Node, path: SettingsPath, siblings?: readonly unknown[]): void => {
    const { offset, length, children = [] } = node
    if (node.type === 'string') strings.push({ offset, length, value: String(node.value), path, siblings })
    if (node.type === 'array') {
      const items = children.map((child): unknown => (child.type === 'string' ? child.value : undefined))
      children.forEach((child, index) => visit(child, [...path, index], items))
    }
    if (node.type !== 'object') return
    for (const property of children) {
      const [key, value] = property.children ?? []
      if (!key || !value) continue
      keys.add(key.offset)
      visit(value, [...path, String(key.value)])
    }
  }
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (root) visit(root, [])
  const seen = new Set([...keys, ...strings.map(({ offset }) => offset)])
  const comments: Piece[] = []
  const loose: Piece[] = []
  const scanner = createScanner(text)
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    const piece = { offset: scanner.getTokenOffset(), length: scanner.getTokenLength() }
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) comments.push(piece)
    else if ((token === STRING || token === UNKNOWN) && !seen.has(piece.offset)) loose.push(piece)
  }
  return { strings, comments, loose }
}

// jsonc-parser's SyntaxKind is a const enum, unusable in isolated modules.
const [STRING, LINE_COMMENT, BLOCK_COMMENT, UNKNOWN, END] = [10, 12, 13, 16, 17]

function withPieces(text: string, pieces: readonly (Piece & { text: string })[]): string {
  return [...pieces]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (rest, piece) => rest.slice(0, piece.offset) + piece.text + rest.slice(piece.offset + piece.length),
      text,
    )
}
