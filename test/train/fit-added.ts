/**
 * Fits only the columns whose names match PATTERN, and leaves the shipped weights as they are: `node test/train/fit-added.ts
 * PATTERN [write]`. For features that were added when not all texts of the last whole fit were at hand. Four models without these
 * columns judge each text, none whose family or writer it saw; the new columns learn what these margins lack. Prints what is
 * found before and after at equal alarms, each text by weights that saw nothing of its family either; write adds
 * the weights to resources/guard-orders.json.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { FEATURES } from '../../electron/engine/guardrails/orders/features.ts'
import { createWordClasses } from '../../electron/engine/guardrails/orders/word-classes.ts'
import {
  readCaseBank,
  readGuardTexts,
  readPackageTexts,
  readProgramMessages,
  readPublicTexts,
  readTextsOfManyAuthors,
  readTextsOfWriters,
} from '../guard/read-guard-texts.ts'
import {
  type Fitted,
  fitSeveral,
  keepSharedWordings,
  marginAmongOthers,
  marginOf,
  MOST_OF_WORDINGS,
  toTrainingText,
  type TrainingText,
  weightsAmong,
} from './fit-orders.ts'
import { seededRandom } from './seeded-random.ts'
import { type WordLists, wordLines } from './word-lines.ts'
import { wordSalads } from './word-salads.ts'

const FOLDS = 4
const DIVISION = 5
const ROUNDS = 3
const EPOCHS = 6
const UNSETTLED_EPOCHS = 3
const HARDEST = 8
const SOME = 6
const RATE = 0.1
const BIAS_RATE = 0.05
const PULL = 2e-3
/** On the mean of the sets of ordinary texts. */
const ALARMS = 0.04

/** A text with the columns that the models know, and beside its passages what is to be fitted. */
interface Added {
  readonly known: TrainingText
  /** By passage. */
  readonly columns: readonly Uint16Array[]
  readonly fold: number
  /** By passage, from a model that saw nothing of its family. */
  margins: Float64Array
}

interface Addition {
  readonly weights: Float64Array
  readonly bias: number
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const pattern = new RegExp(process.argv[2] ?? '^$')
const isAdded = FEATURES.map((name) => pattern.test(name))
const lists = readFileSync(new URL('guard-words.json', import.meta.url), 'utf8')
const words = createWordClasses(Buffer.from(wordLines(JSON.parse(lists) as WordLists)))
const written = [
  ...readGuardTexts(),
  ...readPublicTexts(),
  ...readTextsOfManyAuthors(),
  ...readTextsOfWriters(),
  ...readCaseBank(),
  ...readPackageTexts(),
  ...readProgramMessages(),
]
const foldOf = (name: string): number =>
  createHash('sha256').update(`${DIVISION} ${name}`).digest().readUInt32LE() % FOLDS
const texts = keepSharedWordings(
  [...written, ...wordSalads(written)].map((text) => toTrainingText(text, words)),
).map((each): Added => {
  const { text, passages } = each
  const pick = (columns: Uint16Array, added: boolean): Uint16Array =>
    columns.filter((column) => isAdded[column] === added)
  return {
    known: {
      ...each,
      passages: passages.map((passage) => ({ ...passage, columns: pick(passage.columns, false) })),
    },
    columns: passages.map(({ columns }) => pick(columns, true)),
    fold: text.set === 'made' ? -1 : foldOf(text.writer ?? text.family),
    margins: new Float64Array(passages.length),
  }
})
for (let fold = 0; fold < FOLDS; fold++) {
  const model: Fitted = fitSeveral(
    texts.filter((each) => each.fold !== fold && !each.known.text.isMeasuredOnly).map(({ known }) => known),
    1,
  )
  for (const each of texts)
    if (each.fold === fold)
      each.margins = Float64Array.from(each.known.passages, (passage) => marginOf(model, passage))
  say(`Fold ${fold}: done.`)
}
const judged = texts.filter(({ fold }) => fold >= 0)
const usable = judged.filter(({ known }) => !known.text.isMeasuredOnly)
const none: Addition = { weights: new Float64Array(FEATURES.length), bias: 0 }
const additions = Array.from({ length: FOLDS }, (_, fold) => fit(usable.filter((each) => each.fold !== fold)))
const before = new Map(judged.map((each) => [each, marginOfText(each, none)]))
const after = new Map(judged.map((each) => [each, marginOfText(each, additions[each.fold] ?? none)]))
const limits = [before, after].map(thresholdOf)
printTable()
if (process.argv[3] === 'write') write(fit(usable))

function marginAt({ margins, columns }: Added, passage: number, { weights, bias }: Addition): number {
  let margin = (margins[passage] ?? 0) + bias
  for (const column of columns[passage] ?? []) margin += weights[column] ?? 0
  return margin
}

function marginOfText(each: Added, addition: Addition): number {
  const { passages, views } = each.known
  const strongest = new Float64Array(views.at(-1) ?? 0).fill(-Infinity)
  for (const [index, { block }] of passages.entries())
    strongest[block] = Math.max(strongest[block] ?? -Infinity, marginAt(each, index, addition))
  return marginAmongOthers(views.map((end, view) => strongest.slice(views[view - 1] ?? 0, end)))
}

interface Sample {
  readonly each: Added
  readonly passage: number
  readonly label: 0 | 1
  readonly weight: number
}

/** As `fitOrders` chooses sentences: of an attack the most telling one, of an ordinary text the most misleading ones and some others. */
function fit(list: readonly Added[]): Addition {
  const random = seededRandom(1)
  const weightOf = weightsAmong(list.map(({ known }) => known))
  let addition = none
  for (let round = 0; round < ROUNDS; round++) {
    const samples = list.flatMap((each): Sample[] => {
      const { text, passages } = each.known
      const weight = weightOf(each.known)
      const ranked = passages
        .flatMap(({ isJoined, mayBeAttack }, passage) =>
          isJoined || (text.isAttack && !mayBeAttack)
            ? []
            : [{ passage, margin: marginAt(each, passage, addition) }],
        )
        .sort((a, b) => b.margin - a.margin)
      const [first] = ranked
      if (!first) return []
      if (text.isAttack) return [{ each, passage: first.passage, label: 1, weight }]
      const others = Array.from({ length: SOME }, () => ranked[Math.floor(random() * ranked.length)] ?? first)
      return [
        ...ranked.slice(0, HARDEST).map(({ passage }, rank) => ({
          each,
          passage,
          label: 0 as const,
          weight: weight / (1 + rank / 2),
        })),
        ...others.map(({ passage }) => ({ each, passage, label: 0 as const, weight: weight / 4 })),
      ]
    })
    addition = descend(samples, random)
  }
  return addition
}

function descend(samples: readonly Sample[], random: () => number): Addition {
  const weights = new Float64Array(FEATURES.length)
  const squares = new Float64Array(FEATURES.length).fill(1e-6)
  let bias = 0
  let biasSquares = 1e-6
  const settled: Addition[] = []
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const order = samples
      .map((sample) => ({ sample, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ sample }) => sample)
    for (const { each, passage, label, weight } of order) {
      const off = weight * (1 / (1 + Math.exp(-marginAt(each, passage, { weights, bias }))) - label)
      biasSquares += off * off
      bias -= (BIAS_RATE * off) / Math.sqrt(biasSquares)
      for (const column of each.columns[passage] ?? []) {
        const gradient = off + PULL * (weights[column] ?? 0)
        const square = (squares[column] ?? 0) + gradient * gradient
        squares[column] = square
        weights[column] = (weights[column] ?? 0) - (RATE * gradient) / Math.sqrt(square)
      }
    }
    if (epoch >= UNSETTLED_EPOCHS) settled.push({ weights: weights.slice(), bias })
  }
  const mean = (of: (one: Addition) => number): number =>
    settled.reduce((sum, one) => sum + of(one), 0) / settled.length
  return {
    weights: weights.map((_, column) => mean((one) => one.weights[column] ?? 0)),
    bias: mean((one) => one.bias),
  }
}

