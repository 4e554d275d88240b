import { SluiceError } from '../../electron/engine/ground/errors.ts'
import {
  childrenOf,
  isContainer,
  keyOf,
  kindOf,
  NODE,
  sourceOf,
  valueOf,
} from '../../electron/engine/text/tree/json-document.ts'
import type { JsonDocument } from '../../electron/engine/text/tree/json-document.ts'
import { parseJson } from '../../electron/engine/text/tree/parse-json.ts'

interface ReadShape {
  readonly columns: readonly ReadColumn[]
}
interface ReadColumn {
  readonly key: string
  readonly place: ReadPlace | undefined
  /** Node of the value common to all rows. */
  readonly fixed: number | undefined
}
interface ReadPlace {
  readonly shape: string
  readonly isList: boolean
}

/** Undoes `encodeLossless`: the document minified, several values one per line. Throws BAD_INPUT on anything else. */
export function decodeLossless(text: string): string {
  const document = parseJson(text)
  if (document === undefined || document.root !== 1) throw damaged('it is not one JSON value')
  return new Decoder(document).decode()
}

const damaged = (why: string): SluiceError =>
  new SluiceError('BAD_INPUT', `This is not a JSON document in Sluice's lossless form: ${why}.`)

class Decoder {
  readonly #document: JsonDocument
  readonly #members: ReadonlyMap<string, number>
  readonly #values: ReadonlyMap<string, number>
  readonly #decoded = new Map<string, string>()
  readonly #shapes = new Map<string, ReadShape>()

  constructor(document: JsonDocument) {
    this.#document = document
    this.#members = this.#membersOf(document.root)
    const values = this.#members.get('values')
    this.#values = values === undefined ? new Map() : this.#membersOf(values)
    const shapes = this.#members.get('shapes')
    if (shapes !== undefined)
      for (const [name, node] of this.#membersOf(shapes)) this.#shapes.set(name, this.#readShape(node))
  }

  decode(): string {
    const lines = this.#members.get('lines')
    if (lines !== undefined)
      return childrenOf(this.#document, lines)
        .map((line) => this.#read(line))
        .join('\n')
    const data = this.#members.get('data')
    if (data === undefined) throw damaged('"data" is missing')
    return this.#read(data)
  }

  #membersOf(node: number): Map<string, number> {
    const { keyNames } = this.#document
    return new Map(
      childrenOf(this.#document, node).map((child) => [keyNames[keyOf(this.#document, child)] ?? '', child]),
    )
  }

  #readShape(node: number): ReadShape {
    const columns = childrenOf(this.#document, node).flatMap((column): ReadColumn[] => {
      if (kindOf(this.#document, column) === NODE.string)
        return [{ key: valueOf(this.#document, column), place: undefined, fixed: undefined }]
      return [...this.#membersOf(column)].map(([key, spec]) => {
        const type =
          kindOf(this.#document, spec) === NODE.string &&
          /^\+([A-Z]+)(\[\])?$/.exec(valueOf(this.#document, spec))
        return type
          ? { key, place: { shape: type[1] ?? '', isList: type[2] !== undefined }, fixed: undefined }
          : { key, place: undefined, fixed: spec }
      })
    })
    return { columns }
  }

  #shape(name: string): ReadShape {
    const shape = this.#shapes.get(name)
    if (shape === undefined) throw damaged(`there is no shape ${name}`)
    return shape
  }

  #read(node: number, place?: ReadPlace): string {
    const document = this.#document
    const kind = kindOf(document, node)
    if (kind === NODE.string) return this.#readText(valueOf(document, node))
    if (!isContainer(document, node)) return sourceOf(document, node)
    const children = childrenOf(document, node)
    if (kind === NODE.object) {
      const members = children.map(
        (child) => `${document.keyTexts[keyOf(document, child)] ?? '""'}:${this.#read(child)}`,
      )
      return `{${members.join(',')}}`
    }
    const first = children[0]
    const mark =
      first !== undefined && kindOf(document, first) === NODE.string
        ? /^\+([A-Z]*)(\[\])?$/.exec(valueOf(document, first))
        : null
    // A leading "+" is a row's first cell: that key is missing.
    if (mark && mark[0] !== '+') {
      const [, name = '', list] = mark
      if (list === undefined) return this.#readRow(this.#shape(name), children.slice(1))
      return this.#readList(children.slice(1), name === '' ? undefined : { shape: name, isList: false })
    }
    if (place === undefined) return this.#readList(children, undefined)
    if (place.isList) return this.#readList(children, { shape: place.shape, isList: false })
    return this.#readRow(this.#shape(place.shape), children)
  }

  #readList(elements: readonly number[], place: ReadPlace | undefined): string {
    return `[${elements.map((element) => this.#read(element, place)).join(',')}]`
  }

  #readRow(shape: ReadShape, cells: readonly number[]): string {
    const texts = new Map<string, string>()
    let next = 0
    for (const { key, place, fixed } of shape.columns) {
      if (fixed !== undefined) {
        texts.set(key, this.#read(fixed))
        continue
      }
      const cell = cells[next++]
      if (cell === undefined || this.#isMissing(cell)) continue
      texts.set(key, this.#read(cell, place))
    }
    if (next < cells.length) throw damaged('a row has more cells than its shape has keys')
    const members = shape.columns.flatMap(({ key }) =>
      texts.has(key) ? [`${JSON.stringify(key)}:${texts.get(key)}`] : [],
    )
    return `{${members.join(',')}}`
  }

  #isMissing(node: number): boolean {
    return kindOf(this.#document, node) === NODE.string && valueOf(this.#document, node) === '+'
  }

  #readText(text: string): string {
    if (!text.startsWith('+')) return JSON.stringify(text)
    if (text.startsWith('++')) return JSON.stringify(text.slice(1))
    const [reference = '', digits] = /^\+(\d+)/.exec(text) ?? []
    if (digits === undefined) throw damaged(`"${text}" is no reference`)
    const whole = this.#readValue(digits)
    return reference === text ? whole : JSON.stringify(plain(whole) + text.slice(reference.length))
  }

  #readValue(number: string): string {
    const known = this.#decoded.get(number)
    if (known === IN_WORK) throw damaged(`value ${number} contains itself`)
    if (known !== undefined) return known
    const node = this.#values.get(number)
    if (node === undefined) throw damaged(`there is no value ${number}`)
    this.#decoded.set(number, IN_WORK)
    const text = this.#read(node)
    this.#decoded.set(number, text)
    return text
  }
}

/** Not JSON: marks a value being read. */
const IN_WORK = ' '

/** Characters of a JSON string, or a number unchanged. */
function plain(json: string): string {
  if (!json.startsWith('"')) return json
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}
