import { estimateTokens } from '../../text/tokens/estimate-tokens.ts'
import { childrenOf, isContainer, keyOf, kindOf, NODE, valueOf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { describeForm, type Notation } from './legend.ts'
import { planShapes } from './plan-shapes.ts'
import type { NamedShape, Place, ShapePlan } from './plan-shapes.ts'
import { findPrefixes, longestPrefix } from './prefixes.ts'
import { findRepeated } from './repeated-values.ts'
import { canonicalText, depthOf, findValueIds } from './value-ids.ts'
import type { ValueIds } from './value-ids.ts'
import { writtenCells } from './written-cells.ts'

/** Deeper documents stay unchanged, because encoding and decoding are recursive. */
const DEEPEST = 200

/**
 * Names repeated structure once: objects as rows of shapes, repeated values and prefixes as references.
 * `decodeLossless` restores every value, key order and digit. The first member explains the form. Undefined for
 * documents too deep; the caller checks the length.
 */
export function encodeLossless(document: JsonDocument, options: LosslessOptions = {}): string | undefined {
  return depthOf(document) > DEEPEST ? undefined : new Encoder(document, options).encode()
}

export interface LosslessOptions {
  /** Rows and constants only, without references. */
  readonly verbatim?: boolean
}

class Encoder {
  readonly #document: JsonDocument
  readonly #ids: ValueIds
  readonly #plan: ShapePlan
  readonly #verbatim: boolean
  readonly #used = new Set<Notation>()
  /** Value id → its number in "values". */
  readonly #definitions = new Map<number, number>()
  readonly #prefixNumbers = new Map<string, number>()
  #prefixes: ReadonlySet<string> = new Set()

  constructor(document: JsonDocument, { verbatim = false }: LosslessOptions) {
    this.#document = document
    this.#ids = findValueIds(document)
    this.#plan = planShapes(document, this.#ids)
    this.#verbatim = verbatim
  }

  encode(): string {
    const document = this.#document
    const values = this.#verbatim ? [] : this.#writeValues()
    const isSequence = document.root === 0
    const data = isSequence
      ? `[${childrenOf(document, 0)
          .map((child) => this.#write(child))
          .join(',')}]`
      : this.#write(document.root)
    const shapes = this.#plan.shapes.map((shape) => `"${shape.name}":${this.#writeShape(shape)}`)
    const members = [
      `"form":${JSON.stringify(describeForm(this.#used))}`,
      ...(shapes.length > 0 ? [`"shapes":{${shapes.join(',')}}`] : []),
      ...(values.length > 0
        ? [`"values":{${values.map((value, number) => `"${number + 1}":${value}`).join(',')}}`]
        : []),
      `"${isSequence ? 'lines' : 'data'}":${data}`,
    ]
    return `{${members.join(',')}}`
  }

  #writeValues(): string[] {
    const { defined, texts } = findRepeated(this.#document, this.#ids, this.#plan)
    const prefixes = findPrefixes(texts, (text) => estimateTokens(text))
    const wholes = new Map<string, number>()
    defined.forEach((id, index) => {
      const number = index + 1
      this.#definitions.set(id, number)
      const node = this.#ids.samples[id] ?? 0
      if (kindOf(this.#document, node) === NODE.string) wholes.set(valueOf(this.#document, node), number)
    })
    const added = prefixes.filter((prefix) => !wholes.has(prefix))
    for (const prefix of prefixes)
      this.#prefixNumbers.set(prefix, wholes.get(prefix) ?? defined.length + added.indexOf(prefix) + 1)
    this.#prefixes = new Set(prefixes)
    return [
      ...defined.map((id) => this.#writeContent(this.#ids.samples[id] ?? 0, undefined)),
      ...added.map((prefix) => this.#writeText(prefix)),
    ]
  }

  #write(node: number, place?: Place): string {
    const number = this.#definitions.get(this.#ids.ids[node] ?? -1)
    if (number === undefined) return this.#writeContent(node, place)
    this.#used.add('references')
    return `"+${number}"`
  }

  #writeContent(node: number, place: Place | undefined): string {
    const document = this.#document
    const kind = kindOf(document, node)
    if (kind === NODE.string) return this.#writeText(valueOf(document, node))
    if (!isContainer(document, node)) return canonicalText(document, node)
    return kind === NODE.object ? this.#writeObject(node, place) : this.#writeList(node, place)
  }

  #writeObject(node: number, place: Place | undefined): string {
    const document = this.#document
    const shape = this.#plan.shapeOf.get(node)
    if (!shape) {
      const members = childrenOf(document, node).map(
        (child) => `${document.keyTexts[keyOf(document, child)] ?? '""'}:${this.#write(child)}`,
      )
      return `{${members.join(',')}}`
    }
    this.#used.add('rows')
    const cells = writtenCells(document, shape, node).map(({ column, cell }) => {
      if (cell >= 0) return this.#write(cell, shape.types[column])
      this.#used.add('missing')
      return '"+"'
    })
    const isExpected = place !== undefined && !place.isList && place.shape === shape
    return `[${(isExpected ? cells : [`"+${shape.name}"`, ...cells]).join(',')}]`
  }

  #writeList(node: number, place: Place | undefined): string {
    const elements = childrenOf(this.#document, node)
    const inPlace = (shape: NamedShape): string[] =>
      elements.map((element) => this.#write(element, { shape, isList: false }))
    if (place?.isList) return `[${inPlace(place.shape).join(',')}]`
    if (place) {
      this.#used.add('plainLists')
      return `[${['"+[]"', ...elements.map((element) => this.#write(element))].join(',')}]`
    }
    const shape = this.#commonShape(elements)
    if (!shape) return `[${elements.map((element) => this.#write(element)).join(',')}]`
    this.#used.add('lists')
    return `[${[`"+${shape.name}[]"`, ...inPlace(shape)].join(',')}]`
  }

  /** The shape of most elements, when naming it once is shorter than per element. */
  #commonShape(elements: readonly number[]): NamedShape | undefined {
    const counts = new Map<NamedShape, number>()
    for (const element of elements) {
      const shape = this.#definitions.has(this.#ids.ids[element] ?? -1)
        ? undefined
        : this.#plan.shapeOf.get(element)
      if (shape) counts.set(shape, (counts.get(shape) ?? 0) + 1)
    }
    const [best] = [...counts].sort((a, b) => b[1] - a[1])
    return best && best[1] > 1 ? best[0] : undefined
  }

  #writeShape(shape: NamedShape): string {
    const groups: { isPlain: boolean; texts: string[] }[] = []
    shape.keys.forEach((key, column) => {
      const spec = this.#writeColumn(shape, column)
      const text = this.#document.keyTexts[key] ?? '""'
      const isPlain = spec === undefined
      if (groups.at(-1)?.isPlain !== isPlain) groups.push({ isPlain, texts: [] })
      groups.at(-1)?.texts.push(isPlain ? text : `${text}:${spec}`)
    })
    return `[${groups.map(({ isPlain, texts }) => (isPlain ? texts.join(',') : `{${texts.join(',')}}`)).join(',')}]`
  }

  /** Notation of a column; undefined for plain ones. */
  #writeColumn(shape: NamedShape, column: number): string | undefined {
    const constant = shape.constants[column] ?? -1
    if (constant >= 0) {
      this.#used.add('constants')
      return this.#write(constant)
    }
    const type = shape.types[column]
    if (!type) return undefined
    this.#used.add('typedColumns')
    return `"+${type.shape.name}${type.isList ? '[]' : ''}"`
  }

  #writeText(text: string): string {
    const prefix = longestPrefix(text, this.#prefixes, text.length - 1)
    const number = prefix === undefined ? undefined : this.#prefixNumbers.get(prefix)
    if (prefix !== undefined && number !== undefined) {
      this.#used.add('references')
      return JSON.stringify(`+${number}${text.slice(prefix.length)}`)
    }
    if (!text.startsWith('+')) return JSON.stringify(text)
    this.#used.add('plusSigns')
    return JSON.stringify(`+${text}`)
  }
}