type Margins = ReadonlyMap<Added, number>

function shareAbove(margins: Margins, limit: number, pick: (each: TrainingText['text']) => boolean): number {
  const list = judged.filter(({ known }) => pick(known.text))
  return list.filter((each) => (margins.get(each) ?? -Infinity) > limit).length / list.length
}

/** At which hard benign texts, ordinary ones of writers, messages and public ordinary ones have as many alarms on the mean. */
function thresholdOf(margins: Margins): number {
  const sets: readonly ((each: TrainingText['text']) => boolean)[] = [
    ({ set }) => set === 'hard benign',
    ({ set, language }) => set === 'writers ordinary' && language === 'en',
    ({ set, language }) => set === 'writers ordinary' && language !== 'en',
    ({ set }) => set === 'messages',
    ({ set }) => set === 'public ordinary',
  ]
  let [low, high] = [-20, 20]
  for (let step = 0; step < 24; step++) {
    const middle = (low + high) / 2
    const alarms = sets.reduce((sum, pick) => sum + shareAbove(margins, middle, pick), 0) / sets.length
    if (alarms > ALARMS) low = middle
    else high = middle
  }
  return high
}

function printTable(): void {
  const kinds = new Map<string, (each: TrainingText['text']) => boolean>()
  for (const { known } of judged) {
    const { set, isAttack, isOvert, language, carrier } = known.text
    const isOfWriters = set === 'writers attacks' && carrier !== 'buried'
    const form = isAttack ? (isOvert ? ', overt' : ', bare') : ''
    const group = isOfWriters && isOvert ? (language === 'en' ? ', English' : ', other languages') : ''
    const where = set === 'writers attacks' && !isOfWriters ? ', in long documents' : ''
    kinds.set(
      `${set}${form}${group}${where}`,
      (text) =>
        text.set === set &&
        text.isAttack === isAttack &&
        (!isAttack || text.isOvert === isOvert) &&
        (where === '') === !(set === 'writers attacks' && text.carrier === 'buried') &&
        (group === '' || (language === 'en') === (text.language === 'en')),
    )
  }
  say('| left out of training | before, % | after, % |\n|---|---|---|')
  for (const [name, pick] of kinds) {
    const [old = 0, now = 0] = [before, after].map((margins, index) =>
      shareAbove(margins, limits[index] ?? 0, pick),
    )
    say(`| ${name} | ${(100 * old).toFixed(2)} | ${(100 * now).toFixed(2)} |`)
  }
}

function write({ weights, bias }: Addition): void {
  const place = new URL('../../resources/guard-orders.json', import.meta.url)
  const file = JSON.parse(readFileSync(place, 'utf8')) as {
    bias: number
    weights: Record<string, number>
    mostOfWordings: number
  }
  const scale = file.mostOfWordings / MOST_OF_WORDINGS
  const rounded = (value: number): number => Number(value.toFixed(3))
  file.bias = rounded(file.bias + scale * (bias - ((limits[1] ?? 0) - (limits[0] ?? 0))))
  for (const [column, name] of FEATURES.entries())
    if (isAdded[column] === true) file.weights[name] = rounded((weights[column] ?? 0) * scale)
  writeFileSync(place, `${JSON.stringify(file, undefined, 1)}\n`)
  say('Written: resources/guard-orders.json.')
}
