import type { findApiKeys } from './finders/api-key.ts'
import type { startsIn } from './finders/starts.ts'
import type { Scan, Starts } from './personal-data.ts'

interface Finders {
  readonly findApiKeys: typeof findApiKeys
  readonly startsIn: typeof startsIn
}

let finders: Finders | undefined

/** Keys, tokens and passwords in these texts, by their shape. The patterns load with the first use. */
export const findSecrets = (texts: readonly string[]): string[] | Promise<string[]> =>
  finders ? found(finders, texts) : loaded(texts)

/** Every call asks, and even a repeated import takes several turns of promises. */
async function loaded(texts: readonly string[]): Promise<string[]> {
  const [keys, starts] = await Promise.all([import('./finders/api-key.ts'), import('./finders/starts.ts')])
  finders = { findApiKeys: keys.findApiKeys, startsIn: starts.startsIn }
  return found(finders, texts)
}

const found = ({ findApiKeys: find, startsIn: read }: Finders, texts: readonly string[]): string[] =>
  texts.flatMap((text) => find(scanOf(text, read)).map(({ start, end }) => text.slice(start, end)))

/** With what the finder asks for. */
function scanOf(text: string, read: typeof startsIn): Scan {
  let starts: Starts | undefined
  return {
    text,
    get starts() {
      return (starts ??= read(text))
    },
    numberRuns: [],
    numberLabels: [],
    namedNumbers: new Map(),
    properNames: [],
  }
}
