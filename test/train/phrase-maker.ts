import { readFileSync } from 'node:fs'

export type Random = () => number
export type Phrases = Readonly<Record<string, readonly string[]>>

/**
 * Reads a phrase file: "## name" begins a list, every further line is one phrase, "(nothing)" is empty and \n a line
 * break.
 */
export function readPhrases(file: string): Phrases {
  const phrases: Record<string, string[]> = {}
  let list: string[] = []
  for (const line of readFileSync(new URL(`./phrases/${file}`, import.meta.url), 'utf8').split('\n')) {
    if (line.startsWith('## ')) {
      list = []
      phrases[line.slice(3)] = list
    } else if (line !== '') {
      list.push(line === '(nothing)' ? '' : line.replaceAll('\\n', '\n'))
    }
  }
  return phrases
}

export function pick<T>(items: readonly T[] | undefined, random: Random): T {
  const item = items?.[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick from: the list is empty or missing.')
  return item
}

/** Picks a template and fills every {name} with a phrase, which may contain further names. */
export function fill(templates: readonly string[] | undefined, phrases: Phrases, random: Random): string {
  const expand = (text: string, depth: number): string =>
    text.replace(/\{(\w+)\}/g, (mark, name: string) => {
      const choices = phrases[name]
      if (!choices) throw new Error(`The template "${text}" names "${mark}", which has no phrases.`)
      return depth > 6 ? '' : expand(pick(choices, random), depth + 1)
    })
  return capitalise(expand(pick(templates, random), 0))
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
