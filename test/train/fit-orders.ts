import {
  amongOthers,
  blockOf,
  candidatesIn,
  featuresOfStretches,
  stretchOf,
} from '../../electron/engine/guardrails/orders/find-orders.ts'
import { FEATURES, featuresOf } from '../../electron/engine/guardrails/orders/features.ts'
import { wordingsOf } from '../../electron/engine/guardrails/orders/wordings.ts'
import { closerMarks } from '../../electron/engine/guardrails/orders/closer-marks.ts'
import { sentencesOf } from '../../electron/engine/guardrails/orders/sentences.ts'
import type { WordClasses } from '../../electron/engine/guardrails/orders/word-classes.ts'
import { viewsOf } from '../../electron/engine/guardrails/orders/views.ts'
import type { GuardText } from '../guard/read-guard-texts.ts'
import { seededRandom } from './seeded-random.ts'

/** A sentence that may be an order. */
export interface Passage {
  readonly columns: Uint16Array
  /** By index of `WORDINGS`. */
  readonly wordings: Uint32Array
  /** Numbered over all views of the text. */
  readonly block: number
  /** False: stands outside of the attack's words. */
  readonly mayBeAttack: boolean
  /** Of short pieces read as one: judged, but not learnt from. */
  readonly isJoined: boolean
}

export interface TrainingText {
  readonly text: GuardText
  readonly passages: readonly Passage[]
  /** Where the blocks of each view end, as numbers of blocks. */
  readonly views: readonly number[]
}

/** All wordings of the texts, in order of appearance. */
export const WORDINGS: string[] = []
const indices = new Map<string, number>()
function indexOf(wording: string): number {
  let index = indices.get(wording)
  if (index === undefined) {
    index = WORDINGS.length
    indices.set(wording, index)
    WORDINGS.push(wording)
  }
  return index
}

export function toTrainingText(text: GuardText, words: WordClasses): TrainingText {
  const at = text.payload === undefined ? -1 : text.text.indexOf(text.payload)
  const views: number[] = []
  const passages = viewsOf(text.text).flatMap(({ text: view, isDisguised, isJoined = false }) => {
    const sentences = sentencesOf(view, words)
    const shared = featuresOfStretches(sentences, isDisguised)
    const first = views.at(-1) ?? 0
    views.push(first + 1 + blockOf(sentences.at(-1) ?? { start: 0 }))
    return candidatesIn(sentences).flatMap((index) => {
      const sentence = sentences[index]
      if (!sentence) return []
      const marks = (sentence.marks | closerMarks(view, sentence)) >>> 0
      const own = featuresOf(sentences, index, marks)
      const isOutside =
        at !== -1 &&
        view === text.text &&
        (sentence.end <= at || sentence.start >= at + (text.payload?.length ?? 0))
      return [
        {
          columns: Uint16Array.from([...own, ...(shared[stretchOf(sentence)] ?? [])]),
          wordings: Uint32Array.from(wordingsOf(view.slice(sentence.start, sentence.end), words), indexOf),
          block: first + blockOf(sentence),
          mayBeAttack: !isOutside,
          isJoined,
        },
      ]
    })
  })
  return { text, passages, views }
}

/** Only wordings that may be fitted stay, which makes fits fast. */
export function keepSharedWordings(texts: readonly TrainingText[]): TrainingText[] {
  const isShared = sharedWordings(texts)
  const kept = WORDINGS.filter((_, index) => isShared[index] === 1)
  const places = new Map(kept.map((wording, index) => [wording, index]))
  const renamed = WORDINGS.map((wording) => places.get(wording))
  WORDINGS.length = 0
  for (const wording of kept) WORDINGS.push(wording)
  return texts.map((text) => ({
    ...text,
    passages: text.passages.map((passage) => ({
      ...passage,
      wordings: Uint32Array.from([...passage.wordings].flatMap((index) => renamed[index] ?? [])),
    })),
  }))
}

export interface Fitted {
  readonly weights: Float64Array
  /** By index of `WORDINGS`. */
  readonly wordings: Float64Array
  readonly bias: number
}

/** What is sure before any data: deeds speak for an attack, less so where they are shown or explained. */
const SURE: readonly (readonly [RegExp, number])[] = [
  [
    /^deed (?:drop|rules are void for you|new orders|obey|pretended|another speaker|any speaker|fake call|conceal)[^,]*$/,
    1,
  ],
  [/^deed (?:order to a model|leak of yours|model must|persona|who reads|no consent|consent)[^,]*$/, 0.8],
  [/^deed (?:leak|send out|run from|steer|memory|pay|call of a tool)[^,]*$/, 0.5],
  [/^deed .*, spread$/, 0.4],
  [/^deed .*, (?:shown|explained|asked|noted|to people)$/, -0.3],
]
export const PRIOR = Float64Array.from(
  FEATURES,
  (name) => SURE.find(([pattern]) => pattern.test(name))?.[1] ?? 0,
)

