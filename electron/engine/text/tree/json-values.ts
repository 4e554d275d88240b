import { endOf, isContainer, keyOf, kindOf, NODE, sourceOf, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'

/** JSON.stringify restores sources that JavaScript would write differently (1.0, 1e5, 20 digits). */
interface RawNumber {
  readonly rawJSON: string
}

/** JSON.parse source text access: in Node 24, not yet in TypeScript's library. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON: (this: void, source: string) => RawNumber
  isRawJSON: (this: void, value: unknown) => value is RawNumber
}

type Container = unknown[] | Record<string, unknown>

/** Numbers keep their source text. Iterative. */
export function buildValue(document: JsonDocument): unknown {
  const open: { readonly container: Container; readonly end: number }[] = []
  let root: unknown
  for (let node = document.root; node < document.count; node++) {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= node) open.pop()
    const value = shallowValue(document, node)
    const parent = open.at(-1)?.container
    if (parent === undefined) root = value
    else add(parent, document.keyNames[keyOf(document, node)] ?? '', value)
    if (isContainer(document, node)) open.push({ container: value as Container, end: endOf(document, node) })
  }
  return root
}

function shallowValue(document: JsonDocument, node: number): unknown {
  switch (kindOf(document, node)) {
    case NODE.object:
      return {}
    case NODE.array:
      return []
    case NODE.string:
      return valueOf(document, node)
    case NODE.number:
      return exactNumber(sourceOf(document, node))
    case NODE.true:
      return true
    case NODE.false:
      return false
    default:
      return null
  }
}

export function exactNumber(source: string): number | RawNumber {
  const number = Number(source)
  return String(number) === source ? number : rawJSON(source)
}

function add(parent: Container, key: string, value: unknown): void {
  if (Array.isArray(parent)) parent.push(value)
  else addMember(parent, key, value)
}

/** Of any name, `__proto__` too. */
export function addMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

export function numberSourceOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return isRawJSON(value) ? value.rawJSON : undefined
}

export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isRawJSON(value) ? Number(value.rawJSON) : undefined
}

/** Excludes arrays and numbers with source. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value)
