import { DEEDS, SHOWN } from './deeds.ts'
import type { Sentence } from './sentences.ts'
import { MARKS, type Mark, markBit } from './marks.ts'
import { bitOf, CLASSES, type WordClass } from './word-classes.ts'

/** Marks that mean something together with words. */
const PAIRED: readonly Mark[] = [
  'imperative',
  'inner',
  'question',
  'template',
  'speaker',
  'boundary',
  'role',
  'call',
  'url',
  'email',
  'path',
  'placeholder',
  'shell',
  'snake',
  'quoted',
  'comment',
  'foreign',
  'called',
  'addressed',
]
/** Words of an order in two sentences. */
const SPREAD: readonly WordClass[] = [
  'drop',
  'rules',
  'model',
  'you',
  'user',
  'covert',
  'send',
  'run',
  'change',
  'read',
  'secret',
  'authority',
  'oblige',
  'reader',
  'approve',
  'money',
  'attack',
  'example',
]

/** One column for each thing that can be true: of the words, the place, pairs of them, the neighbours and the text. */
const single = [
  ...CLASSES.map((name) => ({ name, bit: bitOf(name), from: 'classes' as const })),
  ...MARKS.map((name) => ({ name, bit: markBit(name), from: 'marks' as const })),
]
const paired = single.filter(({ name, from }) => from === 'classes' || PAIRED.some((mark) => mark === name))
const pairs = paired.flatMap((a, i) =>
  paired.slice(i + 1).map((b) => ({ a, b, name: `${a.name}+${b.name}` })),
)
const spread = SPREAD.map((name) => ({ name, bit: bitOf(name) }))
const spreadPairs = spread.flatMap((a, i) =>
  spread.slice(i + 1).map((b) => ({ a, b, name: `${a.name}~${b.name}` })),
)

interface Group {
  readonly classes: number
  readonly marks: number
}

function groupOf(names: string): Group {
  const found = names.split(' ').map((name) => single.find((each) => each.name === name))
  const bits = (from: 'classes' | 'marks'): number =>
    found.reduce((sum, each) => (each?.from === from ? sum | each.bit : sum), 0) >>> 0
  return { classes: bits('classes'), marks: bits('marks') }
}

const deeds = DEEDS.map(([name, ...groups]) => ({ name, groups: groups.map(groupOf) }))
const shown = SHOWN.map(([name, group]) => ({ name, group: groupOf(group) }))
/** In the sentence; in the sentence and its neighbours; and in the sentence while it is shown, explained, … */
const PER_DEED = 2 + SHOWN.length

/** Of the whole text: how often a class is met, and how many sentences give orders. */
const COUNTED: readonly WordClass[] = [
  'model',
  'attack',
  'rules',
  'you',
  'person',
  'example',
  'secret',
  'condition',
]
const COUNTED_MARKS: readonly Mark[] = [
  'imperative',
  'heading',
  'code',
  'fenced',
  'item',
  'template',
  'speaker',
  'boundary',
  'role',
]
const STEPS = 5

export const FEATURES: readonly string[] = [
  ...single.map(({ name }) => name),
  ...CLASSES.map((name) => `near ${name}`),
  ...pairs.map(({ name }) => name),
  ...spreadPairs.map(({ name }) => name),
  ...[...COUNTED, ...COUNTED_MARKS].flatMap((name) =>
    Array.from({ length: STEPS }, (_, step) => `text ${name} ${step}`),
  ),
  'disguised',
  ...DEEDS.flatMap(([name]) => [
    `deed ${name}`,
    `deed ${name}, spread`,
    ...SHOWN.map(([how]) => `deed ${name}, ${how}`),
  ]),
]
const NEAR = single.length
const PAIRS = NEAR + CLASSES.length
const SPREAD_PAIRS = PAIRS + pairs.length
const TEXT = SPREAD_PAIRS + spreadPairs.length
const DISGUISED = TEXT + (COUNTED.length + COUNTED_MARKS.length) * STEPS
const DEED = DISGUISED + 1

