/**
 * Trains the guardrails' classifier: `node test/train/train-guard-model.ts [train | cv | sources]`. train writes
 * resources/guard-model.*; cv only cross-validates over groups; sources leaves out one source at a time. Needs the
 * labelled cases beside the project. The same inputs give the same bytes.
 */
import { writeFileSync } from 'node:fs'
import { BUCKETS } from '../../electron/engine/guardrails/hashed-windows.ts'
import { crossValidate, leaveOut } from './evaluate.ts'
import { quantise } from './quantise.ts'
import { EXCLUDED_SOURCES, readInjectionCases } from './read-cases.ts'
import { falseAlarms, recallTable, verdictRow, verdictTable } from './tables.ts'
import { trainModel } from './train-model.ts'
import { collectTrainingTexts } from './training-texts.ts'

const RESOURCES = new URL('../../resources/', import.meta.url)
const SOURCES: readonly (readonly [string, RegExp])[] = [
  ['InjecAgent', /InjecAgent/],
  ['BIPIA', /BIPIA/],
  ['AgentDojo', /AgentDojo/],
  ['ASB', /^ASB/],
  ['garak', /garak/],
  ['PINT (never trained on)', /PINT/],
  ['LiveMCPBench (never trained on)', /LiveMCP/],
]

const say = (text: string): void => void process.stdout.write(`${text}\n\n`)

const [mode = 'cv'] = process.argv.slice(2)
const cases = readInjectionCases()
const others = collectTrainingTexts()
say(
  `${cases.length} cases, ${cases.filter(({ usable }) => usable).length} of them usable; ${others.length} other texts. Left out: ${EXCLUDED_SOURCES.map(([pattern, why]) => `${pattern.source} (${why})`).join(', ')}.`,
)

const { calibration, judged } = crossValidate(cases, others)
say(`Threshold ${calibration.threshold.toFixed(3)}, steepness ${calibration.steepness}.`)
say(`Model alone, cross-validated\n\n${recallTable(judged, ({ margin }) => margin)}`)
say(`Rules and model, cross-validated\n\n${recallTable(judged, ({ score }) => score)}`)
say(falseAlarms(judged))
say(verdictTable(judged))

if (mode === 'sources') {
  say(
    'One source left out, rules and model at the default threshold\n\n| source | n | overt | bare | false alarms |\n|---|---|---|---|---|',
  )
  for (const [name, pattern] of SOURCES)
    process.stdout.write(`${verdictRow(name, leaveOut(pattern, cases, others, calibration))}\n`)
}

if (mode === 'train') {
  const { weights, scale, bias } = quantise(
    trainModel([...cases.filter(({ usable }) => usable), ...others]),
    calibration,
  )
  const header = { buckets: BUCKETS, scale, bias, ...calibration }
  writeFileSync(new URL('guard-model.bin', RESOURCES), weights)
  writeFileSync(new URL('guard-model.json', RESOURCES), `${JSON.stringify(header, undefined, 2)}\n`)
  say('Written: resources/guard-model.bin and resources/guard-model.json.')
}
