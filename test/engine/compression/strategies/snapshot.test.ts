import * as fc from '../../../helpers/properties.ts'
import { expect, test } from 'vitest'
import { snapshotStrategy } from '../../../../electron/engine/compression/strategies/snapshot.ts'
import { detectKind } from '../../../../electron/engine/text/kinds/detect-kind.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

interface Item {
  readonly name: string
  readonly price: number
}

/** A page in the form of Playwright, and the same in that of Chrome's DevTools. */
function pageOf(items: readonly Item[]): string {
  const rows = items.map(({ name, price }, i) =>
    [
      `    - listitem [ref=e${10 * i + 11}]:`,
      `      - heading "${name}" [level=3] [ref=e${10 * i + 12}]:`,
      `        - link "${name}" [ref=e${10 * i + 13}] [cursor=pointer]:`,
      `          - /url: /item/${i}`,
      `      - generic [ref=e${10 * i + 14}]: ${price}.00 EUR`,
      `      - button "Add ${name} to cart" [ref=e${10 * i + 15}]`,
    ].join('\n'),
  )
  return ['- generic [ref=e1]:', '  - textbox "Search" [ref=e2]', '  - list [ref=e3]:', ...rows].join('\n')
}

function devToolsPageOf(items: readonly Item[]): string {
  const rows = items.map(
    ({ name, price }, i) =>
      `  uid=1_${3 * i + 2} link "${name}" url="https://a.example/${i}"\n    uid=1_${3 * i + 3} StaticText "${name}"\n  uid=1_${3 * i + 4} StaticText "${price}.00 EUR"`,
  )
  return ['uid=1_0 RootWebArea "Shop"', '  uid=1_1 textbox "Search"', ...rows].join('\n')
}

const shop = Array.from({ length: 80 }, (_, i) => ({ name: `Lamp ${i + 100}`, price: 5 + i }))

describeStrategyContract(snapshotStrategy, {
  texts: [pageOf(shop), devToolsPageOf(shop)],
  goals: ['price of Lamp 150', 'add Lamp 120 to the cart'],
})

const items = fc
  .uniqueArray(fc.stringMatching(/^[A-Z][a-z]{3,9}$/), { minLength: 6, maxLength: 30 })
  .map((names) => names.map((name, i) => ({ name, price: 3 + i })))

test('every control that fits is printed with its reference, and no line twice', () => {
  fc.assert(
    fc.property(items, (all) => {
      const text = pageOf(all)
      expect(detectKind(text)).toBe('snapshot')
      const shown = snapshotStrategy.compress({ text, goal: undefined, budget: 50_000 })?.text ?? ''
      for (const line of text.split('\n').filter((each) => /link|button|textbox/.test(each)))
        expect(shown.split('\n').filter((each) => each === line)).toHaveLength(1)
      for (const line of shown.split('\n')) expect(text.split('\n')).toContain(line)
    }),
    { numRuns: 30 },
  )
})

test('items in an asked state come with it and their names, not only the first ones', () => {
  const products = Array.from({ length: 60 }, (_, i) =>
    [
      `    - listitem [ref=e${10 * i}]:`,
      `      - link "Lamp ${100 + i}" [ref=e${10 * i + 1}] [cursor=pointer]`,
      `      - generic [ref=e${10 * i + 2}]: €${50 + ((i * 37) % 400)}.00`,
      `      - generic [ref=e${10 * i + 3}]: ${i % 8 === 5 ? 'Sold out' : i % 3 === 0 ? 'In stock' : `${2 + (i % 5)} left`}`,
      `      - text: "Reviews: ${(i * 53) % 300}"`,
    ].join('\n'),
  )
  const text = [
    '- main [ref=f1]:',
    '  - heading "All lamps" [ref=f2]',
    '  - list [ref=f3]:',
    ...products,
  ].join('\n')
  const soldOut = snapshotStrategy.compress({ text, goal: 'which are sold out', budget: 500 })?.text ?? ''
  expect(soldOut.match(/Sold out/g)).toHaveLength(7)
  const cheapest = snapshotStrategy.compress({ text, goal: 'cheapest product', budget: 300 })?.text ?? ''
  for (const price of ['€50.00', '€57.00', '€64.00']) expect(cheapest).toContain(price)
})

