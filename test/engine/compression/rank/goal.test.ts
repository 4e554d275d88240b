import { describe, expect, test } from 'vitest'
import { countTerms } from '../../../../electron/engine/text/words/count-terms.ts'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'

function matches(goalText: string, text: string): boolean {
  const goal = parseGoal(goalText)
  const { counts } = countTerms(text, goal)
  return goal.terms.some((term, i) => term.kind !== 'synonym' && (counts?.[i] ?? 0) > 0)
}

/** Weight of what the goal finds in the text, synonyms included. */
function weight(goalText: string, text: string): number {
  const goal = parseGoal(goalText)
  const { counts } = countTerms(text, goal)
  return goal.terms.reduce((sum, term, i) => sum + ((counts?.[i] ?? 0) > 0 ? term.weight : 0), 0)
}

describe('parseGoal', () => {
  test('leaves out stop words and words that only frame the question', () => {
    expect(parseGoal('Show me which function computes the checksum').words).toEqual(['computes', 'checksum'])
  })

  test('a state is content, where the same word elsewhere is none', () => {
    expect(parseGoal('which servers are down').words).toEqual(['servers', 'down'])
    expect(parseGoal('lights that are on in the kitchen').words).toEqual(['lights', 'on', 'kitchen'])
    expect(parseGoal('what is on the roof').words).toEqual(['roof'])
  })

  test('words of order tell the language of a short goal', () => {
    expect(parseGoal('höchster Umsatz')).toMatchObject({ language: 'de', order: { end: 'max' } })
    expect(parseGoal('dernier commit')).toMatchObject({ language: 'fr', order: { of: 'place' } })
    expect(parseGoal('heaviest one').language).toBe('en')
  })

  test.each([
    ['comment of the archive', 'en', ['comment', 'archive']],
    ['sales per region', 'en', ['sales', 'per', 'region']],
    ['fingerprint of Amazon Root CA 1', 'en', ['fingerprint', 'amazon', 'root', 'ca', '1']],
    ['array index in store.c', 'en', ['array', 'index', 'store', 'c']],
    ['wer hat die Stempel', 'de', ['stempel']],
    ['les fichiers par taille', 'fr', ['fichiers', 'taille']],
  ])('words that English has, too, tell no other language alone: "%s" is %s', (text, language, words) => {
    expect(parseGoal(text)).toMatchObject({ language, words })
  })

  test('falls back to such words when there are no others', () => {
    expect(parseGoal('who is he?').words).toEqual(['who', 'is', 'he'])
    expect(parseGoal('').words).toEqual([])
  })

  test.each([
    ['cheapest flight', { end: 'min', of: 'number', isCertain: true }],
    ['the highest mountain', { end: 'max', of: 'number', isCertain: true }],
    ['first mayor', { end: 'min', of: 'place', isCertain: true }],
    ['which one is smaller or larger', { end: 'min', of: 'number', isCertain: false }],
    ['price of flight 7', undefined],
  ])('order of "%s" is %o', (text, order) => {
    expect(parseGoal(text).order).toEqual(order)
  })

  test('knows when something unusual, trouble or a neighbour is asked for', () => {
    expect(parseGoal('anything unusual in the pods?').asksForOddity).toBe(true)
    expect(parseGoal('why does the upload fail').speaksOfTrouble).toBe(true)
    expect(parseGoal('who was president after Adams').asksForNeighbour).toBe(true)
    const plain = parseGoal('price of the red chair')
    expect([plain.asksForOddity, plain.speaksOfTrouble, plain.asksForNeighbour]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('a goal of very many words stays usable', () => {
    const goal = parseGoal(Array.from({ length: 5000 }, (_, i) => `word${i}`).join(' '))
    expect(countTerms('word4999 and word17', goal).counts).toBeDefined()
    expect(goal.terms.length).toBeLessThan(1000)
  })
})

describe('words of a goal find words of a text', () => {
  test.each([
    ['status', 'statuses'],
    ['statuses', 'Status'],
    ['running', 'ran'],
    ['bought', 'buys'],
    ['largest city', 'a large place'],
    ['children', 'child'],
    ['user name', 'userName'],
    ['userName', 'user_name'],
    ['http server', 'HTTPServer'],
    ['release 3', 'v3'],
    ['29748', '29,748 people'],
    ['29,748', '29748 people'],
    ['item 29', '29,748,Clean'],
    ['Émile Zola', 'emile'],
    ['MÜNCHEN', 'münchen'],
    ['图书馆', '新的图书馆'],
  ])('%s → %s', (goal, text) => {
    expect(matches(goal, text)).toBe(true)
  })

  test.each([
    ['used memory', 'us'],
    ['cat', 'category'],
    ['1234', '12345'],
  ])('%s does not → %s', (goal, text) => {
    expect(matches(goal, text)).toBe(false)
  })

  test('a synonym counts, but for less than the word', () => {
    expect(weight('cheapest price', 'cost')).toBeGreaterThan(0)
    expect(weight('cheapest price', 'cost')).toBeLessThan(weight('cheapest price', 'price'))
  })

  test.each([
    ['licence of vite', 'license'],
    ['license of vite', 'licence'],
    ['behaviour', 'behavior'],
  ])('%s finds the other spelling, %s', (goal, text) => {
    expect(weight(goal, text)).toBeGreaterThan(0)
  })

  test('the word as written counts for more than its stem alone', () => {
    expect(weight('sales', 'sales')).toBeGreaterThan(weight('sales', 'sale'))
  })

  test.each([
    ['munin のグラフは何分おきに更新されるか', true],
    ['postgrey が待ち受けるポート', true],
    ['默多克活了多少岁', true],
    ['软件包要停留多久', true],
    ['创始人把职务交给了谁', false],
    ['創設者の後を継いだ人', false],
  ])('%s: asks for a number: %s', (goal, asks) => {
    expect(parseGoal(goal).askedTypes.has('number')).toBe(asks)
  })

  test('words side by side as in the goal are noticed', () => {
    const goal = parseGoal('blood pressure of the patient')
    expect(countTerms('the blood pressure was high', goal).pairs).toBe(1)
    expect(countTerms('pressure of blood', goal).pairs).toBe(0)
  })

  test('length counts words, wherever the count begins', () => {
    const goal = parseGoal('alpha')
    expect(countTerms('one two alpha', goal).length).toBe(3)
    expect(countTerms('one two alpha', goal, 8).length).toBe(1)
    expect(countTerms('one two alpha', goal, 0, 7).counts).toBeUndefined()
  })
})

test.each([
  ['la administración del índice', 'administration_id'],
  ['parameter of the call', 'param'],
  ['authentication', 'auth_url'],
])('"%s" finds what begins alike, for less: %s', (goal, text) => {
  expect(weight(goal, text)).toBeGreaterThan(0)
  expect(weight(goal, text)).toBeLessThan(0.5)
})

test.each([
  ['커스텀 예외 핸들러가 돌려주는 코드', '커스텀 예외 핸들러 설치하기', '상태를 반환합니다'],
  ['오류를 그대로 반환하면 어떤 위험이 있는가', '그 정보를 반환하면 위험하다', '어떤 것이 있는가'],
])('Korean words are found below other particles: %s', (goal, fits, other) => {
  expect(weight(goal, fits)).toBeGreaterThan(1)
  expect(weight(goal, other)).toBe(0)
})
