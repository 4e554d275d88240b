import type { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'
import type { Surroundings } from '../engine/ground/surroundings.ts'

/** Commands read the process environment only here. */
export interface CliContext extends Surroundings {
  readonly stdin: Readable
  /** Only the command's answer. */
  readonly stdout: Writable
  readonly stderr: Writable
  readonly cwd: string
  /** This Node. */
  readonly execPath: string
  readonly nodeVersion: string
  /** The desktop app's executable. */
  readonly isElectron: boolean
  readonly parentPid: () => number
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>
}

/** What a connector needs, which reads no more. */
export type ConnectContext = Omit<CliContext, 'version'>

export interface CommonOptions {
  /** Absolute path. */
  readonly dataDir: string
  readonly verbose: boolean
}

export interface CommandSetup {
  readonly context: CliContext
  /** Throws STORE_FAILED if the data folder can't be read, unless the command checks that itself. */
  readonly common: (options?: { readonly isFolderChecked?: boolean }) => CommonOptions
  readonly end: (exitCode: number) => void
  /** With all commands. */
  readonly wholeProgram: () => Promise<Command>
}

export type CreateCommand = (setup: CommandSetup) => Command
