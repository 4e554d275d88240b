import { pick, readPhrases, type Random } from './phrase-maker.ts'

const phrases = readPhrases('carriers.txt')

/** The place for an attack in a synthetic tool output; `makeCarrier` fills it with ordinary text otherwise. */
export type Slot = string

/**
 * A synthetic tool output: records, mails, tables, logs, code, pages. `slot`, if given, replaces text by third
 * parties.
 */
export function makeCarrier(random: Random, slot?: Slot): string {
  return pick(MAKERS, random)(random, slot)
}

type Maker = (random: Random, slot: Slot | undefined) => string

const number = (random: Random, below: number): number => Math.floor(random() * below)
const person = (random: Random): string =>
  `${pick(phrases['first'], random)} ${pick(phrases['last'], random)}`
const date = (random: Random): string =>
  `20${19 + number(random, 8)}-0${1 + number(random, 9)}-1${number(random, 10)}`
const sentences = (random: Random, count: number): string =>
  Array.from({ length: count }, () => pick(phrases['sentences'], random)).join(' ')
const many = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: 1 + number(random, most) }, make)

/** Puts `slot` at a random line, or leaves the lines unchanged. */
function place(lines: readonly string[], random: Random, slot: Slot | undefined): string[] {
  if (slot === undefined) return [...lines]
  const at = pick([0, lines.length, number(random, lines.length + 1)], random)
  return [...lines.slice(0, at), ...(random() < 0.4 ? ['', slot, ''] : [slot]), ...lines.slice(at)]
}

const record = (random: Random, text: string): Record<string, unknown> => ({
  id: number(random, 100_000),
  [pick(['name', 'author', 'user', 'sender', 'owner', 'customer'], random)]: person(random),
  [pick(['created_at', 'date', 'timestamp', 'updated'], random)]:
    `${date(random)}T1${number(random, 10)}:00:00Z`,
  [pick(['text', 'content', 'description', 'body', 'note', 'review', 'title', 'message'], random)]: text,
  [pick(['status', 'state', 'type', 'category'], random)]: pick(phrases['words'], random),
  [pick(['score', 'count', 'price', 'rating', 'size'], random)]: number(random, 5000) / 10,
})

function json(random: Random, slot: Slot | undefined): string {
  const records = many(random, 5, () => record(random, sentences(random, 1 + number(random, 3))))
  if (slot !== undefined) records[number(random, records.length)] = record(random, slot)
  const name = pick(['results', 'items', 'messages', 'data', 'reviews', 'issues', 'events', 'notes'], random)
  const value = random() < 0.3 ? records : { [name]: records, total: records.length }
  if (random() < 0.3) return pythonLiteral(value)
  return JSON.stringify(value, undefined, random() < 0.5 ? 2 : 0)
}

const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value).replaceAll('"', "'").replaceAll("','", "', '")

function mail(random: Random, slot: Slot | undefined): string {
  const body = place(
    [
      `Hi ${pick(phrases['first'], random)},`,
      ...many(random, 3, () => sentences(random, 2)),
      `Best regards, ${person(random)}`,
    ],
    random,
    slot,
  )
  const from = `${pick(phrases['first'], random).toLowerCase()}@${pick(phrases['words'], random)}.example`
  if (random() < 0.4)
    return `Subject: ${pick(phrases['subjects'], random)}. From: ${from}. Body: ${body.join(' ')}`
  return `From: ${from}\nTo: team@example.com\nDate: ${date(random)}\nSubject: ${pick(phrases['subjects'], random)}\n\n${body.join('\n')}`
}

function markdownTable(random: Random, slot: Slot | undefined): string {
  const columns = many(random, 4, () => pick(phrases['words'], random))
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rows = Array.from({ length: 3 + number(random, 9) }, () =>
    row([
      person(random),
      ...columns.map(() =>
        pick([String(number(random, 9000)), pick(phrases['words'], random), date(random)], random),
      ),
    ]),
  )
  return [...place([row(['Name', ...columns]), ...rows], random, slot)].join('\n')
}

