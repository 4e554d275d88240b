import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PlantedFault } from './planted-fault.ts'

export const root = resolve(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, 'faults')

export interface ListedFault extends PlantedFault {
  /** Its list: `faults/AREA.ts`. */
  readonly area: string
}

/** The faults of all files in `faults/`, in file name order. */
export async function readFaults(): Promise<ListedFault[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  const lists = await Promise.all(
    files.sort().map(async (file) => {
      const exported = (await import(pathToFileURL(join(folder, file)).href)) as Record<
        string,
        readonly PlantedFault[]
      >
      const area = file.slice(0, -'.ts'.length)
      return Object.values(exported).flatMap((faults) => faults.map((fault) => ({ ...fault, area })))
    }),
  )
  return lists.flat()
}

/** Why a fault can't be planted in the sources below `tree`; otherwise undefined. */
export function whyNotPlantable(fault: PlantedFault, tree = root): string | undefined {
  let text: string
  try {
    text = readFileSync(join(tree, fault.file), 'utf8')
  } catch {
    return `${fault.file} does not exist: name the file where this code is now.`
  }
  const count = text.split(fault.find).length - 1
  if (count !== 1) return `its text stands ${count} times in ${fault.file}: it must stand there exactly once.`
  if (fault.find === fault.replace) return 'the fault changes nothing.'
  if (fault.tests.length === 0) return 'no test is named.'
  return undefined
}

/** `text` with the fault. A function as replacement, because `$` is special in strings. */
export const plantedIn = (text: string, { find, replace }: PlantedFault): string =>
  text.replace(find, () => replace)
