import type { Machine } from '../ground/surroundings.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ClientFiles } from './client-files.ts'
import type { ConfigPath } from './formats/config-node.ts'
import type { PlaceholderRule } from './entries/placeholders.ts'

/** Where in a file servers stand. */
export interface ServerPlace {
  readonly path: ConfigPath
  /** Claude Code: project folder. */
  readonly project?: string
}

/** How entries are written; entries/read-entry.ts reads every spelling. */
export interface EntryStyle {
  readonly command: 'command' | 'cmd'
  /** OpenCode: program and arguments. */
  readonly commandIsList?: true
  readonly env: 'env' | 'envs' | 'environment'
  readonly localType: string
  readonly needsType?: true
  readonly remote: { readonly url: string; readonly headers: string; readonly type?: string }
  /** Gemini: a bare `url` means legacy HTTP+SSE. */
  readonly urlIsSse?: true
  readonly newEntry?: (name: string) => JsonObject
}

/** The first existing file counts; `*` matches anything but a separator. */
export type Alternatives = readonly string[]

export interface FileChoice {
  readonly files: readonly string[]
  /** Several files: only the user knows which one the app reads. */
  readonly question?: string
  /** About the choice. */
  readonly remark?: string
}

/** Identifies a server of a file. */
export interface ServerName {
  readonly name: string
  readonly project?: string | undefined
}

/** A configuration file of an app, and what is beside it. */
interface SwitchFile {
  readonly folder: string
  readonly name: string
  readonly value: unknown
  /** Undefined if it is missing or unreadable. `path`: from the file's folder, with `/`. */
  readonly beside: (path: string) => unknown
  /** The app's file in the home folder. */
  readonly ofUser: () => unknown
}

export interface ClientSpec {
  readonly id: string
  readonly label: string
  /** Per user. `chooseFiles`: if the rule isn't "first existing". */
  readonly files: (machine: Machine) => readonly Alternatives[]
  readonly chooseFiles?: (machine: Machine, files: ClientFiles) => FileChoice
  /** In a project's folder. */
  readonly projectFiles: readonly string[]
  /** In a file, widest first; the first is for a file without servers. */
  readonly places: (value: unknown) => readonly ServerPlace[]
  readonly style: EntryStyle
  readonly placeholders: readonly PlaceholderRule[]
  /** By lists outside the entry. */
  readonly isOff?: (server: ServerName, file: SwitchFile) => boolean
  readonly readOnly?: string
  /** For the user, after a change. */
  readonly advice: string
  /** Said before the change: what its user has to do first. */
  readonly before?: string
}
