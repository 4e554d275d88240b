import { SluiceError } from '../ground/errors.ts'
import { fromPairs } from './formats/edit-value.ts'
import { IMAGES, nameOfAddress, nameOfLaunch, programsOf, RUNS_ANOTHER } from './name-of-launch.ts'
import { shellWords } from './shell-words.ts'

type Entry = Readonly<Record<string, unknown>>

/** Programs that start a server, as READMEs write them. */
const STARTERS =
  /^(?:pip3?|npx|uvx|pipx|bunx|node|bun|deno|pnpm|yarn|npm|uv|python[\d.]*|py|docker|podman|cargo|go|java|dotnet|ruby|php|sh|bash|cmd|[\w.-]*mcp[\w.-]*|\.{0,2}\/[^/*\s]\S*|[A-Za-z]:\\\S+)$/
/** `claude mcp add`, `codex mcp add`, `gemini mcp add`. */
const ADDERS = /^(?:claude|codex|gemini|qwen|droid|amp)$/
const VARIABLE = /^([A-Za-z_]\w*)=([^]*)$/
const ADDRESS = /^https?:\/\/\S+$/i

/**
 * Servers of a command line or an address: `npx -y a-package`, `docker run …`, `KEY=x uvx …`, `claude mcp add …`,
 * `code --add-mcp '{…}'`, `https://…/mcp`. Undefined if the text is none of these. Throws BAD_INPUT if a part is missing.
 */
export function parsePastedCommand(text: string): Entry | undefined {
  const line = text.trim().replace(/^(?:[$>%]|PS>)\s+/, '')
  if (ADDRESS.test(line)) return fromPairs([[nameOfAddress(line), { url: line }]])
  const [first = ''] = line.split(/\s/, 1)
  if (
    !VARIABLE.test(first) &&
    !STARTERS.test(first) &&
    !ADDERS.test(first) &&
    !/^code(?:-insiders)?$/.test(first)
  )
    return undefined
  // A setting of a configuration file: `command = "npx"`.
  if (/^[\w.-]+\s*(?:=\s|:\s)/.test(line)) return undefined
  return serversOf(shellWords(line))
}

function serversOf(words: readonly string[]): Entry | undefined {
  const [program = '', ...rest] = words
  if (/^code(?:-insiders)?$/.test(program)) return addedByCode(rest)
  if (ADDERS.test(program) && rest[0] === 'mcp') {
    if (rest[1] === 'add') return addedByApp(rest.slice(2))
    if (rest[1] === 'add-json') return named(rest[2], asJson(rest[3]))
    throw new SluiceError(
      'BAD_INPUT',
      `"${program} mcp ${rest[1] ?? ''}" adds no server; "${program} mcp add …" does.`,
    )
  }
  const env: [string, unknown][] = []
  let start = 0
  for (; start < words.length; start++) {
    const [, name, value] = VARIABLE.exec(words[start] ?? '') ?? []
    if (name === undefined) break
    env.push([name, value ?? ''])
  }
  const launch = words.slice(start)
  if (launch.length === 0) return undefined
  if (
    /^(?:npm|pnpm|yarn|pip3?|pipx|uv)$/.test(launch[0] ?? '') &&
    /^(?:install|i|add|sync)$/.test(launch[1] ?? '')
  )
    throw new SluiceError(
      'BAD_INPUT',
      `"${launch.slice(0, 2).join(' ')}" installs a package and starts no server. Paste the command that starts it.`,
    )
  refuseWithoutServer(launch)
  return named(nameOfLaunch(launch), { ...launched(launch), ...(env.length > 0 && { env: fromPairs(env) }) })
}

function addedByCode(words: readonly string[]): Entry {
  const json = words[words.indexOf('--add-mcp') + 1]
  const entry = asJson(words.includes('--add-mcp') ? json : undefined)
  return named(typeof entry['name'] === 'string' ? entry['name'] : 'server', entry)
}

/** Flags of an app's `mcp add` that have a value. */
const WITH_VALUE =
  /^(?:-t|--transport|-s|--scope|-e|--env|-H|--header|--timeout|--description|--url|--include-tools|--exclude-tools|--bearer-token-env-var|--client-id|--callback-port)$/

function addedByApp(words: readonly string[]): Entry {
  const env: [string, unknown][] = []
  const headers: [string, unknown][] = []
  const plain: string[] = []
  let transport: string | undefined
  let url: string | undefined
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') {
      plain.push(...words.slice(at + 1))
      break
    }
    // `claude mcp add NAME -e A=1 B=2 -- …`
    if (VARIABLE.test(word) && env.length > 0 && plain.length === 1) {
      env.push(pairOf(word, VARIABLE, 'NAME=value'))
      continue
    }
    // The server's own flags begin after its command; an address has none.
    if (!word.startsWith('-') || (plain.length > 1 && !ADDRESS.test(plain[1] ?? ''))) {
      plain.push(word)
      continue
    }
    const [flag = '', joined] = word.startsWith('--') ? word.split(/=([^]*)/, 2) : [word]
    if (!WITH_VALUE.test(flag)) continue
    const value = joined ?? words[++at] ?? ''
    if (flag === '-t' || flag === '--transport') transport = value
    else if (flag === '--url') url = value
    else if (flag === '-e' || flag === '--env')
      env.push(pairOf(value, /^([A-Za-z_]\w*)=([^]*)$/, 'NAME=value'))
    else if (flag === '-H' || flag === '--header')
      headers.push(pairOf(value, /^([^:\s]+):\s*([^]*)$/, 'Name: value'))
  }
  const [name, ...launch] = plain
  if (name === undefined) return named(undefined, {})
  const address = url ?? (ADDRESS.test(launch[0] ?? '') ? launch[0] : undefined)
  if (address !== undefined)
    return named(name, {
      url: address,
      ...(transport === 'sse' && { type: 'sse' }),
      ...(headers.length > 0 && { headers: fromPairs(headers) }),
    })
  if (launch.length === 0)
    throw new SluiceError(
      'BAD_INPUT',
      `This command names no program and no address for the server "${name}".`,
    )
  refuseWithoutServer(launch)
  return named(name, { ...launched(launch), ...(env.length > 0 && { env: fromPairs(env) }) })
}

