import type { PlantedFault } from '../planted-fault.ts'

const REPLAY = 'electron/engine/replay'
const BILLS = ['test/engine/replay/bills.test.ts']
const COMMAND = ['test/cli/replay.test.ts']
const READERS = ['test/engine/transcripts']
const TURNS = ['test/engine/ledger/follow-turns.test.ts']

export const replayFaults: readonly PlantedFault[] = [
  {
    id: 'replay-read-after-expiry',
    what: 'a request after the end of the cache’s life counts as reading what it had to write again',
    file: `${REPLAY}/held-result.ts`,
    find: 'return read >= this.position + this.facts.tokens / 2',
    replace: 'return read >= 0',
    tests: BILLS,
  },
  {
    id: 'replay-life-over-a-compaction',
    what: 'results stay in the context after a compaction that does not keep them',
    file: `${REPLAY}/context-replay.ts`,
    find: 'this.#leave(({ facts }) => !(kept ?? []).includes(facts.call))',
    replace: 'this.#leave(() => false)',
    tests: BILLS,
  },
  {
    id: 'replay-rewind-keeps-results',
    what: 'results that a rewind left go on being read',
    file: `${REPLAY}/context-replay.ts`,
    find: 'if (calls) this.#leave(({ facts }) => calls.includes(facts.call))',
    replace: 'if (calls) this.#leave(() => false)',
    tests: BILLS,
  },
  {
    id: 'replay-hour-at-the-price-of-minutes',
    what: 'what is written for an hour costs what five minutes cost',
    file: `${REPLAY}/rates-of-prices.ts`,
    find: '(short * write5m + long * write1h) / written',
    replace: '(short * write5m + short * write1h) / written',
    tests: BILLS,
  },
  {
    id: 'replay-recovery-for-nothing',
    what: 'fetching a page of what was left out needs no request of its own',
    file: `${REPLAY}/held-result.ts`,
    find: 'plus(times(rates.output, CALL_TOKENS), times(rates.read, prompt))',
    replace: 'times(rates.output, CALL_TOKENS)',
    tests: BILLS,
  },
  {
    id: 'replay-form-of-another-goal',
    what: 'a remembered form is used for the same text and another goal',
    file: `${REPLAY}/make-forms.ts`,
    find: 'keyOf(JSON.stringify([asked, leastSaved]))',
    replace: 'keyOf(JSON.stringify([leastSaved]))',
    tests: ['test/engine/replay/make-forms.test.ts'],
  },
  {
    id: 'replay-counts-a-fork-twice',
    what: 'requests that a session repeats from the one it continues count twice',
    file: `${REPLAY}/replay-tally.ts`,
    find: 'if (this.#isRepeat(`request ${source.app} ${request}`)) continue',
    replace: '',
    tests: COMMAND,
  },
  {
    id: 'replay-foreign-version',
    what: 'a file of a version that is not known is read all the same',
    file: 'electron/engine/transcripts/claude-code.ts',
    find: '        yield foreign\n        return\n',
    replace: '        yield foreign\n',
    tests: [...READERS, ...COMMAND],
  },
  {
    id: 'replay-interrupted-with-one',
    what: 'Ctrl-C ends a replay as if it had failed',
    file: 'electron/cli/replay.ts',
    find: 'return end(ExitCode.interrupted)',
    replace: 'return end(ExitCode.problem)',
    tests: COMMAND,
  },
  {
    id: 'replay-prices-in-silence',
    what: 'a faulty prices.json is passed over without a word',
    file: `${REPLAY}/create-replay.ts`,
    find: '...(fault !== undefined && { priceFault: fault })',
    replace: '',
    tests: COMMAND,
  },
  {
    id: 'replay-turns-of-the-main-context',
    what: 'a sub-agent’s results count again for each turn of the main context',
    file: 'electron/engine/ledger/follow-turns.ts',
    find: 'turn.agent === agent &&',
    replace: '',
    tests: TURNS,
  },
  {
    id: 'replay-turns-recorded-twice',
    what: 'each reading of a transcript records all of its turns again',
    file: 'electron/engine/ledger/follow-turns.ts',
    find: " && turn.at > Number(latest?.['at'])",
    replace: '',
    tests: TURNS,
  },
  {
    id: 'replay-turns-of-the-next-conversation',
    what: 'results stay in the context when the connection goes on with another conversation',
    file: 'electron/engine/ledger/follow-turns.ts',
    find: 'isCompacted: isCompacted || (leaves && index === 0)',
    replace: 'isCompacted',
    tests: TURNS,
  },
]
