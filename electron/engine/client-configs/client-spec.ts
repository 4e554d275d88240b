import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ClientFiles } from './client-files.ts'
import type { ConfigPath } from './formats/config-node.ts'
import type { PlaceholderRule } from './entries/placeholders.ts'

/** What determines where an app keeps its files. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly homeDir: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where in a file servers stand. */
export interface ServerPlace {
  readonly path: ConfigPath
  /** Claude Code: project folder of these servers. */
  readonly project?: string
}

/** How an app spells a server's entry when written; entries/read-entry.ts reads every spelling. */
export interface EntryStyle {
  readonly command: 'command' | 'cmd'
  /** OpenCode: program and arguments in one list. */
  readonly commandIsList?: true
  readonly env: 'env' | 'envs' | 'environment'
  /** `type` of a local program; written if the app requires it or the entry has it. */
  readonly localType: string
  readonly needsType?: true
  readonly remote: { readonly url: string; readonly headers: string; readonly type?: string }
  /** Gemini: a bare `url` means legacy HTTP+SSE. */
  readonly urlIsSse?: true
  /** Fields that a new entry has besides. */
  readonly newEntry?: (name: string) => JsonObject
}

/** The first existing file counts; `*` matches anything but a separator. */
export type Alternatives = readonly string[]

export interface FileChoice {
  readonly files: readonly string[]
  /** Several files, and only the user knows which one the app reads. */
  readonly question?: string
  /** Worth knowing about the choice. */
  readonly remark?: string
}

/** All facts about one AI app. */
export interface ClientSpec {
  readonly id: string
  readonly label: string
  /** Per user. A function if the rule isn't "first existing". */
  readonly files: (machine: Machine) => readonly Alternatives[]
  readonly chooseFiles?: (machine: Machine, files: ClientFiles) => FileChoice
  /** In a project's folder. */
  readonly projectFiles: readonly string[]
  /** Paths of servers in a file, widest first. The first is for a file without servers. */
  readonly places: (value: unknown) => readonly ServerPlace[]
  readonly style: EntryStyle
  readonly placeholders: readonly PlaceholderRule[]
  /** Why this app's files are read but not changed. */
  readonly readOnly?: string
  /** What its user must know after a change. */
  readonly advice: string
}
