/**
 * Fits the guard's weights: `node test/train/train-guard.ts [cv | train] [DIVISION …]`. cv leaves out whole families and sources by
 * turns and prints what is found of them, of several divisions the mean and deviation; train also writes resources/guard-orders.json, guard-wordings.txt and guard-words.txt (of test/train/guard-words.json). Uses the case bank where it
 * lies beside the project. The same inputs give the same bytes.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { BUILT_IN_GUARD_POLICY } from '../../shared/guard-policy.ts'
import { createClassifier } from '../../electron/engine/guardrails/classifier.ts'
import { readGuardModel } from '../../electron/engine/guardrails/guard-model.ts'
import { FEATURES } from '../../electron/engine/guardrails/orders/features.ts'
import { createWordClasses } from '../../electron/engine/guardrails/orders/word-classes.ts'
import { MOST_WORDINGS, weightLines } from '../../electron/engine/guardrails/orders/wording-weights.ts'
import {
  type GuardText,
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
  marginsOfText,
  MOST_OF_WORDINGS,
  toTrainingText,
  type TrainingText,
  WORDINGS,
} from './fit-orders.ts'
import { type WordLists, wordLines } from './word-lines.ts'
import { wordSalads } from './word-salads.ts'

const RESOURCES = new URL('../../resources/', import.meta.url)
const FOLDS = 8
/** Of the divisions into folds: figures move by several points with each. */
const DIVISIONS = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [5]
const FITS = 3
/** Shares of hard benign texts, none of whose source was in the training, that may have a probability of 0.5, and 0.2. */
const HALF = 0.0125
const FIFTH = 0.06
/** Share of ordinary texts of writers in other languages than English that may have 0.5; in steps of a margin. */
const FOREIGN = 0.04
const FOREIGN_STEP = 0.25
const MOST_FOREIGN = 4
/** Wordings that say less are left out of the file. */
const LEAST_WEIGHT = 0.04

const LATEST =
  /^(?:github-site-policy|awesome-copilot|pagerduty-incident-response|owasp-llm-top-10|mitre-atlas|18f-handbook|prometheus-runbooks|model-spec|llm-guard-docs|basecamp-policies)$/

interface Judged {
  readonly each: TrainingText
  /** That saw nothing of the text's family or source. */
  readonly model: Fitted
}

interface Run {
  readonly half: number
  readonly scale: number
  readonly foreign: number
  readonly scores: ReadonlyMap<GuardText, number>
}

const { threshold, markFrom } = BUILT_IN_GUARD_POLICY

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const lines = wordLines(
  JSON.parse(readFileSync(new URL('guard-words.json', import.meta.url), 'utf8')) as WordLists,
)
const words = createWordClasses(Buffer.from(lines))
const manyAuthors = readTextsOfManyAuthors()
if (manyAuthors.length === 0)
  say('Without the texts of many authors (docs/guardrails.md): other weights come out.')
const written = [
  ...readGuardTexts(),
  ...readPublicTexts(),
  ...manyAuthors,
  ...readTextsOfWriters(),
  ...readCaseBank(),
  ...readPackageTexts(),
  ...readProgramMessages(),
]
const texts = keepSharedWordings(
  [...written, ...wordSalads(written)].map((text) => toTrainingText(text, words)),
)
const usable = texts.filter(({ text }) => !text.isMeasuredOnly)
say(`${texts.length} texts, ${usable.length} of them for training, ${FEATURES.length} features.`)

const classifier = createClassifier(readGuardModel())
const support = new Map(
  texts.map(({ text }) => [text, Math.max(0, ...classifier.scanText(text.text).map(({ score }) => score))]),
)
const runs = DIVISIONS.map(judge)
const half = mean(runs.map((run) => run.half))
const scale = mean(runs.map((run) => run.scale))
const foreign = mean(runs.map((run) => run.foreign))
say(`Sentences in other letters than English has: ${foreign.toFixed(2)} more.`)
say(`0.5 is a margin of ${half.toFixed(2)}, 0.2 of ${(half - Math.log(4) / scale).toFixed(2)}.\n`)
printTables()

