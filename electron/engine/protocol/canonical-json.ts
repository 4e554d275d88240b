/** Real definitions are shallower, and recursion through deeper ones overflows the stack. */
const DEEPEST = 2_000

/** RFC 8785. Throws for non-finite numbers, lone surrogates, cycles, nesting beyond `DEEPEST`. Linear at any depth. */
export function canonicalJson(value: unknown): string | undefined {
  const parts: string[] = []
  return write(value, parts, 0) ? parts.join('') : undefined
}

function write(value: unknown, parts: string[], depth: number): boolean {
  if (typeof value !== 'object' || value === null) return writePlain(value, parts)
  if (depth >= DEEPEST) throw new Error(`it is nested too deeply, in more than ${DEEPEST} levels`)
  if (hasOwnForm(value)) return write(value.toJSON(), parts, depth + 1)
  if (Array.isArray(value)) {
    parts.push('[')
    for (let index = 0; index < value.length; index++) {
      if (index > 0) parts.push(',')
      if (!write(value[index], parts, depth + 1)) parts.push('null')
    }
    parts.push(']')
    return true
  }
  let separator = '{'
  const fields = value as Readonly<Record<string, unknown>>
  for (const key of Object.keys(fields).sort()) {
    if (!hasText(fields[key])) continue
    parts.push(separator)
    writePlain(key, parts)
    parts.push(':')
    write(fields[key], parts, depth + 1)
    separator = ','
  }
  parts.push(separator === '{' ? '{}' : '}')
  return true
}

function writePlain(value: unknown, parts: string[]): boolean {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} is not allowed`)
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('Lone surrogate is not allowed')
  if (!hasText(value)) return false
  parts.push(JSON.stringify(value))
  return true
}

const hasText = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'symbol' && typeof value !== 'function'

const hasOwnForm = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function'

/** Why a value exceeds `most` characters (texts and keys) or `DEEPEST` levels. Stops there. */
export function tooLargeOrDeep(value: unknown, most: number): string | undefined {
  const waiting: unknown[] = [value]
  const depths = [0]
  let size = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    const depth = depths.pop() ?? 0
    size += typeof next === 'string' ? next.length + 2 : 1
    if (typeof next === 'object' && next !== null) {
      if (depth >= DEEPEST) return `it is nested too deeply, in more than ${DEEPEST} levels`
      const isList = Array.isArray(next)
      for (const key in next) {
        if (!isList) size += key.length + 3
        waiting.push((next as Readonly<Record<string, unknown>>)[key])
        depths.push(depth + 1)
        if (waiting.length + size > most) break
      }
    }
    if (waiting.length + size > most)
      return `its definition has more than ${most / 1_000_000} million characters, more than anybody would read`
  }
  return undefined
}
