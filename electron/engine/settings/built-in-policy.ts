import type { CompressionPolicy } from '../../../shared/policy.ts'
import type { GuardPolicy } from '../../../shared/guard-policy.ts'

/** What a built-in tool reads. Tools that write have none: nothing of theirs is changed. */
export type BuiltInKind = 'shell' | 'file' | 'search' | 'paths' | 'web' | 'hand-back'

/** By the names that hooks give. */
const TOOLS: Readonly<Record<string, Readonly<Record<string, BuiltInKind>>>> = {
  'claude-code': {
    Bash: 'shell',
    PowerShell: 'shell',
    Read: 'file',
    Grep: 'search',
    Glob: 'paths',
    WebFetch: 'web',
    WebSearch: 'web',
    ReadMcpResourceTool: 'web',
    Agent: 'hand-back',
    Task: 'hand-back',
  },
  codex: { Bash: 'shell' },
  'gemini-cli': {
    run_shell_command: 'shell',
    read_file: 'file',
    read_many_files: 'file',
    grep_search: 'search',
    search_file_content: 'search',
    glob: 'paths',
    list_directory: 'paths',
    web_fetch: 'web',
    google_web_search: 'web',
  },
  'copilot-cli': {
    bash: 'shell',
    powershell: 'shell',
    view: 'file',
    grep: 'search',
    rg: 'search',
    glob: 'paths',
    web_fetch: 'web',
    web_search: 'web',
    task: 'hand-back',
  },
  opencode: {
    bash: 'shell',
    read: 'file',
    grep: 'search',
    glob: 'paths',
    list: 'paths',
    webfetch: 'web',
    websearch: 'web',
    task: 'hand-back',
  },
}

export const builtInTools = (app: string): readonly string[] => Object.keys(toolsOf(app))

export const builtInKind = (app: string, tool: string): BuiltInKind | undefined =>
  Object.hasOwn(toolsOf(app), tool) ? toolsOf(app)[tool] : undefined

const toolsOf = (app: string): Readonly<Record<string, BuiltInKind>> =>
  (Object.hasOwn(TOOLS, app) ? TOOLS[app] : undefined) ?? {}

interface BuiltInDefaults {
  readonly compression: Partial<CompressionPolicy>
  readonly guard?: Partial<GuardPolicy>
}

/** A machine's own texts pass with a note: an agent that can't read a file can't work on it. */
const OWN = { results: 'mark' } as const

/** Over the general settings. */
const DEFAULTS: Readonly<Record<BuiltInKind, BuiltInDefaults>> = {
  shell: { compression: { tokenThreshold: 2000 }, guard: OWN },
  search: { compression: { tokenThreshold: 3000 }, guard: OWN },
  // An edit needs the exact text, and a path that isn't shown isn't opened.
  file: { compression: { strategy: 'off', tokenThreshold: 8000 }, guard: OWN },
  paths: { compression: { strategy: 'off' }, guard: OWN },
  web: { compression: { tokenThreshold: 2000 } },
  'hand-back': { compression: { tokenThreshold: 6000 }, guard: OWN },
}

export const builtInDefaults = (app: string, tool: string): BuiltInDefaults =>
  DEFAULTS[builtInKind(app, tool) ?? 'file']

/** Over all settings: the call is made already, so nothing can be refused or asked. */
export const BUILT_IN_LIMITS = {
  compression: { escalationSeconds: 0, goalParameter: 'never' },
  cache: { enabled: false },
  guard: { arguments: 'off' },
} as const
