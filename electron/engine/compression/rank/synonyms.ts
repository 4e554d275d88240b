import data from '../../../../resources/words/synonyms.json' with { type: 'json' }
import { stemOf } from '../../text/words/stem.ts'

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

type Table = ReadonlyMap<string, ReadonlySet<string>>
/** By stem; made when the first goal asks. */
let tables: { readonly groups: Table; readonly hints: Table } | undefined

/** Words of the same groups. */
export const synonymsOf = (word: string): Iterable<string> => readTables().groups.get(stemOf(word)) ?? []

/** Words likely near the answer of a question with the word ("who": author). */
export const hintsOf = (word: string): Iterable<string> => readTables().hints.get(stemOf(word)) ?? []

function readTables(): NonNullable<typeof tables> {
  if (tables !== undefined) return tables
  const groups = data.groups.flatMap((group): [string, readonly string[]][] => {
    const words = group.split(' ')
    return words.map((word) => [word, words])
  })
  const hints = Object.entries(data.hints).map(([word, near]): [string, readonly string[]] => [
    word,
    near.split(' '),
  ])
  const numbers = NUMBERS.flatMap((word, value): [string, readonly string[]][] => [
    [word, [String(value)]],
    [String(value), [word]],
  ])
  tables = { groups: tableOf([...groups, ...numbers]), hints: tableOf(hints) }
  return tables
}

function tableOf(entries: readonly [string, readonly string[]][]): Table {
  const table = new Map<string, Set<string>>()
  for (const [word, others] of entries) {
    const stem = stemOf(word)
    const known = table.get(stem) ?? new Set<string>()
    for (const other of others) if (other !== word) known.add(other)
    table.set(stem, known)
  }
  return table
}
