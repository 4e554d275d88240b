import { beforeAll, expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

let compress: Awaited<ReturnType<typeof loadCompressor>>
beforeAll(async () => {
  compress = await loadCompressor()
})

const two = (n: number): string => String(n).padStart(2, '0')
const payees = ['Olive Mill', 'Tram', 'Bakery North', 'Book Barn']

it('the day of a booking stays', () => {
  const bookings = Array.from(
    { length: 90 },
    (_, i) =>
      `2031-${two(1 + Math.floor(i / 28))}-${two(1 + (i % 28))}  ${payees[(i * 7) % 4]}     -${(i * 37) % 90}.20`,
  )
  const text = bookings.toSpliced(40, 1, '2031-02-13  Glassworks refund     250.00').join('\n')
  for (const goal of ['Glassworks refund', 'which refund came in?'])
    expect(compress({ text, goal, budget: 250 }).text).toContain('2031-02-13 Glassworks')
})

it('the clock of a departure stays, and that counted lines have none is said', () => {
  const text = Array.from(
    { length: 90 },
    (_, i) =>
      `${two(5 + Math.floor(i / 6))}:${two((i * 11) % 60)}  Ferry ${i % 9}  ${['Hvar', 'Vis', 'Brac'][i % 3]}  pier ${i % 4}`,
  )
  const board = text.toSpliced(50, 1, '13:37  Ferry 77  Lastovo  pier 2  cancelled').join('\n')
  expect(compress({ text: board, goal: 'is one cancelled?', budget: 250 }).text).toContain('13:37 Ferry 77')
  const overview = compress({ text: board, budget: 250 }).text
  expect(overview).toContain('times of counted lines left out')
})

it('where only some lines begin with a day, that days are left out is said', () => {
  const table = Array.from({ length: 60 }, (_, i) => `assets box number ${i % 7} holds ${i * 3} EUR`)
  const register = Array.from(
    { length: 30 },
    (_, i) => `2031-01-${two(1 + i)} INFO ${payees[i % 4]}  ${i}.00 EUR`,
  )
  const shown = compress({ text: [...table, ...register].join('\n'), budget: 200 })
  expect(shown.text).toMatch(/times left out|2031-01/)
})

it.each([
  ['Nov 29, 2026 3:04:05 AM', 'Nov 29, 2026 11:59:05 PM'],
  ['11/29/2026 03:04:05 AM', '11/29/2026 11:04:05 PM'],
  ['29 Nov 2026 03:04:05', '30 Nov 2026 01:04:05'],
  ['29 Nov 03:04:05', '1 Dec 01:04:05'],
])('what is said of times has their day, month and half of the day: %s', (first, last) => {
  const lines = Array.from(
    { length: 80 },
    (_, i) => `${i < 60 ? first : last} INFO worker ${i % 7} handled ${(i * 37) % 90} jobs`,
  )
  const [said = ''] = compress({ text: lines.join('\n'), budget: 150 }).text.split('\n')
  const told = /(\S.*?) to (.*?)(?:[;.]|$)/.exec(said.slice(said.indexOf(';') + 1))
  if (told === null) return
  expect(told[1]?.trim()).toBe(first)
  expect(last.endsWith(told[2] ?? '')).toBe(true)
  const day = (time: string): string => time.replace(/ \d+:.*/, '')
  if (day(first) !== day(last)) expect(told[2]).toBe(last)
})

it.each([
  ['Nov 29, 2026 3:04:05 AM', 'Nov 2, 2026 11:59:05 PM'],
  ['29 Nov 2026 03:04:05', '2 Dec 2026 01:04:05'],
])('parts of a time are left out together or shown together: %s', (first, last) => {
  const lines = Array.from({ length: 90 }, (_, i) => {
    const said =
      i === 71 ? 'ERROR worker lost lease 81' : `INFO worker ${i % 7} handled ${(i * 37) % 90} jobs`
    return `${i % 2 ? first : last} ${said}`
  })
  for (const goal of [undefined, 'lost lease'])
    for (const line of compress({
      text: lines.join('\n'),
      budget: 200,
      ...(goal === undefined ? {} : { goal }),
    })
      .text.split('\n')
      .slice(1))
      expect(
        line.includes('lost lease') ? line : line.replace(/^.*?(?=INFO|worker|handled|×|$)/, ''),
      ).toMatch(
        line.includes('lost lease') ? new RegExp(`^${first}`) : /^(?!(?:\d{1,2},? )?(?:AM|PM|2026)\b)/,
      )
})
