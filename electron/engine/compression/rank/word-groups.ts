/**
 * Reads groups of words that stand for each other, blanks between words and bars or line breaks between groups, and gives a
 * function from the words of a goal to the others of their groups, as a text for widenGoal.
 */
export function readWordGroups(groups: string): (words: readonly string[]) => string {
  const table = new Map<string, Set<string>>()
  for (const group of groups.trim().split(/[|\n]/)) {
    const words = group.trim().split(' ')
    for (const word of words) {
      const known = table.get(word) ?? new Set<string>()
      for (const other of words) if (other !== word) known.add(other)
      table.set(word, known)
    }
  }
  return (words) => {
    const own = new Set(words)
    const found = new Set<string>()
    for (const word of words)
      for (const form of formsOf(word))
        for (const other of table.get(form) ?? []) if (!own.has(other)) found.add(other)
    return [...found].join(' ')
  }
}

/** The word itself and what it may be a plural or past form of. */
const formsOf = (word: string) => [
  word,
  word.replace(/e?s$/, ''),
  word.replace(/s$/, ''),
  word.replace(/(?:ed|ing)$/, ''),
  word.replace(/(?:ed|ing)$/, 'e'),
]
