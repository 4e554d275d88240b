import type { findApiKeys } from './finders/api-key.ts'

let finder: typeof findApiKeys | undefined

/** Keys, tokens and passwords in these texts, by their shape. The patterns load with the first use. */
export const findSecrets = (texts: readonly string[]): string[] | Promise<string[]> =>
  finder ? found(finder, texts) : loaded(texts)

/** Every call asks, and even a repeated import takes several turns of promises. */
async function loaded(texts: readonly string[]): Promise<string[]> {
  finder = (await import('./finders/api-key.ts')).findApiKeys
  return found(finder, texts)
}

const found = (find: typeof findApiKeys, texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    find({ text, numberRuns: [], numberLabels: [], namedNumbers: new Map(), properNames: [] }).map(
      ({ start, end }) => text.slice(start, end),
    ),
  )
