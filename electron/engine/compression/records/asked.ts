import type { Goal } from '../rank/goal.ts'

/** What a goal asks of columns. */
export interface Asked {
  /** Which end comes first: 1 largest or latest, -1 smallest or earliest, 0 none. */
  readonly direction: -1 | 0 | 1
  /** The other end may be meant ("best", "fastest"). */
  readonly isUnsure: boolean
  readonly ofTime: boolean
  /** Stems of fields that such a word measures ("cheapest": price). */
  readonly aspects: readonly string[]
  readonly type: 'date' | 'number' | 'text' | undefined
  /** Words that only give the direction. */
  readonly words: ReadonlySet<string>
  readonly limit: { readonly above: boolean; readonly than: number } | undefined
}

const MOST =
  /^(?:most|max|maximum|maximal|peak|highest|largest|biggest|greatest|top|more|higher|larger|greater|bigger)$/
const LEAST =
  /^(?:least|min|minimum|minimal|lowest|smallest|fewest|bottom|narrowest|lightest|weakest|poorest|lower|smaller|fewer|less)$/
const LATE = /^(?:latest|last|newest|recent|recently|lastly)$/
const EARLY = /^(?:first|earliest|oldest|initial|initially)$/
/** End in -est, order nothing. */
const OTHERS =
  /^(?:tests?|requests?|manifests?|rest|guests?|quest|west|forests?|interest|digest|ingest|invest|contest|suggest|protest|harvest|nest|honest|modest|arrest|chest|pytest|jest|backtest|priest|attest|request|best|worst|fest|zest|vest|pest|crest|test)$/
const EITHER = /^(?:best|worst|fastest|slowest|quickest|youngest|strongest|hardest|closest|nearest)$/
/** Superlatives that ask for the small end. */
const SMALL =
  /^(?:short|cheap|small|low|few|narrow|light|weak|poor|cold|cool|tini|near|clos|thin|young|quick|fast|slight|rar|shallow|dark|soft)/

/** What a direction word measures: stems of usual field names. */
const ASPECTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:cheap|expensiv|cost|pric)/, 'price cost amount fee total rate charg'],
  [/^(?:long|short|slow|fast|quick)/, 'durat time elaps ms sec second latenc took runtim length took wait'],
  [/^(?:larg|big|small|heav|light|tini|huge)/, 'size byte weight area volum popul'],
  [/^(?:old|young)/, 'ag birth born year creat'],
  [/^(?:hot|cold|cool|warm)/, 'temp temperatur heat'],
  [/^(?:tall|high|low|deep)/, 'height elev depth altitud'],
  [/^(?:latest|newest|recent|last|first|earl)/, 'date time creat updat modifi timestamp at start publish'],
]

export function askedOf(goal: Goal): Asked {
  const lower = goal.text.toLowerCase()
  const words = new Set<string>()
  let direction: -1 | 0 | 1 = 0
  let isUnsure = false
  let ofTime = false
  const aspects = new Set<string>()
  const found = lower.match(/[a-z]+/g) ?? []
  found.forEach((word, place) => {
    const turn = directionOf(word)
    if (turn === undefined) return
    words.add(word)
    if (direction === 0) direction = turn
    if (LATE.test(word) || EARLY.test(word)) ofTime = true
    if (EITHER.test(word)) isUnsure = true
    const measured = MOST.test(word) || LEAST.test(word) ? (found[place + 1] ?? '') : word
    for (const [pattern, stems] of ASPECTS)
      if (pattern.test(word) || pattern.test(measured)) for (const stem of stems.split(' ')) aspects.add(stem)
  })
  return {
    direction,
    isUnsure,
    ofTime,
    aspects: [...aspects],
    type: typeOf(lower),
    words,
    limit: limitOf(lower),
  }
}

function directionOf(word: string): -1 | 1 | undefined {
  if (LATE.test(word) || MOST.test(word)) return 1
  if (EARLY.test(word) || LEAST.test(word)) return -1
  if (EITHER.test(word)) return SMALL.test(word) || word === 'worst' ? -1 : 1
  if (!/^[a-z]{2,}est$/.test(word) || OTHERS.test(word)) return undefined
  return SMALL.test(word) ? -1 : 1
}

function typeOf(goal: string): Asked['type'] {
  if (/\b(?:when|date|day|month|year|what time|at which time|since)\b/.test(goal)) return 'date'
  if (
    /\b(?:how (?:many|much|long|old|big|large|high|far|often)|numbers?|count|percent\w*|price|amount|size|port|score|rate|seconds|minutes|total)\b/.test(
      goal,
    )
  )
    return 'number'
  return /\b(?:who|which|what|where|name|address|title)\b/.test(goal) ? 'text' : undefined
}

function limitOf(goal: string): Asked['limit'] {
  const match =
    /\b(?:(over|above|more than|at least|exceed\w*|greater than|longer than)|under|below|less than|fewer than|at most|shorter than)\s+[$€£]?(-?\d[\d,]*(?:\.\d+)?)/.exec(
      goal,
    )
  if (match === null) return undefined
  return { above: match[1] !== undefined, than: Number((match[2] ?? '').replaceAll(',', '')) }
}
