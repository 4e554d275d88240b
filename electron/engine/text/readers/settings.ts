import { NODE } from '../tree/json-document.ts'
import { Comments } from './comments.ts'
import { printLines } from './print-lines.ts'
import type { FormatHint, Reader, Reading } from './reading.ts'
import { edgeOfKey, isRest, labelStart, partsOf } from './settings/keys.ts'
import { isCommentedSetting, lookAtSettings, type SettingsStyle } from './settings/style.ts'
import { isBlank, isSpace, markAfterBlank, sourceLines, trimEnd, trimStart } from './source-lines.ts'
import type { SourceLines } from './source-lines.ts'
import { areFieldsNamed } from './table/commented-header.ts'
import { kindOfPlain, TreeBuilder } from './tree-builder.ts'
import { FlowReader } from './yaml/flow.ts'
import { quotedStop, setQuoted } from './yaml/quoted.ts'

/** Least share of characters outside comments that are settings. */
const MOSTLY = 0.8

/** INI, TOML, .env, properties, directives (`key value`), blocks in braces or tags. */
export const settingsReader: Reader = {
  format: 'settings',
  read(text, hint?: FormatHint): Reading | undefined {
    const lines = sourceLines(text)
    const style = lookAtSettings(lines, hint)
    if (style?.separator === ' ' && areFieldsNamed(lines)) return undefined
    return style && new SettingsReader(lines, style).read()
  },
}

interface Open {
  readonly name: string
  readonly kind: 'table' | 'list' | 'block'
}

class SettingsReader {
  readonly #lines: SourceLines
  readonly #text: string
  readonly #style: SettingsStyle
  readonly #tree: TreeBuilder
  readonly #comments: Comments
  readonly #flows: FlowReader
  readonly #open: Open[] = []
  readonly #commentedOut = new Set<number>()
  #line = 0
  #explained = 0
  #neutral = 0
  #settings = 0

  constructor(lines: SourceLines, style: SettingsStyle) {
    this.#lines = lines
    this.#text = lines.text
    this.#style = style
    this.#tree = new TreeBuilder(lines.text)
    this.#comments = new Comments(lines, this.#tree)
    this.#flows = new FlowReader(this.#tree, { colon: style.separator === '=' ? '=' : ':' })
  }

