import type { SluiceErrorCode } from '../engine/ground/errors.ts'
import { SluiceError } from '../engine/ground/errors.ts'

export const ExitCode = {
  ok: 0,
  problem: 1,
  usage: 2,
  unreachable: 3,
  nodeTooOld: 4,
  interrupted: 130,
} as const

const MEANINGS: Readonly<Record<keyof typeof ExitCode, string>> = {
  ok: 'done, nothing wrong',
  problem: 'a problem was found, or the command failed',
  usage: 'the command line was not understood, an input is wrong, or what it names does not exist',
  unreachable: 'an engine or a server could not be reached, or a port or data folder is taken',
  nodeTooOld: 'this Node is too old',
  interrupted: 'it was interrupted by Ctrl-C before it was done; what it had written is whole',
}

/** Of docs/commands.md, too. */
export const EXIT_CODES = Object.entries(ExitCode).map(([name, code]) => ({
  code,
  meaning: MEANINGS[name as keyof typeof ExitCode],
}))

export const EXIT_CODE_HELP = `Exit codes:\n${EXIT_CODES.map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning}`).join('\n')}`

/** Names that do not exist, too. */
const MISTAKEN: readonly SluiceErrorCode[] = [
  'BAD_INPUT',
  'SERVER_UNKNOWN',
  'TOOL_UNKNOWN',
  'RESULT_UNKNOWN',
  'MODEL_UNKNOWN',
  'CLIENT_FILE_MISSING',
]

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
  if (MISTAKEN.includes(error.code)) return ExitCode.usage
  return UNREACHABLE.includes(error.code) ? ExitCode.unreachable : ExitCode.problem
}