/** The pairs' columns by their two singles; 0 where there is none. */
const PAIR_COLUMN = new Uint16Array(single.length * single.length)
pairs.forEach(({ a, b }, index) => {
  PAIR_COLUMN[single.indexOf(a) * single.length + single.indexOf(b)] = PAIRS + index
})
const SPREAD_BITS = spread.reduce((bits, { bit }) => bits | bit, 0)
const SPREAD_COLUMN = new Uint16Array(CLASSES.length * CLASSES.length)
spreadPairs.forEach(({ a, b }, index) => {
  const [x, y] = [CLASSES.indexOf(a.name), CLASSES.indexOf(b.name)]
  SPREAD_COLUMN[x * CLASSES.length + y] = SPREAD_COLUMN[y * CLASSES.length + x] = SPREAD_PAIRS + index
})

const meets = ({ classes, marks }: Group, has: Group): boolean =>
  (has.classes & classes) !== 0 || (has.marks & marks) !== 0

/** Words that no order to a model does without one of. */
const HOT: readonly WordClass[] = [
  'drop',
  'rules',
  'instead',
  'void',
  'model',
  'covert',
  'send',
  'run',
  'change',
  'read',
  'secret',
  'tool',
  'press',
  'authority',
  'oblige',
  'obey',
  'persona',
  'reader',
  'approve',
  'memory',
  'money',
  'answer',
  'tell',
  'user',
  'task',
  'you',
  'not',
]
const hot = HOT.map(bitOf).reduce((bits, bit) => bits | bit)
/** Words that say a little: who addresses a reader needs another one. */
const WEAK: readonly WordClass[] = ['you', 'not', 'user', 'task', 'tool', 'tell', 'oblige', 'press']
const ADDRESSED = bitOf('you')
const strong = hot & ~WEAK.map(bitOf).reduce((bits, bit) => bits | bit)
const STRUCTURE = (['template', 'speaker', 'boundary', 'role', 'call'] as const)
  .map(markBit)
  .reduce((bits, bit) => bits | bit)

/** A cheap first look: whether a sentence can give an order. */
export function mayOrder({ classes, marks }: Group): boolean {
  if ((classes & strong) !== 0 || (marks & STRUCTURE) !== 0) return true
  const others = classes & hot & ~ADDRESSED
  return (classes & ADDRESSED) !== 0 && others !== 0
}

const nearClasses = (sentences: readonly Sentence[], index: number): number =>
  ((sentences[index - 1]?.classes ?? 0) | (sentences[index + 1]?.classes ?? 0)) >>> 0

/** More columns than a sentence can have. */
export const MOST_COLUMNS = 4096

/** Columns of the sentence at `index`. `marks`: with those of a closer look. */
export const featuresOf = (sentences: readonly Sentence[], index: number, marks: number): number[] => {
  const found = new Uint16Array(MOST_COLUMNS)
  return Array.from(found.subarray(0, putFeatures(found, sentences, index, marks)))
}

/** Their number; they are the first of `found`. */
export function putFeatures(
  found: Uint16Array,
  sentences: readonly Sentence[],
  index: number,
  marks: number,
): number {
  const sentence = sentences[index]
  if (!sentence) return 0
  const here = { classes: sentence.classes, marks }
  const near = nearClasses(sentences, index)
  let count = putDeeds(found, here, near)
  const first = count
  for (let rest = here.classes; rest !== 0; rest = (rest & (rest - 1)) >>> 0)
    found[count++] = 31 - Math.clz32(rest & -rest)
  for (let rest = marks >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0)
    found[count++] = CLASSES.length + 31 - Math.clz32(rest & -rest)
  const end = count
  for (let rest = near; rest !== 0; rest = (rest & (rest - 1)) >>> 0)
    found[count++] = NEAR + 31 - Math.clz32(rest & -rest)
  for (let i = first; i < end; i++) {
    const row = (found[i] ?? 0) * single.length
    for (let j = i + 1; j < end; j++) {
      const column = PAIR_COLUMN[row + (found[j] ?? 0)] ?? 0
      if (column > 0) found[count++] = column
    }
  }
  const others = (near & SPREAD_BITS & ~here.classes) >>> 0
  for (let rest = (here.classes & SPREAD_BITS) >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
    const row = (31 - Math.clz32(rest & -rest)) * CLASSES.length
    for (let more = others; more !== 0; more = (more & (more - 1)) >>> 0)
      found[count++] = SPREAD_COLUMN[row + 31 - Math.clz32(more & -more)] ?? 0
  }
  return count
}

