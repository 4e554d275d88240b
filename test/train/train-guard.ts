/**
 * Fits the guard's weights: `node test/train/train-guard.ts [cv | train] [DIVISION]`. cv leaves out whole families and sources by
 * turns and prints what is found of them; train also writes resources/guard-orders.json. Uses the case bank where it
 * lies beside the project. The same inputs give the same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { BUILT_IN_GUARD_POLICY } from '../../shared/guard-policy.ts'
import { createClassifier } from '../../electron/engine/guardrails/classifier.ts'
import { readGuardModel } from '../../electron/engine/guardrails/guard-model.ts'
import { FEATURES } from '../../electron/engine/guardrails/orders/features.ts'
import { createWordClasses } from '../../electron/engine/guardrails/orders/word-classes.ts'
import { type GuardText, readCaseBank, readGuardTexts, readPackageTexts } from '../guard/read-guard-texts.ts'
import {
  type Fitted,
  fitSeveral,
  marginOfText,
  MOST_OF_WORDINGS,
  toTrainingText,
  type TrainingText,
  WORDINGS,
} from './fit-orders.ts'
import { seededRandom } from './seeded-random.ts'

const RESOURCES = new URL('../../resources/', import.meta.url)
const FOLDS = 8
/** Of the division into folds: figures move by several points with it. */
const DIVISION = Number(process.argv[3] ?? 5)
const FITS = 3
/** Shares of hard benign texts, none of whose source was in the training, that may have a probability of 0.5, and 0.2. */
const HALF = 0.013
const FIFTH = 0.06
/** Wordings that say less are left out of the file. */
const LEAST_WEIGHT = 0.02

interface Judged {
  readonly text: GuardText
  readonly margin: number
}

const { threshold, markFrom } = BUILT_IN_GUARD_POLICY

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const words = createWordClasses(JSON.parse(readFileSync(new URL('guard-words.json', RESOURCES), 'utf8')))
const texts = [...readGuardTexts(), ...readCaseBank(), ...readPackageTexts()].map((text) =>
  toTrainingText(text, words),
)
const usable = texts.filter(({ text }) => !text.isMeasuredOnly)
say(`${texts.length} texts, ${usable.length} of them for training, ${FEATURES.length} features.`)

const judged = crossValidate()
const margins = judged
  .filter(({ text }) => text.set === 'hard benign')
  .map(({ margin }) => margin)
  .sort((a, b) => b - a)
const marginAt = (share: number): number => margins[Math.floor(share * margins.length)] ?? 0
const [half, fifth] = [marginAt(HALF), marginAt(FIFTH)]
say(`0.5 is a margin of ${half.toFixed(2)}, 0.2 of ${fifth.toFixed(2)}.\n`)
const scale = Math.log(4) / (half - fifth)
const classifier = createClassifier(readGuardModel())
const scores = new Map(judged.map(({ text, margin }) => [text, scoreOf(text, margin)]))
printTables()

if (process.argv[2] === 'train') {
  const { weights, wordings, bias } = fitSeveral(usable, FITS)
  const rounded = (value: number): number => Number((value * scale).toFixed(3))
  const named = FEATURES.map((name, column) => [name, rounded(weights[column] ?? 0)] as const)
  const file = {
    bias: rounded(bias - half),
    weights: Object.fromEntries(named.filter(([, weight]) => weight !== 0)),
    mostOfWordings: rounded(MOST_OF_WORDINGS),
    wordings: Object.fromEntries(
      WORDINGS.map((name, index) => [name, rounded(wordings[index] ?? 0)] as const).filter(
        ([, weight]) => Math.abs(weight) >= LEAST_WEIGHT,
      ),
    ),
  }
  writeFileSync(new URL('guard-orders.json', RESOURCES), `${JSON.stringify(file, undefined, 1)}\n`)
  say('Written: resources/guard-orders.json.')
}

/** Each text by a model that saw nothing of its family or source. */
function crossValidate(): Judged[] {
  const random = seededRandom(DIVISION)
  const fitted = texts.filter(({ text }) => text.set !== 'made')
  const families = [...new Set(fitted.map(({ text }) => text.family))]
  const fold = new Map(families.map((family) => [family, Math.floor(random() * FOLDS)]))
  return Array.from({ length: FOLDS }, (_, index) => index).flatMap((index) => {
    const isOut = ({ text }: TrainingText): boolean => fold.get(text.family) === index
    const model: Fitted = fitSeveral(
      usable.filter((each) => !isOut(each)),
      1,
    )
    return texts.filter(isOut).map((each) => ({ text: each.text, margin: marginOfText(model, each) }))
  })
}

/** With the classifier, which was fitted to the case bank and to none of the other sets. */
function scoreOf({ text }: GuardText, margin: number): number {
  const order = 1 / (1 + Math.exp(-scale * (margin - half)))
  const other = Math.max(0, ...classifier.scanText(text).map(({ score }) => score))
  return 1 - (1 - order) * (1 - other)
}

function printTables(): void {
  const share = (list: readonly Judged[], least: number): string =>
    list.length === 0
      ? '–'
      : ((100 * list.filter(({ text }) => (scores.get(text) ?? 0) >= least).length) / list.length).toFixed(1)
  const row = (name: string, pick: (text: GuardText) => boolean): void => {
    const list = judged.filter(({ text }) => pick(text))
    if (list.length > 0)
      say(`| ${name} | ${list.length} | ${share(list, threshold)} | ${share(list, markFrom)} |`)
  }
  const isOwn = ({ set }: GuardText): boolean => set === 'attacks'
  const isEncoded = ({ family }: GuardText): boolean =>
    /^(?:typography|encodings|split-over-fields)$/.test(family)
  say('| left out of training | texts | quarantined, % | quarantined or marked, % |\n|---|---|---|---|')
  row('**overt, all**', (text) => isOwn(text) && text.isOvert)
  row(
    'overt, plain English',
    (text) => isOwn(text) && text.isOvert && text.language === 'en' && !isEncoded(text),
  )
  const isQuiet = ({ id }: GuardText): boolean => /-q\d+$/.test(id)
  row('of these, quiet', (text) => isOwn(text) && text.isOvert && isQuiet(text))
  row(
    'of these, the others',
    (text) => isOwn(text) && text.isOvert && text.language === 'en' && !isEncoded(text) && !isQuiet(text),
  )
  row('overt, other languages', (text) => isOwn(text) && text.isOvert && text.language !== 'en')
  row('**bare**', (text) => isOwn(text) && !text.isOvert)
  row('of these, quiet', (text) => isOwn(text) && !text.isOvert && isQuiet(text))
  row('buried in 20 to 60 kB', (text) => isOwn(text) && text.carrier === 'buried')
  row('**hard benign**', ({ set }) => set === 'hard benign')
  row('their pieces', ({ set }) => set === 'pieces')
  row('everyday messages', ({ set, family }) => set === 'messages' && !family.startsWith('own-quiet'))
  row('messages worded like quiet attacks', ({ family }) => family.startsWith('own-quiet'))
  row('**tool outputs**', ({ set }) => set === 'tool outputs')
  row('licences, changelogs, READMEs', ({ set }) => set === 'package documents')
  for (const set of ['attacks', 'case bank', 'hard benign', 'package documents'] as const)
    for (const family of new Set(
      judged.filter(({ text }) => text.set === set).map(({ text }) => text.family),
    ))
      for (const isAttack of [true, false])
        row(
          `${family}${set === 'case bank' ? (isAttack ? ', attacks' : ', benign') : ''}`,
          (text) => text.set === set && text.family === family && text.isAttack === isAttack,
        )
}
