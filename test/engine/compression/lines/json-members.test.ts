import { describe, expect, test } from 'vitest'
import { logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'

const compress = (text: string, goal?: string, budget = 400): string =>
  logStrategy.compress({ text, goal, budget })?.text ?? ''

/** As an operator wraps what a database says: all that differs is in one member. */
const wrapped = (i: number, members: object): string =>
  JSON.stringify({
    level: 'info',
    ts: 1_669_575_482 + i,
    logger: 'postgres',
    record: {
      log_time: `2022-11-27 18:${10 + (i % 50)}:02.096 UTC`,
      user_name: 'postgres',
      database_name: 'orders-of-the-shop',
      process_id: String(400 + i),
      connection_from: '[local]',
      session_id: `6383b${(i * 7919).toString(16)}.${i}`,
      session_line_num: String((i % 7) + 1),
      session_start_time: `2022-11-27 18:${10 + (i % 50)}:01 UTC`,
      virtual_transaction_id: `4/${i}`,
      ...members,
    },
  })
const database = Array.from({ length: 200 }, (_, i) =>
  i === 133
    ? wrapped(i, {
        error_severity: 'ERROR',
        message: 'relation "baskets" does not exist',
        hint: 'Perhaps you meant "basket".',
      })
    : wrapped(i, {
        error_severity: 'LOG',
        message: i % 2 === 0 ? 'connection received' : 'statement finished in time',
      }),
).join('\n')

describe('what is within a member of lines of JSON', () => {
  test('is shown where the goal speaks of it', () => {
    expect(compress(database, 'Which relation does not exist?')).toContain(
      String.raw`"message":"relation \"baskets\" does not exist"`,
    )
  })

  test('is shown for each kind of line, errors first', () => {
    const shown = compress(database)
    expect(shown).toContain(String.raw`relation \"baskets\" does not exist`)
    expect(shown).toContain('"message":"connection received"')
    expect(shown).toContain('"message":"statement finished in time"')
  })

  test('is left out where it is equal, and objects stay closed', () => {
    const [counted = ''] = compress(database)
      .split('\n')
      .filter((line) => line.startsWith('×'))
    expect(counted).toMatch(/^×\d+ (?:like )?\{"record":\{.*\}\}$/)
    expect(counted).not.toMatch(/\[local\]|orders-of-the-shop/)
  })
})

test('numbers and ids of inner objects give way to what a line says at its end', () => {
  const requests = Array.from({ length: 120 }, (_, i) =>
    JSON.stringify({
      level: i === 77 ? 50 : 30,
      time: 1_764_230_400_000 + i,
      req: {
        id: i,
        url: `/api/items/${i % 5}`,
        headers: {
          agent: 'curl/8.4.0',
          from: `203.0.113.${i}`,
          digest: `${i}9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`,
          token: `${i}60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752`,
          request: `${i}d2e3358ebcac29e1ec3c48a36daafed5`,
          trace: `00-${i}af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`,
        },
        remoteAddress: `::ffff:10.0.3.${i}`,
        remotePort: 20_000 + i,
      },
      res: {
        statusCode: i === 77 ? 500 : 200,
        headers: { length: String(600 + i), etag: `W/"${i}-2jmj7l5rSw0yVb"` },
      },
      msg: i === 77 ? 'the stock of an article is locked by another order' : 'request completed',
    }),
  ).join('\n')
  const [failed] = compress(requests)
    .split('\n')
    .filter((line) => line.includes('"level":50'))
  expect(failed).toContain('"statusCode":500')
  expect(failed).toContain('"msg":"the stock of an article is locked by another order"')
  expect(failed).toContain('{…')
})
