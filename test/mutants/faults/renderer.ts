import type { PlantedFault } from '../planted-fault.ts'

const choices = ['test/renderer/components/choices.test.ts']
const figures = ['test/renderer/components/figures.test.ts']

export const rendererFaults: readonly PlantedFault[] = [
  {
    id: 'chart-colours-swapped',
    what: "The chart draws a column under another's name.",
    file: 'renderer/format/timeline.ts',
    find: "colour: '--sent', values: columns.map((column) => column.sent)",
    replace: "colour: '--sent', values: columns.map((column) => column.kept)",
    tests: ['test/renderer/format/timeline.test.ts'],
  },
  {
    id: 'confirm-at-first-press',
    what: 'What cannot be undone is done at the first press.',
    file: 'renderer/components/ConfirmButton.vue',
    find: '@click="show(true)"',
    replace: '@click="confirm"',
    tests: choices,
  },
  {
    id: 'refusal-confirms',
    what: 'The answer "leave it" does it.',
    file: 'renderer/components/ConfirmButton.vue',
    find: '@click="show(false)"',
    replace: '@click="confirm"',
    tests: choices,
  },
  {
    id: 'box-drops-the-others',
    what: 'Ticking one box unticks all others.',
    file: 'renderer/components/ChoiceSet.vue',
    find: '(name === value ? isOn : chosen.includes(name))',
    replace: '(name === value ? isOn : false)',
    tests: choices,
  },
  {
    id: 'looking-takes-the-server',
    what: 'Looking at a server that is offered for import takes it.',
    file: 'renderer/components/ReviewRows.vue',
    find: '@click="shown = row.key"',
    replace: '@click="toggle(row.key, true)"',
    tests: choices,
  },
  {
    id: 'sum-shows-after-as-net',
    what: 'The sum shows what was sent as what was saved.',
    file: 'renderer/components/SavingsSum.vue',
    find: '<dd>{{ formatCount(totals.net) }}</dd>',
    replace: '<dd>{{ formatCount(totals.after) }}</dd>',
    tests: figures,
  },
  {
    id: 'loss-drawn-as-saving',
    what: 'A loss is drawn like a saving.',
    file: 'renderer/components/BarList.vue',
    find: '{ loss: row.net < 0 }',
    replace: '{ loss: false }',
    tests: figures,
  },
  {
    id: 'strategy-named-that-saved-nothing',
    what: 'A call that passed whole is marked as shortened.',
    file: 'renderer/components/CallMarks.vue',
    find: 'call.strategy && call.tokensAfter < call.tokensBefore',
    replace: 'call.strategy',
    tests: figures,
  },
  {
    id: 'calls-column-shows-net',
    what: 'The column of calls shows tokens.',
    file: 'renderer/components/ToolTable.vue',
    find: 'formatCount(item.savings.calls)',
    replace: 'formatCount(item.savings.net)',
    tests: figures,
  },
]
