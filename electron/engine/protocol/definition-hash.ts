import { hash as digest } from 'node:crypto'
import { canonicalJson, tooLargeOrDeep } from './canonical-json.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'

/** RFC 8785 with SHA-256 in hex, independent of key order. */
export interface CanonicalDefinition {
  readonly text: string
  readonly hash: string
}

/** Characters of canonical JSON. Users don't read longer ones before approving. */
const LONGEST_DEFINITION = 1_000_000

/** Throws BAD_INPUT for lone surrogates and nesting beyond `DEEPEST`. */
export function canonicalDefinition(value: unknown): CanonicalDefinition {
  try {
    const text = canonicalJson(value) ?? 'null'
    return { text, hash: sha256(text, 'hex') }
  } catch (error) {
    throw new SluiceError('BAD_INPUT', `it has no canonical form (${messageOf(error)})`, { cause: error })
  }
}

const sha256 = (text: string, form: 'hex' | 'base64'): string => digest('sha256', text, form)

export interface SettledForm {
  readonly hash: string
  readonly length: number
}

const settled = new WeakMap<object, SettledForm>()
/** By digest of the original JSON: servers list the same definitions repeatedly. */
const byText = new Map<string, SettledForm>()
const MOST_REMEMBERED = 30_000

/**
 * Computed once, because every call needs it. Freezes the value, so that approved and used ones can't differ. Throws
 * as `canonicalDefinition` does, and beyond `LONGEST_DEFINITION`.
 */
export function settledForm(definition: unknown): SettledForm {
  if (typeof definition !== 'object' || definition === null) return formOf(definition)
  const known = settled.get(definition)
  if (known !== undefined) return known
  const form = formByText(definition)
  freeze(definition)
  settled.set(definition, form)
  return form
}

export const settledHash = (definition: object): string => settledForm(definition).hash

type MarkWords = (definition: unknown) => unknown

const marked = new WeakMap<MarkWords, WeakMap<object, SettledForm>>()

export function markedForm(definition: unknown, markWords: MarkWords): SettledForm {
  const literal = settledForm(definition)
  const formOfShown = (): SettledForm => {
    const shown = markWords(definition)
    return shown === definition ? literal : formOf(shown)
  }
  if (typeof definition !== 'object' || definition === null) return formOfShown()
  const known = marked.get(markWords) ?? new WeakMap<object, SettledForm>()
  marked.set(markWords, known)
  const before = known.get(definition)
  if (before !== undefined) return before
  const form = formOfShown()
  known.set(definition, form)
  return form
}

function formOf(value: unknown): SettledForm {
  const why = tooLargeOrDeep(value, LONGEST_DEFINITION)
  if (why !== undefined) throw new SluiceError('BAD_INPUT', why)
  const { text, hash } = canonicalDefinition(value)
  if (text.length <= LONGEST_DEFINITION) return { hash, length: text.length }
  throw new SluiceError(
    'BAD_INPUT',
    `its definition has ${text.length} characters, more than anybody would read`,
  )
}

/** Equal texts have equal canonical forms. */
function formByText(definition: object): SettledForm {
  const why = tooLargeOrDeep(definition, LONGEST_DEFINITION)
  if (why !== undefined) throw new SluiceError('BAD_INPUT', why)
  const key = sha256(JSON.stringify(definition), 'base64')
  const known = byText.get(key)
  if (known !== undefined) return known
  const form = formOf(definition)
  if (byText.size >= MOST_REMEMBERED) byText.clear()
  byText.set(key, form)
  return form
}

/** Recursion is safe: a canonical form limits the depth. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}

/** With equal capabilities a server can't distinguish two clients. */
export function viewOf(capabilities: unknown): string {
  try {
    return canonicalDefinition(capabilities).hash
  } catch {
    return 'unreadable'
  }
}
