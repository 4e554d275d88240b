import type { SluiceErrorCode } from '../engine/ground/errors.ts'
import { SluiceError } from '../engine/ground/errors.ts'

export const ExitCode = {
  ok: 0,
  problem: 1,
  usage: 2,
  unreachable: 3,
  nodeTooOld: 4,
} as const

export const EXIT_CODE_HELP = `Exit codes:
  0  done, nothing wrong
  1  a problem was found, or the command failed
  2  the command line was not understood, or an input is wrong
  3  an engine or a server could not be reached, or a port or data folder is taken
  4  this Node is too old`

const UNREACHABLE: readonly SluiceErrorCode[] = [
  'ENGINE_UNREACHABLE',
  'ENGINE_FOREIGN',
  'ENGINE_RUNNING',
  'SERVER_UNAVAILABLE',
  'SERVER_LOST',
  'PORT_TAKEN',
]

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof SluiceError)) return ExitCode.problem
  if (error.code === 'BAD_INPUT') return ExitCode.usage
  return UNREACHABLE.includes(error.code) ? ExitCode.unreachable : ExitCode.problem
}
