/**
 * `npm run score:forms`: the same records in every format and the same events under every line layout, with the same
 * questions. What is kept must not hang on the form: a column that differs from the others shows a missing reader.
 */
import { parseArgs } from 'node:util'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { EVENT_FORMS, type Event, type Level } from '../cases/forms/events-in-forms.ts'
import { RARER_RECORD_FORMS } from '../cases/forms/rarer-record-forms.ts'
import { RECORD_FORMS, type Fields } from '../cases/forms/records-in-forms.ts'
import { isKept } from '../cases/judge.ts'

const { values: options } = parseArgs({
  options: {
    budget: { type: 'string', default: '1000' },
    /** Prints the outputs that lost an answer, of this form alone. */
    show: { type: 'string' },
  },
})

interface Question {
  readonly goal: string
  readonly answer: string
  readonly name?: string
}

const compress = await loadCompressor()
const random = seeded(7)

print('records', { ...RECORD_FORMS, ...RARER_RECORD_FORMS }, parcels(), [
  { goal: 'which parcel got lost', answer: 'PKG-4213', name: 'lost' },
  { goal: 'what is held by customs', answer: 'PKG-4099', name: 'customs' },
  { goal: 'heaviest parcel in kg', answer: '612.4', name: 'PKG-4156' },
  { goal: 'most days under way', answer: '44', name: 'PKG-4054' },
  { goal: 'destination of PKG-4270', answer: 'Rouen', name: 'PKG-4270' },
  { goal: '', answer: 'lost' },
  { goal: '', answer: 'held by customs' },
  { goal: '', answer: '612.4' },
])
print(
  'events',
  Object.fromEntries(
    Object.entries(EVENT_FORMS).map(([form, line]) => [
      form,
      (all: readonly Event[]) => all.map(line).join('\n'),
    ]),
  ),
  events(),
  [
    { goal: 'why could an invoice not be posted', answer: 'account 8812 is closed' },
    { goal: 'slowest request', answer: '18433' },
    { goal: 'which version is running', answer: '4.7.2' },
    { goal: 'who reloaded the configuration', answer: 'ingrid' },
    { goal: 'anything about to run out', answer: 'expires in 3 days' },
    { goal: '', answer: 'INV-70441' },
    { goal: '', answer: 'expires in 3 days' },
    { goal: '', answer: 'berthd 4.7.2' },
  ],
)

function print<T>(
  what: string,
  forms: Readonly<Record<string, (all: readonly T[]) => string>>,
  all: readonly T[],
  questions: readonly Question[],
): void {
  console.log(
    `\n| ${what} | ${questions.map(({ goal, answer }) => goal || `no goal: ${answer}`).join(', ')} | strategies |`,
  )
  console.log('|---|---|---|')
  for (const [form, write] of Object.entries(forms)) {
    const text = write(all)
    const strategies = new Set<string>()
    const kept = questions.map(({ goal, answer, name = answer }) => {
      const output = compress({ text, goal: goal || undefined, budget: Number(options.budget) })
      strategies.add(output.strategy)
      const found = isKept(answer, output.text) && isKept(name, output.text)
      if (!found && form === options.show) console.log(`--- ${goal}\n${output.text}\n`)
      return found ? '+' : '·'
    })
    console.log(`| ${form} | ${kept.join('')} | ${[...strategies].join(', ')} |`)
  }
}

function parcels(): Fields[] {
  const from = ['Bergen', 'Gdansk', 'Porto', 'Malmo', 'Tallinn']
  const to = ['Leith', 'Emden', 'Riga']
  const odd: Readonly<Record<number, Fields>> = {
    18: { days: 44 },
    33: { state: 'held by customs' },
    52: { kg: 612.4 },
    71: { state: 'lost' },
    90: { to: 'Rouen', state: 'held by customs' },
  }
  return Array.from({ length: 110 }, (_, at) => ({
    id: `PKG-${4000 + at * 3}`,
    from: from[random(from.length)] ?? '',
    to: to[random(to.length)] ?? '',
    kg: random(800) / 10,
    state: random(10) < 8 ? 'delivered' : 'under way',
    days: random(9) + 1,
    ...odd[at],
  }))
}

function events(): Event[] {
  const odd: Readonly<Record<number, readonly [Level, string, string]>> = {
    1: ['INFO', 'main', 'berthd 4.7.2 starting with 6 workers'],
    211: ['ERROR', 'ledger', 'cannot post invoice INV-70441: account 8812 is closed'],
    212: ['ERROR', 'ledger', 'rolled back batch B-19 after 1 failure'],
    340: ['INFO', 'http', 'GET /reports/annual answered 200 in 18433 ms for 10.4.1.3'],
    455: ['WARN', 'tls', 'certificate of tide-office.example expires in 3 days'],
    520: ['INFO', 'main', 'configuration reloaded from /etc/berth/berth.conf by user ingrid'],
  }
  return Array.from({ length: 620 }, (_, number) => {
    const [level, part, message] = odd[number] ?? usual()
    return { at: new Date(Date.UTC(2026, 10, 24, 2) + number * 1370), number, level, part, message }
  })
}

function usual(): readonly [Level, string, string] {
  const which = random(10)
  if (which < 5)
    return [
      'INFO',
      'http',
      `GET /berths/${random(900)} answered 200 in ${random(90) + 4} ms for 10.4.0.${random(4)}`,
    ]
  if (which < 7) return ['DEBUG', 'cache', `lookup of tide:${random(400)} took ${random(9)} ms, hit`]
  if (which < 9)
    return ['INFO', 'scheduler', `job sweep-${random(50)} finished, next run in ${random(60) + 1} s`]
  return ['WARN', 'pool', `connection ${random(40)} idle for ${random(300)} s, closing`]
}

function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return (state >>> 8) % below
  }
}
