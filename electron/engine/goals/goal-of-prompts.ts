/** Newest last. */
export interface KnownRequests {
  readonly prompts: readonly string[]
  /** Of the sub-agent that asks. */
  readonly task?: string | undefined
  /** Of the command or call itself. */
  readonly words?: string | undefined
}

/** "go on", "yes, do it": says nothing without the request before it. */
const FEW_WORDS = 6
/** Characters. Requests with a pasted log would ask for everything in it. */
const LONGEST = 600

/** The words of the command come first, because they say most about its result. */
export function goalOfPrompts({ prompts, task, words }: KnownRequests): string | undefined {
  const parts = [words, task === undefined ? requestOf(prompts) : shortened(task)]
  const goal = parts.filter((part) => part !== undefined && part.trim() !== '').join('\n')
  return goal === '' ? undefined : goal
}

function requestOf(prompts: readonly string[]): string | undefined {
  const chosen: string[] = []
  for (const prompt of prompts.toReversed()) {
    chosen.unshift(shortened(prompt))
    if (wordsIn(prompt) >= FEW_WORDS) break
  }
  return chosen.length === 0 ? undefined : chosen.join('\n')
}

/** Languages that don't separate words have longer ones. */
const wordsIn = (text: string): number =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).reduce((sum, word) => sum + weightOf(word), 0)

const weightOf = (word: string): number =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word) ? word.length / 2 : 1

/** What is asked is at the start or the end; what is pasted in fences is data. */
function shortened(text: string): string {
  const plain = text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const own = plain === '' ? text.replaceAll(/\s+/g, ' ').trim() : plain
  if (own.length <= LONGEST) return own
  return `${wordsUntil(own.slice(0, LONGEST / 2))} … ${wordsFrom(own.slice(-LONGEST / 2))}`
}

const wordsUntil = (text: string): string => text.replace(/\s\S*$/, '')
const wordsFrom = (text: string): string => text.replace(/^\S*\s/, '')
