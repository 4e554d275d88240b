import type { loadCompressor } from '../../../electron/engine/compression/load-compressor.ts'
import { isKept } from '../judge.ts'
import { EVENT_FORMS, type Event, type Level } from './events-in-forms.ts'
import { RARER_RECORD_FORMS } from './rarer-record-forms.ts'
import { RECORD_FORMS, type Fields } from './records-in-forms.ts'

export interface Question {
  /** Empty: an overview is asked for. */
  readonly goal: string
  readonly answer: string
  /** What makes the answer usable. */
  readonly name?: string
}

export const RECORD_QUESTIONS: readonly Question[] = [
  { goal: 'which parcel got lost', answer: 'PKG-4213', name: 'lost' },
  { goal: 'what is held by customs', answer: 'PKG-4099', name: 'customs' },
  { goal: 'heaviest parcel in kg', answer: '612.4', name: 'PKG-4156' },
  { goal: 'most days under way', answer: '44', name: 'PKG-4054' },
  { goal: 'destination of PKG-4270', answer: 'Rouen', name: 'PKG-4270' },
  { goal: '', answer: 'lost' },
  { goal: '', answer: 'held by customs' },
  { goal: '', answer: '612.4' },
]

export const EVENT_QUESTIONS: readonly Question[] = [
  { goal: 'why could an invoice not be posted', answer: 'account 8812 is closed' },
  { goal: 'slowest request', answer: '18433' },
  { goal: 'which version is running', answer: '4.7.2' },
  { goal: 'who reloaded the configuration', answer: 'ingrid' },
  { goal: 'anything about to run out', answer: 'expires in 3 days' },
  { goal: '', answer: 'INV-70441' },
  { goal: '', answer: 'expires in 3 days' },
  { goal: '', answer: 'berthd 4.7.2' },
]

/** The records' texts by form. */
export function recordTexts(): [string, string][] {
  const rows = parcels(seeded(7))
  return Object.entries({ ...RECORD_FORMS, ...RARER_RECORD_FORMS }).map(([form, write]) => [
    form,
    write(rows),
  ])
}

/** The events' texts by layout. */
export function eventTexts(): [string, string][] {
  const all = events(seeded(11))
  return Object.entries(EVENT_FORMS).map(([form, line]) => [form, all.map(line).join('\n')])
}

export interface Asked {
  readonly kept: boolean
  readonly output: string
  readonly strategy: string
}

export function ask(
  compress: Awaited<ReturnType<typeof loadCompressor>>,
  text: string,
  { goal, answer, name = answer }: Question,
  budget: number,
): Asked {
  const output = compress({ text, goal: goal || undefined, budget })
  return {
    kept: isKept(answer, output.text) && isKept(name, output.text),
    output: output.text,
    strategy: output.strategy,
  }
}

type Random = (below: number) => number

function parcels(random: Random): Fields[] {
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

function events(random: Random): Event[] {
  const odd: Readonly<Record<number, readonly [Level, string, string]>> = {
    1: ['INFO', 'main', 'berthd 4.7.2 starting with 6 workers'],
    211: ['ERROR', 'ledger', 'cannot post invoice INV-70441: account 8812 is closed'],
    212: ['ERROR', 'ledger', 'rolled back batch B-19 after 1 failure'],
    340: ['INFO', 'http', 'GET /reports/annual answered 200 in 18433 ms for 10.4.1.3'],
    455: ['WARN', 'tls', 'certificate of tide-office.example expires in 3 days'],
    520: ['INFO', 'main', 'configuration reloaded from /etc/berth/berth.conf by user ingrid'],
  }
  return Array.from({ length: 620 }, (_, number) => {
    const [level, part, message] = odd[number] ?? usual(random)
    return { at: new Date(Date.UTC(2026, 10, 24, 2) + number * 1370), number, level, part, message }
  })
}

function usual(random: Random): readonly [Level, string, string] {
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

function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return (state >>> 8) % below
  }
}
