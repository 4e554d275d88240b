import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, isAbsolute } from 'node:path'

/** Folders in which apps leave what they cut, directly or in one for the session. */
const FOLDERS = new Set(['tool-results', 'tool-output', 'tool-outputs'])
/** Of Copilot CLI (seen in runs of 1.0.102), in the folder for temporary files. */
const NAME = /^\d+-copilot-tool-output-[\w-]+\.txt$/
const MOST_BYTES = 64_000_000
/** Characters that have to be the same. */
const PROBE = 1_000

/** Undefined unless it is an app's own file, and what the app showed is its beginning or its end. */
export async function readWholeOutput(path: string, shown: string): Promise<string | undefined> {
  const folder = dirname(path)
  const isInFolder = [folder, dirname(folder)].some((one) => FOLDERS.has(basename(one)))
  if (!isAbsolute(path) || !(isInFolder || NAME.test(basename(path)))) return undefined
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  if (!file) return undefined
  try {
    const facts = await file.stat()
    if (!facts.isFile() || facts.size > MOST_BYTES) return undefined
    const text = await file.readFile('utf8')
    const [head, tail] = [shown.slice(0, PROBE), shown.slice(-PROBE)]
    return text.startsWith(head) || text.endsWith(tail) ? text : undefined
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}