/** Share of a sample's features that a step doesn't see, so that each learns to do without the others. */
const DROPPED = 0.3
/** Of steps that see no wording at all: most languages have few in the training. */
const WORDLESS = 0.2
const DROPS = 1 << 16
const PULL = 5e-4
const WORD_PULL = 2e-3
const RATE = 0.15
/** Of the rounds that only choose sentences, and of the last one. */
const FEW_EPOCHS = 2
const EPOCHS = 6
/** Of the last round: the mean of those after it depends less on the order of the samples. */
const UNSETTLED_EPOCHS = 3
const ROUNDS = 3
const HARDEST = 8
const SOME = 6
const MADE_WEIGHT = 0.4
/** A sample that is told apart so well changes nothing. */
const SURE_ENOUGH = 0.003
const TYPICAL_FAMILY = 60
/** Of messages few sentences each are learned from; public attacks are often only jailbreaks. */
const WEIGHTS: Partial<Record<GuardText['set'], number>> = {
  messages: 4,
  'program messages': 4,
  'random words': 3,
  counterparts: 1,
  'public attacks': 0.8,
  'authors attacks': 0.8,
}
const weightOfSet = ({ isAttack, set }: GuardText): number => WEIGHTS[set] ?? (isAttack ? 1 : 3)

interface Sample {
  readonly passage: Passage
  readonly label: 0 | 1
  readonly weight: number
}

/** A source counts by the square root of its size, its attacks and its ordinary texts each for themselves. */
export function weightsAmong(texts: readonly TrainingText[]): (each: TrainingText) => number {
  const sourceOf = ({ text }: TrainingText): string => `${text.family} ${String(text.isAttack)}`
  const sizes = Map.groupBy(texts, sourceOf)
  return (each) =>
    each.text.set === 'made'
      ? MADE_WEIGHT
      : weightOfSet(each.text) *
        Math.min(1, Math.sqrt(TYPICAL_FAMILY / (sizes.get(sourceOf(each))?.length ?? 1)))
}

/**
 * Logistic regression with a Gaussian prior around PRIOR, by AdaGrad (Duchi, Hazan, Singer, 2011). Multiple instances:
 * of an attack the most telling sentence counts, of an ordinary text the most misleading ones and some others.
 */
export function fitOrders(texts: readonly TrainingText[], seed = 1): Fitted {
  const random = seededRandom(seed)
  const weightOf = weightsAmong(texts)
  const isUsed = sharedWordings(texts)
  let model: Fitted = { weights: PRIOR.slice(), wordings: new Float64Array(WORDINGS.length), bias: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const samples = texts.flatMap((each) => samplesOf(each, weightOf(each), { model, random }))
    model = descend(samples, isUsed, { random, epochs: round === ROUNDS - 1 ? EPOCHS : FEW_EPOCHS })
  }
  return model
}

function samplesOf(
  { text, passages }: TrainingText,
  weight: number,
  { model, random }: { model: Fitted; random: () => number },
): Sample[] {
  const ranked = passages
    .filter(({ mayBeAttack, isJoined }) => !isJoined && (mayBeAttack || !text.isAttack))
    .map((passage) => ({ passage, margin: marginOf(model, passage) }))
    .sort((a, b) => b.margin - a.margin)
  const [first] = ranked
  if (!first) return []
  if (text.isAttack) return [{ passage: first.passage, label: 1, weight }]
  const others = Array.from({ length: SOME }, () => ranked[Math.floor(random() * ranked.length)] ?? first)
  return [
    ...ranked
      .slice(0, HARDEST)
      .map(({ passage }, rank) => ({ passage, label: 0 as const, weight: weight / (1 + rank / 2) })),
    ...others.map(({ passage }) => ({ passage, label: 0 as const, weight: weight / 4 })),
  ]
}

/** Wordings of fewer families are the hand of one author. */
const FEWEST_FAMILIES = 3

function sharedWordings(texts: readonly TrainingText[]): Uint8Array {
  const families = new Map<number, Set<string>>()
  for (const { text, passages } of texts)
    for (const { wordings, mayBeAttack, isJoined } of passages) {
      if (isJoined || (text.isAttack && !mayBeAttack)) continue
      for (const index of wordings) {
        const known = families.get(index) ?? new Set()
        if (known.size < FEWEST_FAMILIES)
          families.set(index, known.add(text.set === 'made' ? text.id : text.family))
      }
    }
  const isShared = new Uint8Array(WORDINGS.length)
  for (const [index, { size }] of families) if (size >= FEWEST_FAMILIES) isShared[index] = 1
  return isShared
}

interface Descent {
  readonly random: () => number
  readonly epochs: number
}

