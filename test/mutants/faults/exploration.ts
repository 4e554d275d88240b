import type { PlantedFault } from '../planted-fault.ts'

const EXPLORE = 'electron/engine/results/explore'
const TEXT = 'electron/engine/text'
const FILTER = 'test/engine/results/explore/filter.test.ts'
const RECORDS = 'test/engine/text/readers/table.test.ts'

export const explorationFaults: readonly PlantedFault[] = [
  {
    id: 'long-numbers-compared-by-doubles',
    what: 'a query for one id of 20 digits finds its neighbours, too',
    file: `${EXPLORE}/compare-values.ts`,
    find: 'const areWhole = WHOLE.test(a) && WHOLE.test(b)',
    replace: 'const areWhole = false',
    tests: [FILTER],
  },
  {
    id: 'cells-compared-as-texts',
    what: 'a cell of a table is never greater than a number',
    file: `${EXPLORE}/query.ts`,
    find: 'compareExactly(expression, context, areCells)',
    replace: 'compareExactly(expression, context, false)',
    tests: [FILTER],
  },
  {
    id: 'plain-path-stops-at-list',
    what: 'items.id finds nothing where items is a list',
    file: `${EXPLORE}/query.ts`,
    find: '|| !areNames ||',
    replace: '|| areNames ||',
    tests: [FILTER],
  },
  {
    id: 'expression-runs-away',
    what: 'a regular expression of the library tries all ways and blocks the thread',
    file: `${EXPLORE}/query.ts`,
    find: "      'search',\n",
    replace: "      'seek',\n",
    tests: [FILTER],
  },
  {
    id: 'cells-move-to-the-left',
    what: 'an empty column gives its place to the next one',
    file: `${TEXT}/readers/table/place-tables.ts`,
    find: 'keys[cell - first] ?? 0, start, stop)',
    replace: 'keys[tree.count % keys.length] ?? 0, start, stop)',
    tests: [RECORDS],
  },
  {
    id: 'quoted-cell-ends-with-its-line',
    what: 'a cell of three lines becomes two rows',
    file: `${TEXT}/readers/table/delimited.ts`,
    find: 'if (close >= stop) {',
    replace: 'if (close >= stop && stop < 0) {',
    tests: [RECORDS],
  },
  {
    id: 'last-of-two-columns-wins',
    what: 'of two columns with one name the first is lost',
    file: `${TEXT}/readers/table/place-tables.ts`,
    find: "const unique = uniqueName(name === '' ? `column${column + 1}` : name, taken)",
    replace: 'const unique = name',
    tests: [RECORDS],
  },
  {
    id: 'name-belongs-to-the-field-before',
    what: 'a match in the name of a field is shown under the path of another one',
    file: `${TEXT}/tree/places.ts`,
    find: 'if (bound > place) high = middle',
    replace: 'if (bound >= place) high = middle',
    tests: ['test/engine/text/tree/places.test.ts'],
  },
  {
    id: 'lock-of-a-running-process-taken',
    what: 'two processes download one model into the same file',
    file: 'electron/engine/ground/files/lock.ts',
    find: 'if (!isOld(lock) && isHolderAlive(lock)) return undefined',
    replace: '',
    tests: ['test/engine/ground/files/lock.test.ts'],
  },
]
