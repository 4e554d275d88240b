import { sampleLines, type LogLines } from './log-lines.ts'

export interface JsonLines {
  /** A line without its time and nearly constant members. */
  trim(line: string): string
  /** As `"key":value`. */
  readonly constants: readonly string[]
}

const SAMPLE = 120
const NEARLY_ALL = 0.95
const TIME_KEYS = /^(?:@?time(?:stamp)?|ts|date|datetime|asctime)$/i
const LONGEST_CONSTANT = 120

/** Undefined when most lines aren't JSON objects. */
export function readJsonLines(lines: LogLines): JsonLines | undefined {
  const members = new Map<string, number>()
  const timeKeys = new Set<string>()
  let objects = 0
  let sampled = 0
  for (const line of sampleLines(lines.count, SAMPLE)) {
    sampled++
    if (lines.text.charCodeAt(lines.start(line)) !== 123) continue
    const value = parseObject(lines.read(line))
    if (value === undefined) continue
    objects++
    for (const [key, member] of Object.entries(value)) {
      if (TIME_KEYS.test(key)) timeKeys.add(key)
      else if (typeof member !== 'object' || member === null) {
        const text = `${JSON.stringify(key)}:${JSON.stringify(member)}`
        if (text.length <= LONGEST_CONSTANT) members.set(text, (members.get(text) ?? 0) + 1)
      }
    }
  }
  if (objects < 5 || objects < sampled * 0.6) return undefined
  const constants = [...members].filter(([, uses]) => uses >= objects * NEARLY_ALL).map(([text]) => text)
  const times = [...timeKeys].map(
    (key) => new RegExp(`${escape(JSON.stringify(key))}:\\s?(?:"[^"]*"|[\\d.]+),?\\s?`),
  )
  const trim = (line: string): string => {
    if (!line.startsWith('{')) return line
    let rest = line
    for (const text of constants) rest = without(rest, text)
    for (const time of times) rest = rest.replace(time, '')
    return rest.replace(/,\s*\}$/, '}')
  }
  return { trim, constants }
}

/** With its comma; a blank may follow the colon. */
function without(line: string, member: string): string {
  const colon = member.indexOf('":') + 2
  for (const text of [member, `${member.slice(0, colon)} ${member.slice(colon)}`]) {
    const at = line.indexOf(text)
    const next = line[at + text.length]
    if (at < 0 || (next !== ',' && next !== '}')) continue
    const end = at + text.length + (next === ',' ? 1 : 0)
    return line.slice(0, at) + line.slice(line[end] === ' ' ? end + 1 : end)
  }
  return line
}

function parseObject(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