function descend(samples: Sample[], isUsed: Uint8Array, { random, epochs }: Descent): Fitted {
  const weights = PRIOR.slice()
  const squares = new Float64Array(weights.length).fill(1e-6)
  const wordings = new Float64Array(isUsed.length)
  const wordSquares = new Float64Array(isUsed.length).fill(1e-6)
  let bias = 0
  let biasSquares = 1e-6
  const settled: Fitted[] = []
  const isDropped = Uint8Array.from({ length: DROPS }, () => (random() < DROPPED ? 1 : 0))
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(samples, random)
    for (const { passage, label, weight } of samples) {
      const from = Math.floor(random() * DROPS)
      const sums = sumsWithout(isDropped, from, { weights, wordings }, passage)
      const isWordless = random() < WORDLESS
      if (isWordless) sums.wordings = 0
      const off = (1 / (1 + Math.exp(-bias - sums.columns - limited(sums.wordings))) - label) * weight
      if (Math.abs(off) < SURE_ENOUGH) continue
      biasSquares += off * off
      bias -= (RATE * off) / Math.sqrt(biasSquares)
      for (let i = 0; i < passage.columns.length; i++) {
        if (isDropped[(from + i) % DROPS] === 1) continue
        const column = passage.columns[i] ?? 0
        const gradient = off + PULL * ((weights[column] ?? 0) - (PRIOR[column] ?? 0))
        const square = (squares[column] ?? 0) + gradient * gradient
        squares[column] = square
        weights[column] = (weights[column] ?? 0) - (RATE * gradient) / Math.sqrt(square)
      }
      if (isWordless || Math.abs(sums.wordings) >= MOST_OF_WORDINGS) continue
      for (let i = 0; i < passage.wordings.length; i++) {
        const index = passage.wordings[i] ?? 0
        if (isUsed[index] === 0 || isDropped[(from + passage.columns.length + i) % DROPS] === 1) continue
        const gradient = off + WORD_PULL * (wordings[index] ?? 0)
        const square = (wordSquares[index] ?? 0) + gradient * gradient
        wordSquares[index] = square
        wordings[index] = (wordings[index] ?? 0) - (RATE * gradient) / Math.sqrt(square)
      }
    }
    if (epochs > UNSETTLED_EPOCHS && epoch >= UNSETTLED_EPOCHS)
      settled.push({ weights: weights.slice(), wordings: wordings.slice(), bias })
  }
  return settled.length > 0 ? meanOf(settled) : { weights, wordings, bias }
}

interface Sums {
  columns: number
  wordings: number
}

function sumsWithout(
  isDropped: Uint8Array,
  from: number,
  { weights, wordings }: Omit<Fitted, 'bias'>,
  passage: Passage,
): Sums {
  const sums = { columns: 0, wordings: 0 }
  const { length } = passage.columns
  for (let i = 0; i < length; i++)
    if (isDropped[(from + i) % DROPS] === 0) sums.columns += weights[passage.columns[i] ?? 0] ?? 0
  for (let i = 0; i < passage.wordings.length; i++)
    if (isDropped[(from + length + i) % DROPS] === 0) sums.wordings += wordings[passage.wordings[i] ?? 0] ?? 0
  return sums
}

export function marginOf({ weights, wordings, bias }: Fitted, passage: Passage): number {
  let margin = bias
  for (const column of passage.columns) margin += weights[column] ?? 0
  return margin + limited(sumOf(wordings, passage))
}

/** What the wordings of a sentence count at most, before the margins are scaled. */
export const MOST_OF_WORDINGS = 6

const limited = (sum: number): number => Math.max(-MOST_OF_WORDINGS, Math.min(MOST_OF_WORDINGS, sum))

function sumOf(wordings: Float64Array, passage: Passage): number {
  let sum = 0
  for (const index of passage.wordings) sum += wordings[index] ?? 0
  return sum
}

/** The highest of each block's sentences, by view; -Infinity without any. */
export function marginsOfText(model: Fitted, { passages, views }: TrainingText): Float64Array[] {
  const strongest = new Float64Array(views.at(-1) ?? 0).fill(-Infinity)
  for (const passage of passages)
    strongest[passage.block] = Math.max(strongest[passage.block] ?? -Infinity, marginOf(model, passage))
  return views.map((end, index) => strongest.slice(views[index - 1] ?? 0, end))
}

/** As `findOrders` judges a text: of its views the highest, each among its blocks. */
export const marginAmongOthers = (views: readonly ArrayLike<number>[]): number =>
  views.reduce(
    (highest, margins) =>
      Math.max(highest, amongOthers(Math.max(-Infinity, ...Array.from(margins)), margins)),
    -Infinity,
  )

/** The mean of several fits, which depends less on the order of the samples. */
export const fitSeveral = (texts: readonly TrainingText[], count: number): Fitted =>
  meanOf(Array.from({ length: count }, (_, seed) => fitOrders(texts, seed + 1)))

function meanOf(fits: readonly Fitted[]): Fitted {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / fits.length
  return {
    weights: Float64Array.from(FEATURES, (_, column) =>
      mean(fits.map(({ weights }) => weights[column] ?? 0)),
    ),
    wordings: Float64Array.from(WORDINGS, (_, index) =>
      mean(fits.map(({ wordings }) => wordings[index] ?? 0)),
    ),
    bias: mean(fits.map(({ bias }) => bias)),
  }
}

function shuffle(list: Sample[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const [a, b] = [list[i], list[j]]
    if (a === undefined || b === undefined) continue
    list[i] = b
    list[j] = a
  }
}
