export interface DatabaseTables {
  results: ResultsTable
  result_calls: ResultCallsTable
  calls: CallsTable
  call_sums: CallSumsTable
  fetches: FetchesTable
  additions: AdditionsTable
  sessions: SessionsTable
  turns: TurnsTable
  placeholder_numbers: PlaceholderNumbersTable
}

export interface ResultsTable {
  id: string
  owner: string
  server: string
  tool: string
  created: number
  expires: number
  removed: number | null
  sha256: string
  size: number
  stored_size: number
  kind: string | null
  mime: string | null
}

interface ResultCallsTable {
  owner: string
  call_key: string
  result_id: string
}

export interface CallsTable {
  id: string
  at: number
  client: string
  session: string
  server: string
  tool: string
  outcome: 'ok' | 'error' | 'refused' | 'cancelled'
  tokens_before: number
  tokens_after: number
  tokens_added: number
  strategy: string | null
  result_id: string | null
  ms: number
  cached: number
  note: string | null
  trial: 'held' | 'shortened' | null
}

interface SessionsTable {
  session: string
  at: number
  client: string
  project: string
}

interface TurnsTable {
  session: string
  at: number
  client: string
  model: string | null
  number: number
  context: number
}

interface CallSumsTable {
  /** Milliseconds of an hour or a day. */
  span: number
  at: number
  server: string
  tool: string
  client: string
  /** `none` without one. */
  strategy: string
  /** Empty: not known. */
  project: string
  calls: number
  errors: number
  refused: number
  cancelled: number
  cached: number
  before: number
  after: number
  added: number
}

interface FetchesTable {
  at: number
  client: string
  result_id: string
  tool: string
  tokens: number
}

interface AdditionsTable {
  at: number
  client: string
  session: string
  server: string
  what: string
  tokens: number
}

interface PlaceholderNumbersTable {
  /** EMAIL, PHONE, … */
  name: string
  /** Highest number ever reserved. */
  last: number
}
