export interface Column {
  readonly name: string
  readonly kind: 'id' | 'number' | 'word' | 'text' | 'path' | 'time' | 'state'
}

export interface Rows {
  readonly columns: readonly Column[]
  readonly records: readonly Readonly<Record<string, string | number>>[]
}

export interface Draw {
  readonly upTo: (limit: number) => number
  readonly of: <Value>(values: readonly Value[]) => Value
  readonly chance: (share: number) => boolean
}

/** Mulberry32 (T. Ettinger, public domain). */
export function randomFrom(seed: number): Draw {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const upTo = (limit: number) => Math.floor(next() * limit)
  return { upTo, of: (values) => values[upTo(values.length)]!, chance: (share) => next() < share }
}

const NAMES = [
  'latency',
  'weight',
  'owner',
  'region',
  'size',
  'note',
  'source',
  'seen',
  'phase',
  'price',
  'queue',
  'kind',
]
const WORDS =
  'amber basin cedar delta ember fjord grove haven inlet jetty knoll lagoon marsh north ocean pier quay ridge shore tidal'.split(
    ' ',
  )
const STATES = ['ready', 'ready', 'ready', 'ready', 'ready', 'ready', 'waiting', 'waiting', 'stopped']

/** 8 to 160 records; few values are odd: a failing state, an empty cell, a number far off. */
export function randomRows(draw: Draw): Rows {
  const kinds: Column['kind'][] = ['number', 'word', 'text', 'path', 'time', 'state', 'number']
  const names = [...NAMES].sort(() => draw.upTo(3) - 1)
  const columns: Column[] = [
    { name: draw.of(['id', 'name', 'host', 'sku']), kind: 'id' },
    ...Array.from({ length: 2 + draw.upTo(5) }, (_, i) => ({
      name: names[i] ?? `c${i}`,
      kind: draw.of(kinds),
    })),
  ]
  const shape = draw.of(['hyphens', 'dots', 'numbers'])
  const records = Array.from({ length: 8 + draw.upTo(draw.of([30, 152])) }, (_, i) =>
    Object.fromEntries(columns.map(({ name, kind }) => [name, valueOf(kind, i, shape, draw)])),
  )
  return { columns, records }
}

function valueOf(kind: Column['kind'], i: number, shape: string, draw: Draw): string | number {
  switch (kind) {
    case 'id':
      if (shape === 'numbers') return 40_000 + i * 7
      return shape === 'dots'
        ? `${draw.of(WORDS)}.n${i}.example.org`
        : `${draw.of(WORDS)}-${draw.of(WORDS)}-${i}`
    case 'number':
      return draw.chance(0.01) ? 987_654.25 : draw.chance(0.5) ? draw.upTo(5000) : draw.upTo(100_000) / 100
    case 'word':
      return draw.chance(0.02) ? '' : draw.of(WORDS)
    case 'text':
      return Array.from({ length: 3 + draw.upTo(12) }, () => draw.of(WORDS)).join(' ')
    case 'path':
      return `/var/lib/${draw.of(WORDS)}.d/${draw.of(WORDS)}/v${draw.upTo(9)}.${draw.upTo(20)}/${draw.of(WORDS)}.conf`
    case 'time':
      return `2026-0${1 + draw.upTo(9)}-1${draw.upTo(9)}T0${draw.upTo(9)}:${10 + draw.upTo(49)}:${10 + draw.upTo(49)}.${100 + draw.upTo(899)}Z`
    default:
      return draw.chance(0.02) ? 'failed' : draw.of(STATES)
  }
}

export const lines = (texts: readonly string[]): string => texts.join('\n')