function pairOf(text: string, form: RegExp, wanted: string): [string, string] {
  const [, name, value] = form.exec(text) ?? []
  if (name === undefined)
    throw new SluiceError('BAD_INPUT', `"${text.slice(0, 60)}" isn't of the form ${wanted}.`)
  return [name, value ?? '']
}

const launched = ([command, ...args]: readonly string[]): Entry => ({ command, args })

function named(name: string | undefined, entry: Entry): Entry {
  if (name === undefined || name === '')
    throw new SluiceError(
      'BAD_INPUT',
      'This command names no server: the name comes first, as in "mcp add NAME …".',
    )
  return fromPairs([[name, entry]])
}

function asJson(text: string | undefined): Entry {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Entry
  } catch {
    // As below.
  }
  throw new SluiceError(
    'BAD_INPUT',
    'The JSON of this command can\'t be read. It looks like \'{"command": "npx", "args": []}\'.',
  )
}

/** Without a package or script: the folder's own. */
const OF_FOLDER = /^(?:(?:cargo|dotnet) run|(?:npm|pnpm|yarn|bun) (?:run )?start)(?: |$)/

function refuseWithoutServer(launch: readonly string[]): void {
  const [program = ''] = launch
  const line = launch.join(' ')
  if (!RUNS_ANOTHER.test(program) || programsOf(launch).length > 0 || OF_FOLDER.test(line)) return
  const missing = IMAGES.test(program) ? 'image' : 'package or script'
  throw new SluiceError('BAD_INPUT', `"${line}" names no server: its ${missing} is missing.`)
}