if (process.argv[2] === 'train') {
  const { weights, wordings, bias } = withForeign(fitSeveral(usable, FITS), foreign)
  const rounded = (value: number): number => Number((value * scale).toFixed(3))
  const named = FEATURES.map((name, column) => [name, rounded(weights[column] ?? 0)] as const)
  const file = {
    bias: rounded(bias - half),
    weights: Object.fromEntries(named.filter(([, weight]) => weight !== 0)),
    mostOfWordings: rounded(MOST_OF_WORDINGS),
  }
  const met = new Uint32Array(WORDINGS.length)
  for (const { passages } of usable)
    for (const passage of passages) for (const index of passage.wordings) met[index] = (met[index] ?? 0) + 1
  // What a wording changes is its weight each time that it is met.
  const said = WORDINGS.map((name, index) => ({
    name,
    weight: rounded(wordings[index] ?? 0),
    met: met[index] ?? 0,
  }))
    .filter(({ weight }) => Math.abs(weight) >= LEAST_WEIGHT)
    .sort((x, y) => Math.abs(y.weight) * Math.sqrt(y.met) - Math.abs(x.weight) * Math.sqrt(x.met))
  say(`${said.length} wordings, of which the guard's table has room for ${MOST_WORDINGS}.`)
  const kept = said.slice(0, MOST_WORDINGS).sort((x, y) => (x.name < y.name ? -1 : 1))
  writeFileSync(new URL('guard-orders.json', RESOURCES), `${JSON.stringify(file, undefined, 1)}\n`)
  writeFileSync(
    new URL('guard-wordings.txt', RESOURCES),
    weightLines(Object.fromEntries(kept.map(({ name, weight }) => [name, weight]))),
  )
  writeFileSync(new URL('guard-words.txt', RESOURCES), lines)
  say('Written: resources/guard-orders.json, guard-wordings.txt, guard-words.txt.')
}

/** By one division into folds: each text by a model that saw nothing of its family or source. */
function judge(division: number): Run {
  const judged = crossValidate(division)
  const highest = (list: readonly Judged[], more: number): number[] =>
    list
      .map(({ each, model }) => marginAmongOthers(marginsOfText(withForeign(model, more), each)))
      .sort((a, b) => b - a)
  const margins = highest(
    judged.filter(({ each }) => each.text.set === 'hard benign'),
    0,
  )
  const marginAt = (share: number): number => margins[Math.floor(share * margins.length)] ?? 0
  const middle = marginAt(HALF)
  const factor = Math.log(4) / (middle - marginAt(FIFTH))
  const ordinary = judged.filter(
    ({ each: { text } }) => text.set === 'writers ordinary' && text.language !== 'en',
  )
  let more = 0
  const alarms = (): number =>
    highest(ordinary, more + FOREIGN_STEP).filter((margin) => margin > middle).length
  while (more < MOST_FOREIGN && alarms() <= FOREIGN * ordinary.length) more += FOREIGN_STEP
  const scoreOf = ({ each, model }: Judged): number => {
    const odds = marginsOfText(withForeign(model, more), each).map((view) =>
      view.map((margin) => factor * (margin - middle)),
    )
    const order = 1 / (1 + Math.exp(-marginAmongOthers(odds)))
    // The classifier was fitted to the case bank and to none of the other sets.
    return 1 - (1 - order) * (1 - (support.get(each.text) ?? 0))
  }
  say(`Division ${division}: done.`)
  return {
    half: middle,
    scale: factor,
    foreign: more,
    scores: new Map(judged.map((one) => [one.each.text, scoreOf(one)])),
  }
}

/** Fewer texts in other languages are in the training, so a sentence of a new hand is told by fewer wordings. */
function withForeign(model: Fitted, more: number): Fitted {
  const weights = model.weights.slice()
  const column = FEATURES.indexOf('foreign')
  weights[column] = (weights[column] ?? 0) + more
  return { ...model, weights }
}

function crossValidate(division: number): Judged[] {
  const groupOf = ({ family, writer }: GuardText): string => writer ?? family
  const groups = new Set(texts.filter(({ text }) => text.set !== 'made').map(({ text }) => groupOf(text)))
  // By its name: a new family moves no other one.
  const fold = new Map([...groups].map((group) => [group, foldOf(`${String(division)} ${group}`)]))
  return Array.from({ length: FOLDS }, (_, index) => index).flatMap((index) => {
    const isOut = ({ text }: TrainingText): boolean => fold.get(groupOf(text)) === index
    const model: Fitted = fitSeveral(
      usable.filter((each) => !isOut(each)),
      1,
    )
    return texts.filter(isOut).map((each) => ({ each, model }))
  })
}

function foldOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32LE() % FOLDS
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function printTables(): void {
  const all = texts.map(({ text }) => text).filter(({ set }) => set !== 'made')
  const share = (list: readonly GuardText[], least: number): string => {
    const shares = runs.map(
      ({ scores }) => (100 * list.filter((text) => (scores.get(text) ?? 0) >= least).length) / list.length,
    )
    const middle = mean(shares)
    if (shares.length === 1) return middle.toFixed(1)
    const spread = Math.sqrt(
      shares.reduce((sum, each) => sum + (each - middle) ** 2, 0) / (shares.length - 1),
    )
    return `${middle.toFixed(1)} ± ${spread.toFixed(1)}`
  }
  const row = (name: string, pick: (text: GuardText) => boolean): void => {
    const list = all.filter(pick)
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
  const isLatest = ({ id }: GuardText): boolean => id.startsWith('seventh')
  const isQuiet = ({ id }: GuardText): boolean => /-q\d+$/.test(id)
  row('of these, quiet', (text) => isOwn(text) && text.isOvert && isQuiet(text))
  row(
    'of these, the others',
    (text) => isOwn(text) && text.isOvert && text.language === 'en' && !isEncoded(text) && !isQuiet(text),
  )
  row('overt, other languages', (text) => isOwn(text) && text.isOvert && text.language !== 'en')
  row('overt, of 2026-11-26', (text) => isOwn(text) && text.isOvert && /^(?:third|fourth)/.test(text.id))
  row(
    'overt, in the ways of published attacks',
    (text) => isOwn(text) && text.isOvert && text.id.startsWith('sixth'),
  )
  row('**bare**', (text) => isOwn(text) && !text.isOvert)
  row('of these, quiet', (text) => isOwn(text) && !text.isOvert && isQuiet(text))
  row('of these, of 2026-11-26', (text) => isOwn(text) && !text.isOvert && /^(?:third|fourth)/.test(text.id))
  row(
    'of these, in the ways of published attacks',
    (text) => isOwn(text) && !text.isOvert && text.id.startsWith('sixth'),
  )
  row('of these, known to the fit before', (text) => isOwn(text) && text.isOvert && !isLatest(text))
  row(
    'overt, plain English, known to the fit before',
    (text) => isOwn(text) && text.isOvert && text.language === 'en' && !isEncoded(text) && !isLatest(text),
  )
  row('bare, known to the fit before', (text) => isOwn(text) && !text.isOvert && !isLatest(text))
  row('overt, written in one go on 2026-11-26', (text) => isOwn(text) && text.isOvert && isLatest(text))
  row('public attacks, a repository left out', ({ set }) => set === 'public attacks')
  row('attacks of many authors, an author left out', ({ set }) => set === 'authors attacks')
  const isOfWriters = ({ set, carrier }: GuardText): boolean =>
    set === 'writers attacks' && carrier !== 'buried'
  row('**writers, overt, a writer left out**', (text) => isOfWriters(text) && text.isOvert)
  row('of these, English', (text) => isOfWriters(text) && text.isOvert && text.language === 'en')
  row('of these, other languages', (text) => isOfWriters(text) && text.isOvert && text.language !== 'en')
  for (const language of new Set(all.filter(isOfWriters).map((text) => text.language)))
    row(`of these, ${language}`, (text) => isOfWriters(text) && text.isOvert && text.language === language)
  row(
    'of these, in documents of 8 to 20 kB',
    ({ set, carrier }) => set === 'writers attacks' && carrier === 'buried',
  )
  row('writers, bare', (text) => isOfWriters(text) && !text.isOvert)
  row('writers, ordinary texts', ({ set }) => set === 'writers ordinary')
  row('of these, English', ({ set, language }) => set === 'writers ordinary' && language === 'en')
  row('of these, other languages', ({ set, language }) => set === 'writers ordinary' && language !== 'en')
  for (const writer of new Set(all.flatMap((text) => text.writer ?? []))) {
    row(`writer ${writer}, overt`, (text) => isOfWriters(text) && text.isOvert && text.writer === writer)
    row(`writer ${writer}, bare`, (text) => isOfWriters(text) && !text.isOvert && text.writer === writer)
    row(`writer ${writer}, ordinary`, (text) => text.set === 'writers ordinary' && text.writer === writer)
  }
  row('public ordinary texts', ({ set }) => set === 'public ordinary')
  row('ordinary texts of many authors', ({ set }) => set === 'authors ordinary')
  row('buried in 20 to 60 kB', (text) => isOwn(text) && text.carrier === 'buried')
  row('**hard benign**', ({ set }) => set === 'hard benign')
  row('of these, of 2026-11-26', ({ set, family }) => set === 'hard benign' && LATEST.test(family))
  row('their pieces', ({ set }) => set === 'pieces')
  row(
    'everyday messages',
    ({ set, family }) => set === 'messages' && /^own-(?:messages|carriers) /.test(family),
  )
  row('messages worded like quiet attacks', ({ family }) => family.startsWith('own-quiet'))
  row('messages of 2026-11-26', ({ family }) => /^own-(?:notes|agents|work|messages-languages)/.test(family))
  row('short dense texts', ({ family }) => family.startsWith('own-dense'))
  row('counterparts of overrides', ({ set }) => set === 'counterparts')
  row('**tool outputs**', ({ set }) => set === 'tool outputs')
  row('messages of programs', ({ set }) => set === 'program messages')
  row('common words in random order', ({ set }) => set === 'random words')
  row('licences, changelogs, READMEs', ({ set }) => set === 'package documents')
  for (const set of [
    'attacks',
    'public attacks',
    'authors attacks',
    'case bank',
    'hard benign',
    'package documents',
  ] as const)
    for (const family of new Set(all.filter((text) => text.set === set).map(({ family }) => family)))
      for (const isAttack of [true, false])
        row(
          `${family}${set === 'case bank' ? (isAttack ? ', attacks' : ', benign') : ''}`,
          (text) => text.set === set && text.family === family && text.isAttack === isAttack,
        )
}
