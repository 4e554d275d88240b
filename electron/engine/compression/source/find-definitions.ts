import { nestDefinitions, type Definition, type FoundDefinition } from './definition.ts'
import { braceDepths } from './scan-braces.ts'

const LONGEST_SIGNATURE_LINE = 400
const MODIFIERS =
  '(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|sealed|open|override|virtual|async|suspend|inline|extern|unsafe|partial|data|case|local|pub(?:\\([\\w ]*\\))?|const|readonly|annotation|tailrec|operator|implicit|lazy|mutating|fileprivate)\\s+)*'

/** Group 1 is the name. Lines without the last sign are skipped. */
const patterns: readonly (readonly [FoundDefinition['kind'], RegExp, string])[] = [
  [
    'function',
    new RegExp(
      `^${MODIFIERS}(?:function\\*?|def|defp|defmacro|func|fn|fun|sub|proc|procedure)\\s+(?:<[^>]*>\\s*)?(?:\\([^)]*\\)\\s*)?([\\w$.:?!~-]+)`,
    ),
    ' ',
  ],
  [
    'type',
    new RegExp(
      `^${MODIFIERS}(?:class|interface|struct|enum(?:\\s+class)?|trait|impl(?:<[^>]*>)?|object|protocol|extension|module|defmodule|namespace|record|message|service|mod|type|union|actor|contract)\\s+([A-Za-z_$][\\w$.]*(?:::[\\w$]+)*)`,
    ),
    ' ',
  ],
  [
    'function',
    new RegExp(
      `^${MODIFIERS}(?:const|let|var|val)\\s+([\\w$]+)\\s*(?::[^=]{1,80})?=\\s*(?:async\\s*)?(?:function\\b|\\([^()]*\\)\\s*(?::[^=]{1,60})?=>|[\\w$]+\\s*=>)`,
    ),
    '=',
  ],
  ['function', /^([\w$.]+)\s*(?:<-|=|:)\s*(?:async\s+)?function\b/, 'function'],
  [
    'type',
    /^CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+|UNIQUE\s+|MATERIALIZED\s+)*(?:TABLE|VIEW|FUNCTION|PROCEDURE|INDEX|TRIGGER|TYPE)\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w."`[\]]+)/i,
    ' ',
  ],
  ['type', /^(?:resource|data|module|variable|output|provider)\s+"([\w-]+"(?:\s+"[\w-]+)?)"\s*\{/, '"'],
  ['function', /^([\w-]+)\s*\(\)\s*\{/, '()'],
  [
    'function',
    /^(?:[\w:<>,[\]*&?.~]+\s+[*&]*){1,6}([A-Za-z_~][\w:~]*)\s*\([^;{}]*\)?(?:[^;=]*\{?|[^;={}]*\{.*\})\s*$/,
    '(',
  ],
  ['type', /^([.#@]?[\w-][^{};=()]{0,80}?)\s*\{$/, '{'],
]
const NOT_A_DEFINITION =
  /^(?:if|else|for|foreach|while|switch|return|catch|do|case|new|throw|delete|sizeof|using|import|assert|print|echo|elif|elsif|unless|try|finally|with|match|when|loop|await|yield|raise|go|defer|select|goto|typeof|in|not|and|or)\b/
/** "* Copyright (c) …" resembles a function. */
const COMMENT = /^(?:\*(?:\s|$|\/)|\/[/*]|--\s)/
const CLOSER = /^(?:[})\]]+[;,)]*|end\b[,)]*|fi|done|esac|\*\/)/

/** Definitions from keywords, indentation and braces, in any language. */
export function findDefinitions(text: string): Definition[] {
  const starts = lineStartsOf(text)
  const depths = braceDepths(text, starts)
  const usesBraces = countBracedLines(text, starts) > starts.length * 0.03
  const isOpen = usesBraces && depths[starts.length] !== 0
  return outline(text, starts, depths, usesBraces, isOpen)
}

/** `isOpen`: a brace is never closed; then a definition at or left of the previous function's indentation ends that function. */
function outline(
  text: string,
  starts: readonly number[],
  depths: Int32Array,
  usesBraces: boolean,
  isOpen: boolean,
): Definition[] {
  const found: FoundDefinition[] = []
  const open: {
    name: string
    kind: FoundDefinition['kind']
    line: number
    indent: number
    depth: number
    opened: boolean
  }[] = []

  const close = (until: number): void => {
    const definition = open.pop()
    if (!definition) return
    const start = starts[definition.line] ?? 0
    const firstLineEnd = endOfLine(text, start)
    const end = Math.max(firstLineEnd, until)
    const brace = usesBraces ? text.slice(start, end).indexOf('{') : -1
    found.push({
      name: definition.name,
      kind: definition.kind,
      start: startWithComment(text, start),
      signature: start,
      bodyStart: brace >= 0 ? start + brace : Math.min(firstLineEnd, end),
      end,
    })
  }

  let lastCode = 0
  // Unclosed braces.
  let lost = 0
  for (let line = 0; line < starts.length; line++) {
    const start = starts[line] ?? 0
    const end = lineEnd(text, starts, line)
    let indent = 0
    for (let code = text.charCodeAt(start); (code === 32 || code === 9) && start + indent < end;)
      code = text.charCodeAt(start + ++indent)
    if (start + indent >= end) continue
    const content = text.slice(start + indent, Math.min(end, start + indent + LONGEST_SIGNATURE_LINE))
    const definition = definitionIn(content)
    const first =
      isOpen && definition
        ? open.findIndex((other) => other.kind === 'function' && indent <= other.indent && other.opened)
        : -1
    if (first >= 0) {
      lost += (depths[line] ?? 0) - lost - (open[first]?.depth ?? 0)
      while (open.length > first) close(lastCode)
    }
    const depth = (depths[line] ?? 0) - lost
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (depth > top.depth) top.opened = true
      const isOver =
        usesBraces && (top.opened || content.startsWith('{'))
          ? depth <= top.depth && top.opened
          : indent <= top.indent && !content.startsWith('{')
      if (!isOver) break
      // "end" and similar belong to the block they close.
      close(!usesBraces && indent === top.indent && CLOSER.test(content) ? end : lastCode)
    }
    if (definition) {
      open.push({ ...definition, line, indent, depth, opened: false })
    }
    lastCode = end
  }
  while (open.length > 0) close(lastCode)
  return nestDefinitions(found)
}

function definitionIn(content: string): Pick<FoundDefinition, 'name' | 'kind'> | undefined {
  if (COMMENT.test(content) || NOT_A_DEFINITION.test(content)) return undefined
  for (const [kind, pattern, sign] of patterns) {
    if (!content.includes(sign)) continue
    const name = pattern.exec(content)?.[1]
    if (name) return { name: name.replace(/^self\.|[:.-]+$/g, '').replaceAll('"', ''), kind }
  }
  return undefined
}

function countBracedLines(text: string, starts: readonly number[]): number {
  let count = 0
  for (let line = 0; line < starts.length; line++)
    if (text.charCodeAt(lineEnd(text, starts, line) - 1) === OPEN_BRACE) count++
  return count
}

const OPEN_BRACE = 123

/** endOfLine without a search. */
function lineEnd(text: string, starts: readonly number[], line: number): number {
  const start = starts[line] ?? 0
  const next = starts[line + 1]
  if (next === undefined) return endOfLine(text, start)
  const end = next - 1
  return end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end
}

function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0 && i + 1 < text.length; i = text.indexOf('\n', i + 1))
    starts.push(i + 1)
  return starts
}

function endOfLine(text: string, start: number): number {
  const found = text.indexOf('\n', start)
  const end = found < 0 ? text.length : found
  return end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end
}

/** Start of the line of `offset`, moved up over adjacent decorators, attributes and comment lines. `#` is a comment unless a C directive. */
function startWithComment(text: string, offset: number): number {
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