function log(random: Random, slot: Slot | undefined): string {
  const lines = Array.from(
    { length: 3 + number(random, 12) },
    () =>
      `${date(random)} 1${number(random, 10)}:0${number(random, 10)}:2${number(random, 10)} ${pick(['INFO', 'WARN', 'ERROR', 'DEBUG'], random)} [${pick(phrases['words'], random)}] ${pick(phrases['log_lines'], random)} ${number(random, 9999)}`,
  )
  return place(lines, random, slot).join('\n')
}

function yaml(random: Random, slot: Slot | undefined): string {
  return many(random, 4, () => ({
    title: pick(phrases['subjects'], random),
    text: sentences(random, 1 + number(random, 2)),
  }))
    .map(({ title, text }, index) =>
      [
        `- id: "${number(random, 90)}"`,
        `  title: "${title}"`,
        `  ${pick(['description', 'content', 'body', 'notes'], random)}: "${index === 0 && slot !== undefined ? `${text} ${slot}` : text}"`,
        `  start_time: ${date(random)}T10:00`,
        `  ${pick(['location', 'owner', 'sender'], random)}: ${person(random)}`,
      ].join('\n'),
    )
    .join('\n')
}

function page(random: Random, slot: Slot | undefined): string {
  const parts = [
    `# ${pick(phrases['subjects'], random)}`,
    ...many(random, 5, () => sentences(random, 2 + number(random, 3))),
  ]
  const html = random() < 0.4
  const placed = place(parts, random, slot)
  return html
    ? `<html><body>${placed.map((part) => `<p>${part}</p>`).join('\n')}</body></html>`
    : placed.join('\n\n')
}

function code(random: Random, slot: Slot | undefined): string {
  const functions = many(random, 4, () => {
    const name = `${pick(phrases['verbs'], random)}_${pick(phrases['words'], random)}`
    return random() < 0.5
      ? `def ${name}(${pick(phrases['words'], random)}, limit=${number(random, 90)}):\n    """${pick(phrases['sentences'], random)}"""\n    return [x for x in ${pick(phrases['words'], random)} if x > limit]\n`
      : `/** ${pick(phrases['sentences'], random)} */\nfunction ${name}(${pick(phrases['words'], random)}) {\n  if (!${pick(phrases['words'], random)}) throw new Error('${pick(phrases['log_lines'], random)}')\n  return ${pick(phrases['words'], random)}.map((x) => x * ${number(random, 9)})\n}\n`
  })
  const comment =
    slot === undefined ? undefined : pick([`# ${slot}`, `// ${slot}`, `/* ${slot} */`, slot], random)
  const trace =
    random() < 0.3
      ? [
          `Traceback (most recent call last):\n  File "main.py", line ${number(random, 90)}, in <module>\n${pick(['ValueError', 'KeyError', 'TypeError'], random)}: ${pick(phrases['log_lines'], random)}`,
        ]
      : []
  return place([...trace, ...functions], random, comment).join('\n')
}

function status(random: Random, slot: Slot | undefined): string {
  const lines = many(random, 2, () => pick(phrases['status'], random))
  return (slot === undefined ? lines : [...lines, slot]).join(random() < 0.5 ? ' ' : '\n')
}

function issue(random: Random, slot: Slot | undefined): string {
  const body = place(
    [
      '### Steps to reproduce',
      `1. Run ${pick(phrases['words'], random)}`,
      `2. ${pick(phrases['sentences'], random)}`,
      '### Expected',
      pick(phrases['sentences'], random),
      `Version: 4.${number(random, 20)}.1`,
    ],
    random,
    slot,
  )
  return `#${number(random, 9000)} ${pick(phrases['subjects'], random)} (open)\nopened by ${pick(phrases['first'], random).toLowerCase()}\n\n${body.join('\n')}`
}

const MAKERS: readonly Maker[] = [
  json,
  json,
  json,
  mail,
  mail,
  markdownTable,
  log,
  yaml,
  page,
  page,
  code,
  status,
  issue,
]