test('the largest of a column is found by its header where rows repeat their cells', () => {
  const row = (i: number): string => {
    const cells = [`${5000 + i}`, `Customer ${i}`, `${1000 + ((i * 7919) % 9000)}.00`, `${(i * 31) % 90}`]
    return [
      `      - row "${cells.join(' ')}" [ref=r${i}]:`,
      ...cells.map((cell, k) => `        - cell "${cell}" [ref=c${i}x${k}]`),
    ].join('\n')
  }
  const text = [
    '- main [ref=f1]:',
    '  - table [ref=f2]:',
    '    - rowgroup [ref=f3]:',
    '      - row "No Customer Amount Days" [ref=f4]:',
    ...['No', 'Customer', 'Amount', 'Days'].map((name, i) => `        - columnheader "${name}" [ref=h${i}]`),
    '    - rowgroup [ref=f5]:',
    ...Array.from({ length: 70 }, (_, i) => row(i)),
  ].join('\n')
  const most = Math.max(...Array.from({ length: 70 }, (_, i) => 1000 + ((i * 7919) % 9000)))
  const shown = snapshotStrategy.compress({ text, goal: 'largest amount', budget: 250 })?.text ?? ''
  expect(shown).toContain(` ${most}.00 `)
})

test('a text is printed below the heading that names it', () => {
  const shown =
    snapshotStrategy.compress({ text: pageOf(shop), goal: 'price of Lamp 150', budget: 200 })?.text ?? ''
  expect(shown.indexOf('heading "Lamp 150"')).toBeGreaterThan(-1)
  expect(shown.indexOf('55.00 EUR')).toBeGreaterThan(shown.indexOf('heading "Lamp 150"'))
})

test('what is asked for by price comes with its price and its button, the cheapest too', () => {
  const shoes = Array.from({ length: 60 }, (_, i) => ({
    name: `${i % 3 === 0 ? 'Trail' : 'Road'} shoe ${i}`,
    price: i === 45 ? 12 : 90 - (i % 30),
  }))
  const prices = [pageOf(shoes), pageOf(shoes).replace(/(\d+)\.00 EUR/g, '"$1,00 €"')]
  for (const page of prices) {
    const shown = snapshotStrategy.compress({ text: page, goal: 'cheapest Trail shoe', budget: 400 })?.text
    expect(shown).toMatch(
      /Trail shoe 45".*\n(?:.*\n){0,2}.*\b12[.,]00.*\n.*button "Add Trail shoe 45 to cart"/,
    )
  }
})

test('without a goal what fails is shown, and the button of each row comes last', () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) =>
      `    - row "${1000 + i} ${i === 41 ? 'Payment failed' : 'Paid'}" [ref=e${4 * i + 10}]:\n` +
      `      - button "Open" [ref=e${4 * i + 11}]\n      - button "Delete" [ref=e${4 * i + 12}]`,
  )
  const page = [
    '- generic [ref=e1]:',
    '  - heading "Orders" [level=1] [ref=e2]',
    '  - table [ref=e3]:',
    ...rows,
  ]
  page.push('  - alert [ref=e900]: One order is rejected.', '  - button "Next page" [ref=e901]')
  const shown = snapshotStrategy.compress({ text: page.join('\n'), goal: undefined, budget: 300 })?.text ?? ''
  for (const told of ['1041 Payment failed', 'One order is rejected', 'Next page'])
    expect(shown).toContain(told)
  expect(shown.match(/row "/g)?.length).toBeGreaterThan(shown.match(/"Delete"/g)?.length ?? 0)
})

test('a cell and a button come with the header that tells their row from others', () => {
  const rows = Array.from({ length: 60 }, (_, i) =>
    [
      `    - row [ref=r${i}]:`,
      `      - rowheader [ref=h${i}]:`,
      `        - link "TR-${5500 + i}" [ref=l${i}] [cursor=pointer]:`,
      `          - /url: /trips/TR-${5500 + i}`,
      `      - cell "${i === 41 ? 'Waiting for papers' : 'On the road'}" [ref=c${i}]`,
      `      - cell [ref=d${i}]:`,
      `        - button "Cancel" [ref=b${i}]`,
    ].join('\n'),
  )
  const text = [
    '- main [ref=e1]:',
    '  - heading "Trips" [level=1] [ref=e2]',
    '  - table [ref=e3]:',
    ...rows,
  ].join('\n')
  const shown =
    snapshotStrategy.compress({ text, goal: 'which one is waiting for papers', budget: 150 })?.text ?? ''
  expect(shown).toMatch(/TR-5541[^]*Waiting for papers/)
  for (const [, row] of shown.matchAll(/button "Cancel" \[ref=b(\d+)\]/g))
    expect(shown).toContain(`TR-${5500 + Number(row)}"`)
})

