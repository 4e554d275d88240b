import { readFileSync } from 'node:fs'
import { messageOf, SluiceError } from '../../ground/errors.ts'

export interface CommonWords {
  /** About ten thousand, in small letters: hardly ever a name, wherever they stand. */
  readonly frequent: ReadonlySet<string>
  /** Further ones: at the start of a sentence they are words, in its middle a capital makes them names. */
  readonly known: ReadonlySet<string>
}

/** The sources stand one folder higher than the built files, so resources/ is found at either distance. */
const FOLDERS = ['../../../../resources/', '../../../../../resources/']

let loaded: CommonWords | undefined

/** Read once, when names are first looked for. */
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
