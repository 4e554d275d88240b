import { describe, expect, test } from 'vitest'
import { ExploredText } from '../../../../electron/engine/results/explore/explored-text.ts'
import { filterData } from '../../../../electron/engine/results/explore/filter.ts'
import type { FilterInput } from '../../../../electron/engine/results/explore/filter.ts'

const shop = {
  meta: { total: 3, page: { size: 10, 'a.b': true } },
  items: [
    { id: 1, name: 'ax', status: 'open', amount: 5, tags: ['red', 'new'], owner: { name: 'Ann', age: 30 } },
    { id: 2, name: 'bolt', status: 'closed', amount: 20, tags: [], owner: null },
    { id: 3, name: 'cup', status: 'open', amount: 30, tags: ['red'], owner: { name: 'Bo', age: 20 } },
  ],
}

const filterText = (text: string, input: FilterInput, kind = 'json') =>
  filterData(new ExploredText(text, kind), input)
const filter = (value: unknown, ...fields: string[]) =>
  JSON.parse(filterText(JSON.stringify(value), { fields }).body)
const without = (value: unknown, ...exclude: string[]) =>
  JSON.parse(filterText(JSON.stringify(value), { exclude }).body)

describe('fields', () => {
  // RLM gave {"meta":{}} and {"users":[{},{},...]}.
  test('predecessors 1B.1: naming an object or a list keeps it whole', () => {
    expect(filter(shop, 'meta')).toEqual({ meta: shop.meta })
    expect(filter(shop, 'items')).toEqual({ items: shop.items })
    expect(filter(shop, 'items.owner')).toEqual({
      items: shop.items.map(({ owner }) => ({ owner })),
    })
  })

  // RLM's own hint recommended this, and it returned {}.
  test('predecessors 1B.2: slices work, at the top too', () => {
    const list = Array.from({ length: 30 }, (_, id) => ({ id, x: 0 }))
    expect(filter(list, '[0:10]')).toEqual(list.slice(0, 10))
    expect(filter(list, '[-5:]')).toEqual(list.slice(-5))
    expect(filter(list, '[:2].id')).toEqual([{ id: 0 }, { id: 1 }])
    expect(filter(list, '[0:1]', '[-1]')).toEqual([list[0], list[29]])
    expect(filter(list, '[-1]', '[2]', '[0:1]')).toEqual([list[0], list[2], list[29]])
    expect(filter({ list }, 'list[2:4].id')).toEqual({ list: [{ id: 2 }, { id: 3 }] })
    expect(filter(list, '[5:2]')).toEqual([])
  })

  test.each<[string, unknown]>([
    ['$.items[*].id', { items: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
    ['$.items[0].id', { items: [{ id: 1 }] }],
    [
      '$.items[0,2]["id","name"]',
      {
        items: [
          { id: 1, name: 'ax' },
          { id: 3, name: 'cup' },
        ],
      },
    ],
    ['$.items[::2].id', { items: [{ id: 1 }, { id: 3 }] }],
    ['$.*.total', { meta: { total: 3 } }],
    [
      '$..name',
      {
        items: [
          { name: 'ax', owner: { name: 'Ann' } },
          { name: 'bolt' },
          { name: 'cup', owner: { name: 'Bo' } },
        ],
      },
    ],
    ['$.meta.page["a.b"]', { meta: { page: { 'a.b': true } } }],
    ['$.items[?@.status == "open"].id', { items: [{ id: 1 }, { id: 3 }] }],
    ['$.items[?@.amount >= 5 && @.amount < 30].id', { items: [{ id: 1 }, { id: 2 }] }],
    ["$.items[?@.status != 'open' || @.name == 'cup'].id", { items: [{ id: 2 }, { id: 3 }] }],
    ['$.items[?!(@.status == "open")].id', { items: [{ id: 2 }] }],
    ['$.items[?@.tags[?@ == "new"]].id', { items: [{ id: 1 }] }],
    ['$.items[?@.owner.age > 25].id', { items: [{ id: 1 }] }],
    ['$.items[?@.owner == null].id', { items: [{ id: 2 }] }],
    ['$.items[?search(@.name, "(?i)OL")].id', { items: [{ id: 2 }] }],
    ['$.items[?match(@.name, "[ab].*")].id', { items: [{ id: 1 }, { id: 2 }] }],
    ['$.items[?count(@.tags[*]) > 1].id', { items: [{ id: 1 }] }],
    ['$.items[?(@.id == 2)].name', { items: [{ name: 'bolt' }] }],
    ['$ .items [0] .id', { items: [{ id: 1 }] }],
    ['$["items"]..["age"]', { items: [{ owner: { age: 30 } }, { owner: { age: 20 } }] }],
    ["$.items[?@['name']=='a]' || @.id==3].id", { items: [{ id: 3 }] }],
    ['$.items[?@.amount > $.meta.total].id', { items: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
  ])('%s', (query, expected) => {
    expect(filter(shop, query)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['items.id', { items: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
    ['items[].id', { items: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
    ['$.items.owner.name', { items: [{ owner: { name: 'Ann' } }, { owner: { name: 'Bo' } }] }],
    ['*.total', { meta: { total: 3 } }],
    ['**.age', { items: [{ owner: { age: 30 } }, { owner: { age: 20 } }] }],
    ['items.**.age', { items: [{ owner: { age: 30 } }, { owner: { age: 20 } }] }],
    ['meta.page["a.b"]', { meta: { page: { 'a.b': true } } }],
    ['items[?@.id == 2].name', { items: [{ name: 'bolt' }] }],
  ])('a plain path works, too: %s', (path, expected) => {
    expect(filter(shop, path)).toEqual(expected)
  })

  test('names that JSONPath wants in quotes need none in a plain path', () => {
    expect(filter({ 'first-name': 'Ann', 'CPU(cores)': 1 }, 'first-name')).toEqual({ 'first-name': 'Ann' })
    expect(filter({ $ref: 'x', a: { $ref: 'y' } }, '$ref', 'a.$ref')).toEqual({ $ref: 'x', a: { $ref: 'y' } })
    expect(filter([{ 'CPU(cores)': 1, x: 2 }], 'CPU(cores)')).toEqual([{ 'CPU(cores)': 1 }])
  })

  test('whole numbers compare by all their digits', () => {
    const text = '[{"id":9007199254740992},{"id":9007199254740993},{"id":9007199254740994},{"id":1.50}]'
    const ids = (query: string) => filterText(text, { fields: [query] }).body
    expect(ids('$[?@.id == 9007199254740993]')).toBe('[{"id":9007199254740993}]')
    expect(ids('$[?@.id > 9007199254740993]')).toBe('[{"id":9007199254740994}]')
    expect(ids('$[?@.id < 2]')).toBe('[{"id":1.50}]')
    expect(ids('$[?@.id == $[1].id]')).toBe('[{"id":9007199254740993}]')
  })

  test('a list of more elements than a call takes arguments', () => {
    const list = Array.from({ length: 150_000 }, (_, id) => ({ id }))
    expect(filter(list, '$[?@.id >= 149999]')).toEqual([{ id: 149_999 }])
    expect(filter(list, '$[*].id')).toHaveLength(150_000)
    expect(filter(list, '$..id')).toHaveLength(150_000)
  })

  test('several paths come together in the order of the source', () => {
    expect(Object.keys(filter(shop.items, 'status', 'id')[0])).toEqual(['id', 'status'])
    expect(filter(shop, 'meta.total', 'meta')).toEqual({ meta: shop.meta })
  })

  test('numbers are written as in their source', () => {
    const text = '{"a":1.0,"b":12345678901234567890,"c":1e5,"d":-0,"list":[{"n":1.50},{"n":3}]}'
    expect(filterText(text, { fields: ['a', 'b', 'c', 'd'] }).body).toBe(
      '{"a":1.0,"b":12345678901234567890,"c":1e5,"d":-0}',
    )
    expect(filterText(text, { fields: ['$.list[?@.n < 2]'] }).body).toBe('{"list":[{"n":1.50}]}')
    expect(filterText(text, { fields: ['b', '$..n'] }).body).toContain('12345678901234567890')
  })

  test('odd names and values survive', () => {
    const text = '{"__proto__":{"x":1},"constructor":2,"":3,"k\\n":"a\\ud800b"}'
    expect(filterText(text, { fields: ['__proto__', 'constructor', '[""]', '["k\\n"]'] }).body).toBe(text)
  })
})

describe('exclude', () => {
  test('takes parts away and keeps the rest whole', () => {
    expect(without(shop.items, 'owner', 'tags', 'status', 'amount')).toEqual([
      { id: 1, name: 'ax' },
      { id: 2, name: 'bolt' },
      { id: 3, name: 'cup' },
    ])
    expect(without([1, 2, 3, 4], '[1:3]')).toEqual([1, 4])
    expect(without(shop, '$.items[?@.status == "open"]', 'items.tags', 'meta')).toEqual({
      items: [{ id: 2, name: 'bolt', status: 'closed', amount: 20, owner: null }],
    })
  })

  // RLM ignored "fields" as soon as "exclude" was given.
  test('predecessors 1B: together with fields, both count', () => {
    const { body } = filterText(JSON.stringify(shop), {
      fields: ['items[0:1]'],
      exclude: ['items.owner', 'items.tags'],
    })
    expect(JSON.parse(body)).toEqual({ items: [{ id: 1, name: 'ax', status: 'open', amount: 5 }] })
  })
})

describe('what can be filtered', () => {
  test('JSON lines are a list', () => {
    const text = '{"level":"info","n":1}\n{"level":"error","n":2}\n'
    expect(JSON.parse(filterText(text, { fields: ['$[?@.level == "error"].n'] }, 'log').body)).toEqual([
      { n: 2 },
    ])
  })

  test('so are several JSON values over several lines', () => {
    const text = '{\n  "n": 1\n}\n{\n  "n": 2\n}\n'
    expect(JSON.parse(filterText(text, { fields: ['$[1]'] }).body)).toEqual([{ n: 2 }])
  })

  test.each([
    ['comma', 'name,size\n"a, b",10\nc,9\n'],
    ['tab', 'name\tsize\r\na, b\t10\r\nc\t9'],
    ['bar', 'name | size\na, b | 10\nc | 9'],
    ['Markdown', '| name | size |\n|---|---:|\n| a, b | 10 |\n| c | 9 |'],
  ])('tables with %s are lists of objects, whose cells compare as numbers', (_, text) => {
    expect(JSON.parse(filterText(text, { fields: ['$[?@.size > 9]'] }, 'table').body)).toEqual([
      { name: 'a, b', size: '10' },
    ])
    expect(JSON.parse(filterText(text, { fields: ['$[?@.size == "9"]'] }, 'table').body)).toEqual([
      { name: 'c', size: '9' },
    ])
  })

  test('quoted cells may hold quotes and line breaks', () => {
    const { body } = filterText('a,b\n"x ""y""\nz",2\nv,3\nw,4\n', { fields: ['a'] }, 'table')
    expect(JSON.parse(body)).toEqual([{ a: 'x "y"\nz' }, { a: 'v' }, { a: 'w' }])
  })

  // RLM returned text that is no JSON unchanged and in full.
  test('predecessors 1B: other text is refused with the tools that fit', () => {
    expect(() => filterText('just words\nand more', { fields: ['a'] }, 'prose')).toThrow(
      /prose.*proxy_search.*proxy_read/s,
    )
  })
})

describe('mistakes', () => {
  test.each<[string, RegExp]>([
    ['$.items[*].nmae', /No field "nmae" in items\[\*\]. Did you mean "name"\? Fields there: id, name/],
    ['items.nmae', /No field "nmae" in items\[\*\]. Did you mean "name"\? Fields there: id, name/],
    ['itemz', /No field "itemz" at the top. Did you mean "items"\?/],
    ['items[0', /not valid.*Queries are JSONPath/],
    ['', /The query is empty\. \$ is everything\. Queries are JSONPath/],
    ['na*me', /not valid.*Queries are JSONPath/],
    ['meta[0]', /there is no list in meta/],
    ['$.items[?@.status = "x"]', /not valid.*Queries are JSONPath/],
    ['$.items[?search(@.name, "(")]', /regular expression "\(" is not valid/],
    ['$.items[?search(@.name, "(?=x)")]', /regular expression/],
    ['$.items[?colour(@.name)]', /colour/],
    ['$.items[?@.name contains "b"]', /Write \$\.items\[\?search\(@\.name, "b"\)\]/],
    ['$.items[?(@.name =~ /^b/i)]', /Write \$\.items\[\?\(search\(@\.name, "\(\?i\)\^b"\)\)\]/],
    ['items[length(name) = 2]', /Write \$\.items\[\?length\(@\.name\) == 2\]/],
    ['status == "open"', /Write \$\.\.\[\?@\.status == "open"\]/],
    ['name contains "b"', /Write \$\.\.\[\?search\(@\.name, "b"\)\]/],
    [
      'items[status == "open" and not amount > 3].id',
      /Write \$\.items\[\?@\.status == "open" && !\(@\.amount > 3\)\]\.id/,
    ],
    [
      "items[owner.name matches '^B' or @ = null]",
      /Write \$\.items\[\?search\(@\.owner\.name, '\^B'\) \|\| @ == null\]/,
    ],
    ['items[?amount > 3].id', /Write \$\.items\[\?@\.amount > 3\]\.id\./],
    ['$.items[?@.status == in progress]', /Write \$\.items\[\?@\.status == "in progress"\]\./],
    ['items[name=item 5 and amount>3]', /Write \$\.items\[\?@\.name== "item 5" && @\.amount>3\]\./],
    ['$.items[?@.day > 2026-01-31].id', /Write \$\.items\[\?@\.day > "2026-01-31"\]\.id\./],
    ['.items[] | select(.amount > 3)', /no "\|" in JSONPath\. Write \$\.items\[\?@\.amount > 3\]\./],
    ['.items[] | select(.status == "open") | .id', /Write \$\.items\[\?@\.status == "open"\]\.id\./],
    ['.items | map(select(.owner.name == "B"))', /Write \$\.items\[\?@\.owner\.name == "B"\]\./],
    ['.items[] | {id, name: .name}', /Write \$\.items\[\*\]\["id", "name"\]\./],
    ['.items | length', /proxy_explore tells how many elements/],
    ['items.0', /Write items\[0\] for an element of the list in items\./],
    ['items.length', /There are 3 elements in items\./],
    ['items[*].{id, name}', /Write items\[\*\]\["id", "name"\] for several fields\./],
  ])('%j', (query, message) => {
    expect(() => filter(shop, query)).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringMatching(message) }),
    )
  })

  // A backtracking engine would not return from this.
  test('an expression that explodes elsewhere does not here', () => {
    expect(filter([{ a: `${'x'.repeat(50_000)}y` }], '$[?!search(@.a, "^(x+x+)+z$")].a')).toHaveLength(1)
  })

  test('selectors that multiply what they select end with advice', () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => id)
    expect(() => filter(rows, `$[${Array.from({ length: 100 }, () => '*').join()}]`)).toThrow(
      /selects more than 2,000,000 values\. Select fewer/,
    )
  })

  test('nothing to do says so', () => {
    expect(() => filterText('{}', {})).toThrow(/"fields".*"exclude"/)
  })

  test('one wrong field among right ones is a note, not a failure', () => {
    const { body, notes } = filterText(JSON.stringify(shop), { fields: ['meta.total', 'nope'] })
    expect(JSON.parse(body)).toEqual({ meta: { total: 3 } })
    expect(notes.join()).toContain('No field "nope"')
  })

  test('a condition that nothing meets says which values there are', () => {
    const { body, notes } = filterText(JSON.stringify(shop), { fields: ['$.items[?@.status == "opn"].id'] })
    expect(body).toBe('{}')
    expect(notes.join()).toMatch(/None of the 3 elements .*"open", "closed"/)
  })

  test('an index behind the end says how many there are', () => {
    expect(filterText(JSON.stringify(shop), { fields: ['items[7]'] }).notes.join()).toMatch(
      /outside the 3 elements/,
    )
  })
})