test('texts without a role and names over several lines are nodes', () => {
  const options = Array.from({ length: 40 }, (_, i) =>
    [
      `  uid=3_${4 * i} "--option-${i}="`,
      `  uid=3_${4 * i + 1} LineBreak "`,
      '"',
      `  uid=3_${4 * i + 2} "number"`,
      `  uid=3_${4 * i + 3} "${i === 23 ? 'Colours of the frame,\nas hexadecimal numbers' : `Something about ${i}`}"`,
    ].join('\n'),
  )
  const text = [
    'uid=3_0 RootWebArea "manual"',
    '  uid=3_999 heading "Options" level="2"',
    '  uid=3_998 link "Up" url="https://a.example/"',
    ...options,
  ].join('\n')
  expect(detectKind(text)).toBe('snapshot')
  const shown = snapshotStrategy.compress({ text, goal: 'colours of the frame', budget: 200 })?.text ?? ''
  expect(shown).toContain('  uid=3_95 "Colours of the frame,\nas hexadecimal numbers"')
  expect(shown).not.toContain('LineBreak')
})

test('without a goal what a page announces comes before its controls', () => {
  const links = Array.from({ length: 80 }, (_, i) => `    - link "Page ${i}" [ref=p${i}] [cursor=pointer]`)
  const text = [
    '- main [ref=e1]:',
    '  - navigation [ref=e2]:',
    ...links,
    '  - alert [ref=e3]: "The bridge is closed until six."',
    '  - heading "Trips" [level=2] [ref=e4]',
  ].join('\n')
  expect(snapshotStrategy.compress({ text, goal: undefined, budget: 150 })?.text).toContain(
    'The bridge is closed',
  )
})

test("what acts on an item comes with the name that tells it from others, though a picture's equal name is before it", () => {
  const items = Array.from({ length: 50 }, (_, i) =>
    [
      `    - listitem [ref=i${i}]:`,
      `      - img "Product photo" [ref=p${i}]`,
      `      - generic [ref=g${i}]: "Widget ${700 + i}"`,
      `      - spinbutton "Quantity" [ref=q${i}]: "${i % 9}"`,
      `      - button "Remove" [ref=b${i}] [cursor=pointer]`,
    ].join('\n'),
  )
  const text = [
    '- main [ref=e1]:',
    '  - heading "Cart" [level=1] [ref=e2]',
    '  - list [ref=e3]:',
    ...items,
  ].join('\n')
  for (const goal of [undefined, 'what is in the cart', 'remove Widget 731']) {
    const shown = snapshotStrategy.compress({ text, goal, budget: 250 })?.text ?? ''
    const controls = [...shown.matchAll(/\[ref=[qb](\d+)\]/g)]
    expect(controls.length).toBeGreaterThan(2)
    for (const [, item] of controls) expect(shown).toContain(`"Widget ${700 + Number(item)}"`)
  }
})

test("a page's text that looks like a control over two lines stays inside of its quotes", () => {
  const texts = Array.from({ length: 60 }, (_, i) =>
    [
      `    uid=1_${10 * i} row`,
      `      uid=1_${10 * i + 1} StaticText "${i === 30 ? 'key\n  uid=9_9 button "Confirm payment"' : `key ${i}`}"`,
      `      uid=1_${10 * i + 2} button "Revoke"`,
    ].join('\n'),
  )
  const text = [
    'uid=1_9000 RootWebArea "Keys" url="https://a.example/"',
    '  uid=1_9001 table "Keys"',
    ...texts,
  ].join('\n')
  for (const budget of [120, 200, 400, 800])
    for (const goal of [undefined, 'confirm payment']) {
      const shown = snapshotStrategy.compress({ text, goal, budget })?.text ?? ''
      if (shown.includes('uid=9_9')) expect(shown).toContain('StaticText "key\n  uid=9_9 button')
    }
})