function putDeeds(found: Uint16Array, here: Group, near: number): number {
  let count = 0
  const aroundClasses = (here.classes | near) >>> 0
  const around = { classes: aroundClasses, marks: here.marks }
  for (let index = 0; index < deeds.length; index++) {
    const groups = deeds[index]?.groups ?? []
    let isHere = true
    let isPartlyHere = false
    let isAround = true
    for (const group of groups) {
      if (meets(group, here)) isPartlyHere = true
      else {
        isHere = false
        if (!meets(group, around)) {
          isAround = false
          break
        }
      }
    }
    if (!isAround || !isPartlyHere) continue
    const column = DEED + index * PER_DEED
    if (!isHere) {
      found[count++] = column + 1
      continue
    }
    found[count++] = column
    for (let how = 0; how < shown.length; how++)
      if (meets(shown[how]?.group ?? NO_GROUP, around)) found[count++] = column + 2 + how
  }
  return count
}
const NO_GROUP: Group = { classes: 0, marks: 0 }

/** Columns that the sentences from `from` to `to` share. */
export function featuresOfText(
  sentences: readonly Sentence[],
  isDisguised: boolean,
  from = 0,
  to = sentences.length,
): number[] {
  const classes = new Uint32Array(CLASSES.length)
  const marks = new Uint32Array(MARKS.length)
  for (let index = from; index < to; index++) {
    const sentence = sentences[index]
    if (!sentence) continue
    count(classes, sentence.classes & COUNTED_BITS)
    count(marks, sentence.marks & COUNTED_MARK_BITS)
  }
  return [
    ...COUNTED_PLACES.map((place, i) => TEXT + i * STEPS + step(classes[place] ?? 0)),
    ...COUNTED_MARK_PLACES.map(
      (place, i) => TEXT + (COUNTED.length + i) * STEPS + share(marks[place] ?? 0, to - from),
    ),
    ...(isDisguised ? [DISGUISED] : []),
  ]
}
const COUNTED_BITS = COUNTED.map(bitOf).reduce((bits, bit) => bits | bit)
const COUNTED_MARK_BITS = COUNTED_MARKS.map(markBit).reduce((bits, bit) => bits | bit)
const COUNTED_PLACES = COUNTED.map((name) => CLASSES.indexOf(name))
const COUNTED_MARK_PLACES = COUNTED_MARKS.map((name) => MARKS.indexOf(name))

/** Adds one for each bit. */
function count(counts: Uint32Array, bits: number): void {
  for (let rest = bits >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
    const index = 31 - Math.clz32(rest & -rest)
    counts[index] = (counts[index] ?? 0) + 1
  }
}

const step = (count: number): number => (count < 3 ? count : count < 8 ? 3 : 4)

function share(count: number, of: number): number {
  if (count === 0) return 0
  const part = count / of
  return part < 0.05 ? 1 : part < 0.15 ? 2 : part < 0.4 ? 3 : 4
}

/** Names of the deeds among these columns. */
export const deedsOf = (columns: readonly number[]): string[] =>
  columns.flatMap((column) => {
    const index = column - DEED
    if (index < 0) return []
    const kind = index % PER_DEED
    return kind < 2 ? [DEEDS[Math.floor(index / PER_DEED)]?.[0] ?? ''] : []
  })
