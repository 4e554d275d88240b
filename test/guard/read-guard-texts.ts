import { existsSync, globSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { seededRandom } from '../train/seeded-random.ts'

/** A labelled text for training or measuring the guard. */
export interface GuardText {
  readonly id: string
  /** What is left out of training as a whole: a family of attacks, or a source. */
  readonly family: string
  /** Whose texts are left out together, where that is more than a family. */
  readonly writer?: string
  readonly set:
    | 'attacks'
    | 'unseen attacks'
    | 'unseen benign'
    | 'hard benign'
    | 'messages'
    | 'counterparts'
    | 'public attacks'
    | 'public ordinary'
    | 'authors attacks'
    | 'authors ordinary'
    | 'writers attacks'
    | 'writers ordinary'
    | 'tool outputs'
    | 'pieces'
    | 'package documents'
    | 'program messages'
    | 'random words'
    | 'made'
    | 'case bank'
  readonly isAttack: boolean
  /** Says openly that rules are dropped, another speaks, or something is kept from the user. */
  readonly isOvert: boolean
  readonly language: string
  readonly carrier: string
  /** The attack's words, where they stand in plain letters. */
  readonly payload?: string
  readonly text: string
  /** Only for measuring: its licence does not allow training, or it is there to judge. */
  readonly isMeasuredOnly: boolean
}

interface Row {
  readonly id: string
  readonly family?: string
  readonly source: string
  readonly overt?: boolean | null
  readonly language?: string
  readonly carrier?: string
  readonly payload?: string
  readonly text: string
  readonly label?: string
  readonly document?: string
}

const rowsOf = (path: string | URL): Row[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .trim()
    .split('\n')
    .map((line): Row => JSON.parse(line))

const ours = (file: string): Row[] => rowsOf(new URL(file, import.meta.url))

const text = (row: Row, set: GuardText['set'], over: Partial<GuardText> = {}): GuardText => ({
  id: row.id,
  family: row.family ?? row.source,
  set,
  isAttack: set.endsWith('attacks') || set === 'made',
  isOvert: row.overt === true,
  language: row.language ?? 'en',
  carrier: row.carrier ?? '',
  ...(row.payload === undefined ? {} : { payload: row.payload }),
  text: row.text,
  isMeasuredOnly: false,
  ...over,
})

/** Our own messages are left out a part at a time: the same sentence stands in two carriers. */
const PARTS = 6
const OF_EACH_KIND = 6
const LONGEST = 20_000

/** Chats, commits, alerts and the like: left out a kind at a time. */
const isOneKind = (source: string): boolean => /^own-(?:dense|counter) /.test(source)

/** All texts of this repository. */
export function readGuardTexts(): GuardText[] {
  const hard = ours('hard-benign.jsonl.gz').map((row) => text(row, 'hard benign'))
  const outputs = readToolOutputs()
  return [
    ...ours('attacks.jsonl.gz').map((row) => text(row, 'attacks')),
    ...hard,
    ...ours('own-benign.jsonl.gz').map((row, index) =>
      text(row, row.source.startsWith('own-counter ') ? 'counterparts' : 'messages', {
        family: isOneKind(row.source) ? row.source : `${row.source} ${Math.floor(index / 2) % PARTS}`,
      }),
    ),
    ...outputs,
    ...piecesOf([...hard, ...outputs]),
    ...ours('made-attacks.jsonl.gz').map((row) => text(row, 'made')),
  ]
}

/** What programs say to their users: left out a part at a time. */
export const readProgramMessages = (): GuardText[] =>
  ours('messages.jsonl.gz').map((row, index) =>
    text(row, 'program messages', { family: `${row.source} ${index % PARTS}` }),
  )

/** Attacks that others published, and ordinary texts beside them: left out a repository at a time. */
export const readPublicTexts = (): GuardText[] =>
  ours('public.jsonl.gz').map((row) =>
    text(row, row.label === 'attack' ? 'public attacks' : 'public ordinary'),
  )

/** Of writers who knew neither each other's texts nor the guard: left out a writer at a time. */
export function readTextsOfWriters(): GuardText[] {
  const texts = ours('writers.jsonl.gz').map((row) =>
    text(row, row.label === 'attack' ? 'writers attacks' : 'writers ordinary', {
      writer: row.id.slice(0, 2),
    }),
  )
  return [...texts, ...buriedIn(longDocuments(), texts)]
}

/** Of the attacks that are put into long documents, too: each so many. */
const EACH = 24
const LEAST_LONG = 8000

const longDocuments = (): string[] =>
  ours('package-benign.jsonl.gz')
    .map((row) => row.text)
    .filter(({ length }) => length >= LEAST_LONG)

/** Attacks in the middle of long ordinary documents, so that to stand in a short text is no sign of one. */
function buriedIn(documents: readonly string[], texts: readonly GuardText[]): GuardText[] {
  const random = seededRandom(13)
  return texts
    .filter(({ isAttack, isOvert }) => isAttack && isOvert)
    .filter((_, index) => index % EACH === 0)
    .map((each, index) => {
      const document = documents[index % documents.length] ?? ''
      const at = document.indexOf('\n', Math.floor(random() * document.length * 0.9)) + 1
      const whole = `${document.slice(0, at)}\n${each.payload ?? each.text}\n\n${document.slice(at)}`
      return { ...each, id: `${each.id}-buried`, carrier: 'buried', text: whole }
    })
}

/** Beside the project, not part of it: attacks and ordinary texts of some 50 authors, left out an author at a time. */
const MANY_AUTHORS =
  process.env['SLUICE_GUARD_TEXTS'] ??
  new URL('../../../shared/cases/injection-authors.jsonl.gz', import.meta.url)

export function readTextsOfManyAuthors(): GuardText[] {
  if (!existsSync(MANY_AUTHORS)) return []
  return rowsOf(MANY_AUTHORS).map((row) =>
    text(row, row.label === 'attack' ? 'authors attacks' : 'authors ordinary'),
  )
}

/** Licences, changelogs and READMEs of half of the installed packages, and pieces of them. */
export function readPackageTexts(): GuardText[] {
  const documents = ours('package-benign.jsonl.gz').map((row) => text(row, 'package documents'))
  return [
    ...documents,
    ...piecesOf(documents).map((piece): GuardText => ({ ...piece, set: 'package documents' })),
  ]
}

/** Written before any of their misses was looked at, and before the weights were fitted: for measuring only. */
export const readUnseenTexts = (which: 'first' | 'second' | 'third' | 'fourth' | 'pieces'): GuardText[] => {
  const prefix = which === 'first' ? '' : `${which}-`
  return [
    ...ours(`${prefix}unseen-attacks.jsonl.gz`).map((row) => text(row, 'unseen attacks')),
    ...ours(`${prefix}unseen-benign.jsonl.gz`).map((row) => text(row, 'unseen benign')),
  ].map((each) => ({ ...each, isMeasuredOnly: true }))
}

/** The documents of the compression cases. */
function readToolOutputs(): GuardText[] {
  const root = new URL('../cases/', import.meta.url)
  return globSync('*/*.jsonl.gz', { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const family = path.split('/')[0] ?? ''
      const documents = [...new Set(rowsOf(new URL(path, root)).map((row) => row.document ?? ''))]
      return documents
        .slice(0, OF_EACH_KIND)
        .map((document, index) =>
          text(
            { id: `${family}-${index}`, source: family, text: document.slice(0, LONGEST) },
            'tool outputs',
          ),
        )
    })
}

const LEAST_PIECE = 200
const MOST_PIECE = 1500

/** Short parts of long texts, so that to be short is no sign of an attack. */
function piecesOf(texts: readonly GuardText[]): GuardText[] {
  const random = seededRandom(11)
  return texts
    .filter(({ text: whole }) => whole.length > MOST_PIECE)
    .map((each) => {
      const length = LEAST_PIECE + Math.floor(random() * random() * MOST_PIECE)
      const from = each.text.indexOf('\n', Math.floor(random() * (each.text.length - length))) + 1
      return { ...each, id: `${each.id}-piece`, set: 'pieces', text: each.text.slice(from, from + length) }
    })
}

/** Beside the project, not part of it: labelled cases of others. */
const BANK = new URL('../../../shared/cases/injection.dev.jsonl.gz', import.meta.url)
const MEASURED_ONLY = /WildGuard|PINT|InjecGuard validation|LiveMCPBench/

export function readCaseBank(): GuardText[] {
  return rowsOf(BANK).map((row) => {
    const isAttack = row.label === 'attack'
    const source = row.source.split(/[ (]/, 1)[0] ?? ''
    return text(row, 'case bank', {
      family: source,
      isAttack,
      isMeasuredOnly: MEASURED_ONLY.test(row.source),
    })
  })
}
