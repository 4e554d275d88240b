import type { ServerSettings } from '../../../../shared/settings.ts'

/** Fetch and run a package. */
export type Launcher = 'npm' | 'pnpm' | 'bun' | 'uv' | 'pipx'

export interface RequestedPackages {
  readonly launcher: Launcher
  /** As in the arguments, e.g. `@scope/server@^1` or `server==1.2`; the executed one first. */
  readonly specifiers: readonly string[]
}

interface Form {
  readonly launcher: Launcher
  readonly commands: readonly string[]
  readonly words: readonly string[]
  /** Options naming packages; with `replacing` ones the first word is a program of a package. */
  readonly replacing: readonly string[]
  readonly adding: readonly string[]
  /** Their value is the next argument. */
  readonly values: readonly string[]
}

const npm = {
  launcher: 'npm',
  replacing: ['-p', '--package'],
  adding: [],
  values: ['--cache', '--registry', '--userconfig', '--prefix', '--script-shell', '-w', '--workspace'],
} as const
const pnpm = { launcher: 'pnpm', replacing: ['--package'], adding: [], values: ['--allow-build'] } as const
const bun = { launcher: 'bun', replacing: ['-p', '--package'], adding: [], values: [] } as const
const uv = {
  launcher: 'uv',
  replacing: ['--from'],
  adding: ['--with'],
  values:
    '-p --python --index --default-index -i --index-url --extra-index-url -f --find-links --cache-dir --directory --project --config-file -c --constraints --overrides --with-requirements --with-editable --refresh-package -P --upgrade-package --env-file --prerelease --resolution --exclude-newer --link-mode --python-platform --index-strategy --keyring-provider --color'.split(
      ' ',
    ),
} as const
const pipx = {
  launcher: 'pipx',
  replacing: ['--spec'],
  adding: ['--with'],
  values: ['--python', '--pip-args', '-i', '--index-url'],
} as const

const forms: readonly Form[] = [
  { ...npm, commands: ['npx'], words: [] },
  { ...npm, commands: ['npm'], words: ['exec'] },
  { ...npm, commands: ['npm'], words: ['x'] },
  { ...pnpm, commands: ['pnpm'], words: ['dlx'] },
  { ...pnpm, commands: ['pnpx', 'pnx'], words: [] },
  { ...bun, commands: ['bunx'], words: [] },
  { ...bun, commands: ['bun'], words: ['x'] },
  { ...uv, commands: ['uvx'], words: [] },
  { ...uv, commands: ['uv'], words: ['tool', 'run'] },
  { ...pipx, commands: ['pipx'], words: ['run'] },
]

/** Undefined for standalone programs. */
export function requestedPackages({ command, args = [] }: ServerSettings): RequestedPackages | undefined {
  const program = /([^\\/]+?)(?:\.(?:cmd|exe|ps1))?$/i.exec(command ?? '')?.[1]?.toLowerCase()
  const found = forms.flatMap((form) => {
    const specifiers = form.commands.includes(program ?? '') ? specifiersIn(form, args) : []
    return specifiers.length > 0 ? [{ launcher: form.launcher, specifiers }] : []
  })
  return found[0]
}

function specifiersIn(form: Form, args: readonly string[]): string[] {
  const replacing: string[] = []
  const adding: string[] = []
  const words = [...form.words]
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1
    const option = equals < 0 ? arg : arg.slice(0, equals)
    const isNamed = form.replacing.includes(option) || form.adding.includes(option)
    if (isNamed) {
      const value = equals < 0 ? (args[++index] ?? '') : arg.slice(equals + 1)
      if (form.replacing.includes(option)) replacing.push(value)
      else adding.push(...value.split(','))
    } else if (form.values.includes(arg)) index++
    else if (arg === '--' && words.length === 0) {
      return first(replacing, args[index + 1], adding)
    } else if (!arg.startsWith('-')) {
      const expected = words.shift()
      if (expected === undefined) return first(replacing, arg, adding)
      if (expected !== arg) return []
    }
  }
  return words.length === 0 ? first(replacing, undefined, adding) : []
}

const first = (replacing: readonly string[], word: string | undefined, adding: readonly string[]): string[] =>
  [...(replacing.length > 0 ? replacing : [word ?? '']), ...adding].filter((each) => each !== '')
