import { readFileSync } from 'node:fs'
import { messageOf, SluiceError } from '../../ground/errors.ts'

export interface CommonWords {
  /** About ten thousand, lower case: hardly ever names. */
  readonly frequent: ReadonlySet<string>
  readonly known: ReadonlySet<string>
}

/** Sources are one folder higher than built files. */
const FOLDERS = ['../../../../resources/', '../../../../../resources/']

let loaded: CommonWords | undefined

/** On first use. */
export function commonWords(): CommonWords {
  loaded ??= read()
  return loaded
}

function read(): CommonWords {
  const problems: string[] = []
  for (const folder of FOLDERS) {
    try {
      const text = readFileSync(new URL(`${folder}common-words.txt`, import.meta.url), 'utf8')
      const [frequent = '', further = ''] = text.split('\n')
      const known = further.split(' ')
      return { frequent: new Set(frequent.split(' ')), known: new Set([...frequent.split(' '), ...known]) }
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw new SluiceError(
    'BAD_INPUT',
    `The list of common words, which names are told from, is missing (${problems.join('; ')}). Install Sluice again.`,
  )
}
