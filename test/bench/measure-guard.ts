/**
 * The guard's recall and false alarms per family, on texts outside its training: guard-texts.ts, and a folder with
 * `injection*.jsonl.gz` (id, text, label attack or benign, overt?, family?, source?). node
 * test/bench/measure-guard.ts [--dir FOLDER] [--source WORD] [--unseen first | second | third | fourth | pieces] [--packages]
 * `--packages` reads the documents of those installed packages that no training sees. `--unseen` reads texts of test/guard that no training sees; measure seldom, and never tune by them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { createScanText } from '../../electron/engine/guardrails/scan-text.ts'
import { readGuardModels } from '../../electron/engine/guardrails/guard-models.ts'
import { BUILT_IN_GUARD_POLICY } from '../../shared/guard-policy.ts'
import { readUnseenTexts } from '../guard/read-guard-texts.ts'
import { readPackageDocuments } from '../train/package-documents.ts'
import { GUARD_TEXTS } from './guard-texts.ts'

const Case = z.object({
  text: z.string(),
  label: z.enum(['attack', 'benign']),
  overt: z.boolean().optional(),
  family: z.string().optional(),
  source: z.string().optional(),
  language: z.string().optional(),
})
type Case = z.infer<typeof Case>

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    source: { type: 'string' },
    unseen: { type: 'string' },
    packages: { type: 'boolean' },
  },
})

const own = Object.entries(GUARD_TEXTS).flatMap(([family, { open, bare }]): Case[] => [
  ...open.map((text): Case => ({ text, label: 'attack', overt: true, family })),
  ...bare.map((text): Case => ({ text, label: 'attack', overt: false, family })),
])

const casesIn = (folder: string): Case[] =>
  readdirSync(folder)
    .filter((name) => /^injection.*\.jsonl\.gz$/.test(name))
    .flatMap((name) =>
      gunzipSync(readFileSync(join(folder, name)))
        .toString('utf8')
        .trim()
        .split('\n'),
    )
    .map((line) => Case.parse(JSON.parse(line)))
    .filter(({ source }) => values.source === undefined || source?.includes(values.source) === true)

const kindOf = ({ label, overt }: Case): string => {
  if (label === 'benign') return 'benign: alarms'
  return overt ? 'open: found' : 'bare: found'
}

const scan = createScanText(readGuardModels())
const tally = new Map<string, { flagged: number; marked: number; all: number }>()
const unseen = (): Case[] =>
  readUnseenTexts(z.enum(['first', 'second', 'third', 'fourth', 'pieces']).parse(values.unseen)).map(
    ({ text, isAttack, isOvert, family, language }) => ({
      text,
      label: isAttack ? 'attack' : 'benign',
      overt: isOvert,
      family,
      language,
    }),
  )
const ofPackages = (): Case[] =>
  readPackageDocuments()
    .filter(({ isHeldOut }) => isHeldOut)
    .map(({ kind, text }) => ({ text, label: 'benign', family: kind }))
const cases = (): Case[] => {
  if (values.packages === true) return ofPackages()
  if (values.unseen !== undefined) return unseen()
  return values.dir === undefined ? own : casesIn(values.dir)
}
for (const each of cases()) {
  const { verdict, score } = scan(each.text)
  const isFlagged = verdict === 'attack'
  const isMarked = score >= BUILT_IN_GUARD_POLICY.markFrom
  const isEnglish = each.label === 'attack' && each.language === 'en'
  for (const family of [each.family ?? each.source ?? '-', 'all', ...(isEnglish ? ['all, English'] : [])]) {
    const key = `| ${kindOf(each)} | ${family} |`
    const { flagged, marked, all } = tally.get(key) ?? { flagged: 0, marked: 0, all: 0 }
    tally.set(key, {
      flagged: flagged + (isFlagged ? 1 : 0),
      marked: marked + (isMarked ? 1 : 0),
      all: all + 1,
    })
  }
}
process.stdout.write('| kind | family | of | % | or marked, % |\n|---|---|---|---|---|\n')
for (const [key, { flagged, marked, all }] of [...tally].sort(([one], [other]) => one.localeCompare(other)))
  process.stdout.write(
    `${key} ${flagged} of ${all} | ${((100 * flagged) / all).toFixed(1)} | ${((100 * marked) / all).toFixed(1)} |\n`,
  )
