/**
 * Blanks separate words, bars or line breaks groups. Returns the other words of a goal's groups, as a text for
 * widenGoal.
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

/** The word and its possible singular or present forms. */
const formsOf = (word: string) => [
  word,
  word.replace(/e?s$/, ''),
  word.replace(/s$/, ''),
  word.replace(/(?:ed|ing)$/, ''),
  word.replace(/(?:ed|ing)$/, 'e'),
]
