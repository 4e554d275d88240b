import { expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const took = Array.from({ length: 300 }, (_, i) => (i * 7919) % 967)
const clock = (i: number) =>
  `10:${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`
const forms = {
  spoken: (ms: number, i: number) =>
    `2026-11-26 ${clock(i)} INFO [http-${i % 4}] GET /api/users completed in ${ms} ms`,
  keyed: (ms: number, i: number) =>
    `time=2026-11-26T${clock(i)}Z level=info msg="request done" duration=${ms}ms`,
}

it.each([
  ['requests that took more than 950 ms', (ms: number) => ms > 950],
  ['requests slower than 0.95 seconds', (ms: number) => ms > 950],
  ['requests with a duration below 12 ms', (ms: number) => ms < 12],
])('lines beyond a limit come first: %s', (goal, isWanted) => {
  const wanted = took.filter(isWanted)
  expect(wanted.length).toBeGreaterThan(2)
  for (const write of Object.values(forms)) {
    const shown = compress({ text: took.map(write).join('\n'), goal, budget: 500 }).text
    expect(wanted.filter((ms) => !new RegExp(`[ =]${ms} ?ms`).test(shown))).toEqual([])
  }
})

it.each([
  [
    'the largest files',
    (i: number) => (i === 141 ? '1.8mb' : i === 77 ? '133.5kb' : `${(i * 37) % 1000}b`),
    /1\.8mb[^]*133|133\.5kb[^]*1\.8mb/,
  ],
  ['which part took longest', (i: number) => (i === 141 ? '2 min' : `${(i * 37) % 900} ms`), /2 min/],
])('numbers are compared with their units: %s', (goal, valueOf, wanted) => {
  const lines = Array.from(
    { length: 400 },
    (_, i) => `   ├ node_modules/lodash/part${i}.js     ${valueOf(i)}`,
  )
  expect(compress({ text: lines.join('\n'), goal, budget: 150 }).text).toMatch(wanted)
})

it('a fraction at the end of a line is compared between lines of all kinds', () => {
  const calls = ['read(3, "", 4096) = 0', 'openat(AT_FDCWD, "/etc/app.conf", O_RDONLY) = 4', 'close(4) = 0']
  const lines = Array.from({ length: 150 }, (_, i) => `${clock(i)} ${calls[i % 3]} <0.0000${10 + (i % 7)}>`)
  lines[40] = `${clock(40)} execve("/usr/bin/app", ["app"], 0x7ffd /* 42 vars */) = 0 <0.001573>`
  expect(compress({ text: lines.join('\n'), goal: 'slowest syscall', budget: 200 }).text).toContain(
    '<0.001573>',
  )
})

it.each([
  ['clocks', (i: number) => (i === 77 ? '00:41:03.5' : `00:00:${10 + (i % 50)}.${i % 10}`), '00:41:03.5'],
  ['hours to seconds', (i: number) => (i === 77 ? '1h3m9s' : `${1 + (i % 50)}m${i % 60}s`), '1h3m9s'],
])('%s are compared as a whole', (_, valueOf, longest) => {
  const lines = Array.from(
    { length: 120 },
    (__, i) =>
      `${clock(i)} INFO step ${['link', 'pack', 'sign'][i % 3]}-${i} finished, duration ${valueOf(i)} exit 0`,
  )
  const shown = compress({ text: lines.join('\n'), goal: 'which step took longest', budget: 170 }).text
  expect(shown).toContain(longest)
})
