import type { PlantedFault } from '../planted-fault.ts'

const LEDGER = 'electron/engine/ledger'
const PRICES = 'electron/engine/prices'
const WORTH = ['test/engine/ledger/value-report.test.ts']
const BUDGETS = ['test/engine/ledger/create-budgets.test.ts', 'test/engine/ledger/budgets']
const HOLD_OUT = ['test/engine/compression/hold-out.test.ts']

export const moneyFaults: readonly PlantedFault[] = [
  {
    id: 'price-of-a-longer-name',
    what: 'a model that is not in the table is priced as the one before it',
    file: `${PRICES}/price-table.ts`,
    find: 'ownRows.get(model) ?? ownByKey.get(modelKey(model)) ?? shippedOn(modelKey(model), at)',
    replace:
      "ownRows.get(model) ?? ownByKey.get(modelKey(model)) ?? shippedOn(modelKey(model), at) ?? shippedOn(modelKey(model).replace(/-[a-z]+$/, ''), at)",
    tests: ['test/engine/prices'],
  },
  {
    id: 'price-of-another-day',
    what: 'a price that comes later is charged before its day',
    file: `${PRICES}/price-table.ts`,
    find: "      .filter(({ from = '' }) => from <= day)\n",
    replace: '',
    tests: ['test/engine/prices'],
  },
  {
    id: 'price-of-a-long-prompt',
    what: 'a prompt over the length limit has the usual price',
    file: `${PRICES}/cost.ts`,
    find: 'promptTokens > price.longPrompt.aboveTokens ? price.longPrompt : price',
    replace: 'promptTokens < 0 ? price.longPrompt : price',
    tests: ['test/engine/prices'],
  },
  {
    id: 'prices-file-overwritten',
    what: 'a file of prices with a mistake in it is replaced by the next change on the screen',
    file: `${PRICES}/create-prices.ts`,
    find: '    if (own) return own\n    throw',
    replace: '    if (own !== null) return own ?? { prices: {} }\n    throw',
    tests: ['test/engine/prices'],
  },
  {
    id: 'money-for-an-unknown-model',
    what: 'a client whose model has no price is counted at the price chosen for the others',
    file: `${LEDGER}/model-of-client.ts`,
    find: 'named === undefined ? undefined : table.find(named)',
    replace: "named === undefined ? undefined : (table.find(named) ?? table.find(chosen ?? ''))",
    tests: WORTH,
  },
  {
    id: 'money-first-turn-twice',
    what: 'the turn that writes a result counts as one that reads it, too',
    file: `${LEDGER}/later-turns.ts`,
    find: 'coalesce(last, 0) - number - 1)',
    replace: 'coalesce(last, 0) - number)',
    tests: WORTH,
  },
  {
    id: 'money-after-a-compaction',
    what: 'turns after a compaction still count as reading what left the context',
    file: `${LEDGER}/later-turns.ts`,
    find: 'SELECT session, context, max(number) AS last FROM turns',
    replace:
      'SELECT session, context, (SELECT max(number) FROM turns t WHERE t.session = turns.session) AS last FROM turns',
    tests: WORTH,
  },
  {
    id: 'money-of-later-fetches',
    what: 'what was read back costs nothing in later turns',
    file: `${LEDGER}/ledger-entries.ts`,
    find: 'later: -later, written: 0',
    replace: 'later: later, written: 0',
    tests: WORTH,
  },
  {
    id: 'hold-out-from-the-cache',
    what: 'a call of the hold-out is answered with a shortened form that another one left in the cache',
    file: 'electron/engine/cache/reuse-form.ts',
    find: 'call.bypass || call.isHeldOut ||',
    replace: 'call.bypass ||',
    tests: HOLD_OUT,
  },
  {
    id: 'hold-out-by-chance',
    what: 'the same call passes whole now and shortened the next time',
    file: 'electron/engine/compression/hold-out.ts',
    find: 'sortedJson([sessionId, serverId, tool, args ?? {}])',
    replace: 'sortedJson([sessionId, serverId, tool, args ?? {}, Math.random()])',
    tests: HOLD_OUT,
  },
  {
    id: 'budget-refuses-the-step',
    what: 'a nearly used budget shortens nothing',
    file: `${LEDGER}/budgets/budget-sums.ts`,
    find: 'step: sorted.findLast(({ from }) => share >= from)',
    replace: 'step: sorted.findLast(({ from }) => share > from + 1)',
    tests: BUDGETS,
  },
  {
    id: 'budget-told-again',
    what: 'a restarted engine tells the same step of the same month again',
    file: `${LEDGER}/create-budgets.ts`,
    find: 'if (isNew) events.emit',
    replace: 'if (isNew || !isNew) events.emit',
    tests: BUDGETS,
  },
  {
    id: 'budget-of-last-month',
    what: 'a new month begins with what the last one used',
    file: `${LEDGER}/budgets/spending.ts`,
    find: 'return known?.key === key ? known.sum : nothing',
    replace: "return known && key !== '' ? known.sum : nothing",
    tests: BUDGETS,
  },
  {
    id: 'budget-not-in-the-key',
    what: 'a cached form names a budget that is no longer there',
    file: 'electron/engine/cache/create-cache.ts',
    find: '      budget: budgetStep ?? null,\n',
    replace: '',
    tests: BUDGETS,
  },
  {
    id: 'report-without-the-rest',
    what: 'rows beyond the first ones are missing from a table whose sum has them',
    file: `${LEDGER}/report/report-document.ts`,
    find: '        ...restRow,\n',
    replace: '',
    tests: ['test/cli/report.test.ts'],
  },
  {
    id: 'report-with-a-script',
    what: "a tool's name runs as a script in the report",
    file: `${LEDGER}/report/render-html.ts`,
    find: "    .replaceAll('<', '&lt;')\n",
    replace: '',
    tests: ['test/cli/report.test.ts'],
  },
]
