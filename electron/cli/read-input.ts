import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { messageOf, SluiceError } from '../engine/errors.ts'
import type { CliContext } from './cli-context.ts'

/** The text of a file, or of stdin where no file or "-" is named. */
export async function readInput(file: string | undefined, { stdin, cwd }: CliContext): Promise<string> {
  if (file === undefined || file === '-') return readAll(stdin)
  try {
    return await readFile(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw new SluiceError('BAD_INPUT', `${file} can't be read: ${messageOf(error)}`, { cause: error })
  }
}

/** JSON lines come through stdin only, so that a file's name is never taken for one of them. */
export function refuseFile(command: string, file: string | undefined): void {
  if (file === undefined || file === '-') return
  throw new SluiceError(
    'BAD_INPUT',
    `With --jsonl the input comes through stdin: sluice ${command} --jsonl < ${file}`,
  )
}
