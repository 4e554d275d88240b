import { SluiceError } from '../ground/errors.ts'
import { fromPairs } from './formats/edit-value.ts'

type Entry = Readonly<Record<string, unknown>>

const CURSOR = /^cursor:\/\/\S*\/mcp\/install\?\S+$|^https:\/\/cursor\.com\/\S*install-mcp\?\S+$/i
const CODE = /^vscode(?:-insiders)?:mcp\/install\?(\S+)$/i

/** "Add to Cursor" and "Install in VS Code" carry the entry in the address. Undefined if the text isn't such a link. */
export function parseInstallLink(text: string): Entry | undefined {
  const link = text.trim()
  if (CURSOR.test(link)) {
    const query = new URL(link).searchParams
    const entry = readJson(Buffer.from(query.get('config') ?? '', 'base64').toString('utf8'))
    return fromPairs([[query.get('name') ?? 'server', withWords(entry)]])
  }
  const [, encoded] = CODE.exec(link) ?? []
  if (encoded === undefined) return undefined
  const { name, ...entry } = readJson(decode(encoded))
  return fromPairs([[typeof name === 'string' ? name : 'server', entry]])
}

/** Cursor's links have a whole command line as `command`. */
function withWords(entry: Entry): Entry {
  const { command, args } = entry
  if (typeof command !== 'string' || args !== undefined || !/\s/.test(command)) return entry
  const [program, ...rest] = command.split(/\s+/)
  return { ...entry, command: program, args: rest }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function readJson(text: string): Entry {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Entry
  } catch {
    // As below.
  }
  throw new SluiceError('BAD_INPUT', 'No server can be read from this install link. Paste its JSON instead.')
}
