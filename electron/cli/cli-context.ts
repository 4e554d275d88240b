import type { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'
import type { Surroundings } from '../engine/ground/surroundings.ts'

/** Everything that commands know of the process they run in; commands read it from nowhere else. */
export interface CliContext extends Surroundings {
  readonly stdin: Readable
  /** Only the command's answer goes here. */
  readonly stdout: Writable
  readonly stderr: Writable
  readonly cwd: string
  /** The Node that runs this. */
  readonly execPath: string
  readonly nodeVersion: string
  /** Whether that Node is the desktop app's executable. */
  readonly isElectron: boolean
  readonly parentPid: () => number
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>
}

/** What every command gets before its own options. */
export interface CommonOptions {
  /** Absolute path of the data folder. */
  readonly dataDir: string
  readonly verbose: boolean
}

/** What a file that holds one command needs to build it. */
export interface CommandSetup {
  readonly context: CliContext
  /** To be asked when the command runs. */
  readonly common: () => CommonOptions
  /** Sets the exit code of a command that ran, but found something. */
  readonly end: (exitCode: number) => void
}

/** A file that holds one command exports one of these. */
export type CreateCommand = (setup: CommandSetup) => Command