  read(): Reading | undefined {
    const { count, size } = this.#lines
    this.#tree.begin(NODE.object, -1, 0)
    for (this.#line = 0; this.#line < count; this.#line++)
      if (!isBlank(this.#lines, this.#line)) this.#readLine()
    this.#comments.place(this.#line)
    const explained = Math.min(1, this.#explained / Math.max(1, size - this.#neutral))
    if (explained < MOSTLY || this.#settings < 2) return undefined
    const document = this.#tree.finish()
    const { heads, flows } = this.#tree
    return {
      format: this.#style.isToml ? 'toml' : 'settings',
      document,
      explained,
      comments: this.#comments.byNode,
      commentedOut: this.#commentedOut,
      print: (chosen, textOf) => printLines({ document, heads, flows }, chosen, textOf),
    }
  }

  #readLine(): void {
    const text = this.#text
    const stop = this.#lines.stops[this.#line] ?? 0
    const start = trimStart(text, this.#lines.starts[this.#line] ?? 0, stop)
    if (this.#readCommented(start, stop)) return
    if (this.#isComment(start, stop)) {
      this.#neutral += stop - start
      this.#comments.add(this.#line)
      return
    }
    const explained =
      this.#readSection(start, stop) ||
      (this.#style.hasBlocks && this.#readBlockEdge(start, stop)) ||
      this.#readSetting(start, stop)
    if (explained) this.#explained += stop - start
    else {
      this.#comments.place(this.#line)
      this.#tree.leaf(NODE.text, this.#tree.keyId(''), start, stop)
    }
  }

  /** A setting that isn't in force, with the sign of a comment before it. */
  #readCommented(start: number, stop: number): boolean {
    const { isCommented, separator } = this.#style
    const code = this.#text.charCodeAt(start)
    if (!isCommented || (code !== HASH && code !== SEMICOLON)) return false
    if (!isCommentedSetting(this.#text.slice(start, stop), separator)) return false
    if (!this.#readSetting(start, stop, trimStart(this.#text, start + 1, stop))) return false
    this.#commentedOut.add(this.#tree.count - 1)
    this.#explained += stop - start
    return true
  }

  #isComment(start: number, stop: number): boolean {
    const text = this.#text
    const code = text.charCodeAt(start)
    if (code === HASH || code === SEMICOLON || code === EXCLAMATION) return true
    if (text.startsWith('//', start)) return true
    if (!text.startsWith('/*', start)) return false
    const end = text.indexOf('*/', start)
    if (end < stop) return true
    while (this.#line + 1 < this.#lines.count && (this.#lines.starts[this.#line + 1] ?? 0) <= end) {
      this.#comments.add(this.#line)
      this.#line++
    }
    return true
  }

  /** `[name]`, `[a.b]` and `[[list]]` of TOML, `[remote "origin"]`. */
  #readSection(start: number, stop: number): boolean {
    const text = this.#text
    if (text.charCodeAt(start) !== OPEN_LIST) return false
    const isList = text.charCodeAt(start + 1) === OPEN_LIST
    const close = text.indexOf(isList ? ']]' : ']', start)
    if (close < 0 || close >= stop) return false
    const after = trimStart(text, close + (isList ? 2 : 1), stop)
    if (after < stop && !COMMENT_SIGNS.includes(text.charAt(after))) return false
    const name = text.slice(start + (isList ? 2 : 1), close).trim()
    if (name === '' || this.#open.some(({ kind }) => kind === 'block')) return false
    this.#openTable(this.#style.isToml ? partsOf(name) : [name], isList, start, stop)
    return true
  }

  #openTable(parts: readonly string[], isList: boolean, head: number, stop: number): void {
    let common = 0
    let depth = 0
    while (common < parts.length - 1 && this.#open[depth]?.name === parts[common]) {
      depth += this.#open[depth]?.kind === 'list' ? 2 : 1
      common++
    }
    const isSameList =
      isList && this.#open[depth]?.name === parts[common] && this.#open[depth]?.kind === 'list'
    this.#closeTo(isSameList ? depth + 1 : depth)
    if (!isSameList)
      for (const part of parts.slice(common)) {
        const ofList = isList && part === parts.at(-1)
        const isLast = part === parts.at(-1) && !isList
        // Only the last part has the line as its head.
        const at = isLast ? head : stop
        this.#begin(ofList ? 'list' : 'table', part, at, stop)
      }
    if (isList) {
      this.#comments.place(this.#line)
      this.#tree.begin(NODE.object, -1, stop, head)
      this.#open.push({ name: '', kind: 'table' })
    }
  }

  #begin(kind: Open['kind'], name: string, head: number, start: number): void {
    this.#comments.place(this.#line)
    this.#tree.begin(kind === 'list' ? NODE.array : NODE.object, this.#tree.keyId(name), start, head)
    this.#open.push({ name, kind })
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) {
      this.#open.pop()
      this.#tree.end(this.#lines.starts[this.#line] ?? this.#text.length)
    }
  }

  /** `name label {`, `<Name label>`, and their ends. Blocks of a name one after another are a list. */
  #readBlockEdge(start: number, stop: number): boolean {
    const text = this.#text
    const first = text.charCodeAt(start)
    if (first === CLOSE_BLOCK || (first === LESS && text.charCodeAt(start + 1) === SLASH)) {
      if (this.#open.at(-1)?.kind === 'list') this.#closeTo(this.#open.length - 1)
      if (this.#open.at(-1)?.kind !== 'block') return false
      this.#closeTo(this.#open.length - 1)
      return true
    }
    const isTag = first === LESS && text.charCodeAt(stop - 1) === GREATER
    if (!isTag && text.charCodeAt(stop - 1) !== OPEN_BLOCK) return false
    const from = isTag ? start + 1 : start
    const words = trimEnd(text, from, stop - 1)
    const label = labelStart(text, from, words)
    const name = text.slice(from, trimEnd(text, from, label)).replace(/\s*[=:]$/, '')
    if (name === '') return false
    const top = this.#open.at(-1)
    if (top?.kind === 'list' && top.name !== name) this.#closeTo(this.#open.length - 1)
    if (this.#open.at(-1)?.kind !== 'list') this.#begin('list', name, start, start)
    this.#comments.place(this.#line)
    this.#tree.begin(NODE.object, -1, stop, start)
    this.#open.push({ name: '', kind: 'block' })
    if (label < words) this.#tree.leaf(NODE.text, this.#tree.keyId('name'), label, words, words)
    this.#settings++
    return true
  }

  #readSetting(start: number, stop: number, from = start): boolean {
    const text = this.#text
    if (this.#open.at(-1)?.kind === 'list') this.#closeTo(this.#open.length - 1)
    const name = text.startsWith('export ', from) ? trimStart(text, from + 7, stop) : from
    const { separator } = this.#style
    let edge = edgeOfKey(text, name, stop, separator)
    if (edge < 0 && separator === '=' && this.#style.hasBlocks) edge = edgeOfKey(text, name, stop, ' ')
    if (edge < 0) return false
    const keyStop = trimEnd(text, name, edge)
    const quote = text.charCodeAt(name)
    const isQuoted = quote === QUOTE || quote === APOSTROPHE
    let value = trimStart(text, edge + 1, stop)
    if (separator === '=' && text.charCodeAt(value) === GREATER) value = trimStart(text, value + 1, stop)
    this.#comments.place(this.#line)
    const source = isQuoted ? text.slice(name + 1, keyStop - 1) : text.slice(name, keyStop)
    const parts = this.#style.isToml && !isQuoted && source.includes('.') ? partsOf(source) : [source]
    for (const part of parts.slice(0, -1)) this.#tree.begin(NODE.object, this.#tree.keyId(part), start, value)
    this.#readValue(this.#tree.keyId(parts.at(-1) ?? ''), start, value, stop)
    for (let i = 1; i < parts.length; i++) this.#tree.end(stop)
    this.#settings++
    return true
  }

  #readValue(key: number, head: number, start: number, stop: number): void {
    const text = this.#text
    const tree = this.#tree
    const code = text.charCodeAt(start)
    const triple = text.slice(start, start + 3)
    if (triple === '"""' || triple === "'''") {
      const end = text.indexOf(triple, start + 3)
      const last = end < 0 ? text.length : end
      const first = text.charCodeAt(start + 3) === 10 ? start + 4 : start + 3
      tree.leaf(NODE.text, key, Math.min(first, last), last, head)
      return this.#skipTo(start, Math.min(text.length, last + 3))
    }
    if ((code === OPEN_LIST || code === OPEN_BLOCK) && this.#style.hasCollections) {
      const end = this.#flows.read(start, key, head)
      if (end > 0) return this.#skipTo(start, end)
    }
    if (code === QUOTE || code === APOSTROPHE) {
      const end = quotedStop(text, start)
      if (end > 0 && (end <= stop || this.#style.isToml) && isRest(text, end)) {
        setQuoted(tree, tree.leaf(NODE.text, key, start + 1, end - 1, head))
        return this.#skipTo(start, end)
      }
    }
    if (text.startsWith('<<', start) && this.#readHere(key, head, start, stop)) return
    this.#readPlain(key, head, start, stop)
  }

  /** A text up to its mark, as shells and Terraform have it. */
  #readHere(key: number, head: number, start: number, stop: number): boolean {
    const mark = /^<<[-~]?["']?(\w+)/.exec(this.#text.slice(start, Math.min(stop, start + 60)))?.[1]
    if (mark === undefined) return false
    for (let line = this.#line + 1; line < this.#lines.count; line++) {
      const begin = trimStart(this.#text, this.#lines.starts[line] ?? 0, this.#lines.stops[line] ?? 0)
      if (!this.#text.startsWith(mark, begin) || begin + mark.length !== this.#lines.stops[line]) continue
      this.#tree.leaf(
        NODE.text,
        key,
        this.#lines.starts[this.#line + 1] ?? stop,
        this.#lines.stops[line - 1] ?? stop,
        head,
      )
      this.#skipTo(start, this.#lines.stops[line] ?? stop)
      return true
    }
    return false
  }

  #readPlain(key: number, head: number, start: number, stop: number): void {
    const text = this.#text
    const mark = this.#style.trailing
    const comment = mark === 0 ? -1 : markAfterBlank(text, mark, start, stop)
    let end = comment < 0 ? stop : trimEnd(text, start, comment)
    if (end > start && text.charCodeAt(end - 1) === SEMICOLON && this.#style.hasBlocks)
      end = trimEnd(text, start, end - 1)
    if (comment >= 0) this.#comments.note(this.#tree.count, text.slice(comment + 2, stop).trim())
    const first = end
    if (comment < 0) end = this.#stopOfMore(end)
    const begin = Math.min(start, end)
    const source = text.slice(begin, end)
    const node = this.#tree.leaf(end === first ? kindOfPlain(source) : NODE.text, key, begin, end, head)
    if (end > first) this.#tree.setValue(node, source.replace(/\\?\r?\n[ \t]*/g, '\n').trim())
  }

  /** The stop of the last line that a value goes on in. */
  #stopOfMore(stop: number): number {
    let end = stop
    while (this.#line + 1 < this.#lines.count && this.#goesOn(end)) {
      this.#line++
      end = this.#lines.stops[this.#line] ?? end
      this.#explained += end - trimStart(this.#text, this.#lines.starts[this.#line] ?? 0, end)
    }
    return end
  }

  /** A backslash at the end, or an indented line without a key below an INI setting. */
  #goesOn(end: number): boolean {
    const text = this.#text
    const line = this.#line + 1
    if (isBlank(this.#lines, line)) return false
    if (text.charCodeAt(end - 1) === BACKSLASH) return true
    const begin = this.#lines.starts[line] ?? 0
    const stop = this.#lines.stops[line] ?? 0
    if (this.#style.hasBlocks || this.#style.separator === ' ' || !isSpace(text.charCodeAt(begin)))
      return false
    const start = trimStart(text, begin, stop)
    const own = this.#lines.starts[this.#line] ?? 0
    if (
      isSpace(text.charCodeAt(own)) &&
      trimStart(text, own, end) - own >= start - begin &&
      this.#style.isIndented
    )
      return false
    return (
      !COMMENT_SIGNS.includes(text.charAt(start)) && edgeOfKey(text, start, stop, this.#style.separator) < 0
    )
  }

  #skipTo(start: number, end: number): void {
    const before = this.#line
    while (this.#line + 1 < this.#lines.count && (this.#lines.starts[this.#line + 1] ?? 0) < end) this.#line++
    if (this.#line > before) this.#explained += end - start
  }
}

const HASH = 0x23
const SEMICOLON = 0x3b
const EXCLAMATION = 0x21
const OPEN_LIST = 0x5b
const OPEN_BLOCK = 0x7b
const CLOSE_BLOCK = 0x7d
const LESS = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f
const QUOTE = 0x22
const APOSTROPHE = 0x27
const BACKSLASH = 0x5c
const COMMENT_SIGNS = '#;'
