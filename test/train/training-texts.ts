import { readFileSync } from 'node:fs'
import type { LabelledText } from './labelled-text.ts'
import { seededRandom } from './seeded-random.ts'
import { makeAttack } from './made-attacks.ts'
import { makeCarrier } from './made-carriers.ts'
import { makeOrdinaryRequest } from './ordinary-requests.ts'
import { ordinary, readOrdinaryDocuments } from './read-cases.ts'
import { readPackages } from './read-packages.ts'
import { windowsOf } from './windows-of.ts'

const MADE_ATTACKS = 600
/** Synthetic attacks without a surrounding tool output. */
const BARE_SHARE = 0.15
const MADE_REQUESTS = 600
const MADE_OUTPUTS = 400
const LONGEST_DOCUMENT = 6000

/** Training texts besides the labelled cases: our own and openly licensed ordinary ones. */
export function collectTrainingTexts(): LabelledText[] {
  const random = seededRandom(99)
  const made = (count: number, make: () => LabelledText): LabelledText[] =>
    Array.from({ length: count }, make)
  return [
    ...made(MADE_REQUESTS, () => ordinary('own requests', makeOrdinaryRequest(random))),
    ...made(MADE_OUTPUTS, () => ordinary('own tool outputs', makeCarrier(random))),
    ...made(MADE_ATTACKS, () => {
      const attack = makeAttack(random)
      const text = random() < BARE_SHARE ? attack : makeCarrier(random, attack)
      return { id: '', group: '', source: 'own attacks', attack: true, text, windows: windowsOf(text) }
    }),
    ...ownLines('hard-negatives.txt').map((line) => ordinary('own hard negatives', line)),
    ...readOrdinaryDocuments(LONGEST_DOCUMENT),
    ...readPackages(random),
  ]
}

const ownLines = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
