import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ClientFiles } from './client-files.ts'
import type { ConfigPath } from './formats/config-node.ts'
import type { PlaceholderRule } from './entries/placeholders.ts'

/** What decides where an app keeps its files. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly homeDir: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where in a file servers stand. */
export interface ServerPlace {
  readonly path: ConfigPath
  /** Claude Code: the folder of the project that these servers are for. */
  readonly project?: string
}

/** How an app spells the entry of a server; entries/read-entry.ts reads every spelling, this says what to write. */
export interface EntryStyle {
  readonly command: 'command' | 'cmd'
  /** OpenCode: program and arguments in one list. */
  readonly commandIsList?: true
  readonly env: 'env' | 'envs' | 'environment'
  /** What `type` says of a program; written where the app wants it or the entry has it. */
  readonly localType: string
  readonly needsType?: true
  readonly remote: { readonly url: string; readonly headers: string; readonly type?: string }
  /** Gemini: a bare `url` means the older HTTP+SSE. */
  readonly urlIsSse?: true
  /** Fields that a new entry has besides. */
  readonly newEntry?: (name: string) => JsonObject
}

/** Files of which the first that is there counts; `*` in a name stands for anything but a separator. */
export type Alternatives = readonly string[]

export interface FileChoice {
  readonly files: readonly string[]
  /** Several files, and only the user knows which one the app reads. */
  readonly question?: string
  /** Worth knowing about the choice. */
  readonly remark?: string
}

/** Everything that Sluice knows of one AI app. */
export interface ClientSpec {
  readonly id: string
  readonly label: string
  /** Per user. A function where the rule is more than "the first that is there". */
  readonly files: (machine: Machine) => readonly Alternatives[]
  readonly chooseFiles?: (machine: Machine, files: ClientFiles) => FileChoice
  /** In a project's folder. */
  readonly projectFiles: readonly string[]
  /** Where servers stand in a file, the widest first. The first path is the one for a file that has none yet. */
  readonly places: (value: unknown) => readonly ServerPlace[]
  readonly style: EntryStyle
  readonly placeholders: readonly PlaceholderRule[]
  /** Why this app's files are read, but not changed. */
  readonly readOnly?: string
  /** What its user has to know when its file is changed. */
  readonly advice: string
}
