import type { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'
import type { Surroundings } from '../engine/ground/surroundings.ts'

/** The process environment of commands; they read it only here. */
export interface CliContext extends Surroundings {
  readonly stdin: Readable
  /** Only the command's answer goes here. */
  readonly stdout: Writable
  readonly stderr: Writable
  readonly cwd: string
  /** The Node that runs this. */
  readonly execPath: string
  readonly nodeVersion: string
  /** Whether this Node is the desktop app's executable. */
  readonly isElectron: boolean
  readonly parentPid: () => number
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>
}

export interface CommonOptions {
  /** Absolute path of the data folder. */
  readonly dataDir: string
  readonly verbose: boolean
}

/** What builds a command. */
export interface CommandSetup {
  readonly context: CliContext
  /** Call it when the command runs. */
  readonly common: () => CommonOptions
  /** Sets the exit code of a command that ran but found something. */
  readonly end: (exitCode: number) => void
}

/** Exported by each command's file. */
export type CreateCommand = (setup: CommandSetup) => Command
