import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer as readAll } from 'node:stream/consumers'
import { messageOf, SluiceError } from '../engine/ground/errors.ts'
import type { CliContext } from './cli-context.ts'

/** stdin if none or "-". */
export async function readInput(file: string | undefined, { stdin, cwd }: CliContext): Promise<string> {
  if (file === undefined || file === '-') return textOf(await readAll(stdin), 'The input')
  return textOf(await readBytes(file, cwd), file)
}

async function readBytes(file: string, cwd: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(cwd, file))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT')
      throw new SluiceError('BAD_INPUT', `There is no file ${file}. Check its path.`, { cause: error })
    const why = code === 'EISDIR' ? 'it is a folder. Name a file in it.' : messageOf(error)
    throw new SluiceError('BAD_INPUT', `${file} can't be read: ${why}`, { cause: error })
  }
}

/** UTF-8, or UTF-16 with a byte order mark. Rejects other bytes. */
function textOf(bytes: Uint8Array, name: string): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const zero = bytes.indexOf(0)
  if (zero === -1) return new TextDecoder().decode(bytes)
  throw new SluiceError(
    'BAD_INPUT',
    `${name} is not a text: there is a zero byte at ${zero}. Nothing was done.`,
  )
}

/** JSON lines come from stdin only, so that a file name isn't taken for one. */
export function refuseFile(command: string, file: string | undefined): void {
  if (file === undefined || file === '-') return
  throw new SluiceError(
    'BAD_INPUT',
    `With --jsonl the input comes through stdin: sluice ${command} --jsonl < ${file}`,
  )
}
