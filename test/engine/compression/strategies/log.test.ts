import { describe, expect, test } from 'vitest'
import { linesStrategy, logStrategy } from '../../../../electron/engine/compression/strategies/log.ts'
import { countTokens } from '../../../../electron/engine/text/tokens/count-tokens.ts'
import { accessLog, jsonLinesLog, serviceLog, sysLog } from '../../../fixtures/compression/make-logs.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

describeStrategyContract(logStrategy, {
  texts: [serviceLog(400), jsonLinesLog(200), sysLog(500), accessLog(300)],
  goals: ['why did the charge of grace fail?', 'which process was killed', 'zebra'],
})

const compress = (text: string, budget: number, goal?: string) => {
  const output = logStrategy.compress({ text, goal, budget })
  if (!output) throw new Error('nothing came out')
  return output
}

describe('a log without a goal', () => {
  const text = serviceLog(2000)

  test('shows each kind of line once, with its count, and the rare ones whole', () => {
    const output = compress(text, 600)
    expect(output.text).toMatch(/^×\d+(?:,\d+)? .*GET /m)
    expect(output.text).toContain('Volume /var/data is 97% full')
    expect(output.text).toContain('Charge 88412 failed for grace')
    expect(output.text).toContain('gateway answered 402 after 3 attempts')
    expect(output.omitted).toMatch(/of 2,007 lines, .* kinds shown; 2024-10-27 03:33:20/)
  })

  test('every line is counted', () => {
    const output = compress(text, 2000)
    const counts = output.text
      .split('\n')
      .map((line) => Number(/^×([\d,]+) /.exec(line)?.[1]?.replace(',', '') ?? 1))
    expect(counts.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(2007)
  })

  test('words of a line stand in the log in that order, a mark where some are left out', () => {
    const bare = text.replace(/\s+/g, ' ')
    const pieces = compress(text, 4000)
      .text.split('\n')
      .flatMap((line) =>
        line
          .replace(/^×[\d,]+ (?:in all )?(?:like )?/, '')
          .replace(/^(?:INFO|WARN|ERROR|DEBUG) /, '')
          .split('…'),
      )
    for (const piece of pieces) expect(bare).toContain(piece.trim().replace(/\s+/g, ' '))
  })

  test('names of users do not make kinds', () => {
    const shown = compress(text, 2000).text.split('\n')
    expect(shown.filter((line) => /^×.*Evicted session/.test(line)).length).toBeLessThanOrEqual(2)
  })

  test('what room is left for shows more lines of every kind, but no rules', () => {
    const report = Array.from(
      { length: 200 },
      (_, i) => `warning: unused variable v${i}\n   |  ^~~~\nsrc/f${i}.c: in function f${i}`,
    ).join('\n')
    const output = compress(report, 1000)
    expect(countTokens(output.text)).toBeGreaterThan(900)
    expect(output.text).toContain('src/f150.c')
    expect(output.text).not.toContain('^~~~')
  })

  test('its first and last line are there where no other is like them', () => {
    const words = 'ink paper fold margin spine thread glue board cloth edge'.split(' ')
    const body = Array.from(
      { length: 400 },
      (_, i) =>
        `${words[i % 10]} error: ${words[(i >> 2) % 10]} could not be read by ${words[(i >> 4) % 10]} ${i}`,
    )
    const first =
      'atlasctl 4.2 reads the sheets of the northern coast between the cape and the second lighthouse'
    const last =
      'Of 400 sheets 12 are left for tomorrow because the light in the room went out at about eight'
    const shown = compress([first, ...body, last].join('\n'), 120).text
    expect(shown).toContain(first)
    expect(shown).toContain(last)
  })

  test('levels stay apart even where the message is the same', () => {
    const same = Array.from(
      { length: 60 },
      (_, i) =>
        `2024-01-01 00:00:${String(i).padStart(2, '0')} ${i === 30 ? 'ERROR' : 'INFO'} [main] Pool - connection ${i} closed`,
    ).join('\n')
    expect(compress(same, 300).text).toContain('ERROR')
  })
})

describe('a log with a goal', () => {
  test('finds the line, its trace and its cause, with its time', () => {
    const output = compress(serviceLog(3000), 400, 'Why was the charge declined?')
    expect(output.text).toMatch(/\d\d:\d\d:\d\d\.\d+Z ERROR .*Charge 88412 failed for grace/)
    expect(output.text).toContain('card declined by issuer')
    expect(output.text).toContain('GatewayException')
  })

  test('many lines of one kind do not push out the one that answers', () => {
    const text = `${sysLog(2000)}\nNov  6 09:00:00 web-1 sshd[1]: Accepted password for root from 192.0.2.9 port 22 ssh2`
    expect(compress(text, 300, 'From where was a password accepted?').text).toContain('192.0.2.9')
  })

  test('a goal that finds nothing gives the kinds', () => {
    const text = serviceLog(500)
    expect(compress(text, 400, 'zebra giraffe').text).toBe(compress(text, 400).text)
  })

  test('an id that the goal names is printed whole', () => {
    const id = '4f0c2a51-9d3e-4b7a-8c11-0a5d7e92b3f6'
    const text = `${serviceLog(300)}\n2024-10-27T05:00:00.000Z INFO [main] com.acme.Trace - request ${id} was lost`
    expect(compress(text, 300, `what happened to request ${id}?`).text).toContain(id)
  })
})

/** How many lines the printed ones stand for. */
const shownOf = (text: string, kind: RegExp): number =>
  text
    .split('\n')
    .filter((line) => kind.test(line))
    .reduce((sum, line) => sum + Number(/^×([\d,]+) /.exec(line)?.[1]?.replaceAll(',', '') ?? 1), 0)

describe('an access log', () => {
  test('a failed request is a kind of its own', () => {
    const { text, omitted } = compress(accessLog(2000), 300)
    expect(text).toMatch(/^×1,99\d /m)
    expect(shownOf(text, /" 200 /)).toBe(1999)
    expect(text).toMatch(/^198\.51\.100\.\d+ .*" 503 /m)
    expect(omitted).toContain('12/Nov/2024:06:00:00 +0000 to 06:33:19 +0000')
  })

  test('a goal finds it, with its time and its caller', () => {
    expect(compress(accessLog(2000), 200, 'which requests failed with 503?').text).toMatch(
      /198\.51\.100\.\d+ .*:06:01:17 .*503/,
    )
  })
})

test('what alternates is seen from both sides', () => {
  expect(compress(jsonLinesLog(1200), 500).text).toContain('"msg":"incoming request"')
})

describe('JSON lines', () => {
  test('the odd line stands out', () => {
    expect(compress(jsonLinesLog(400), 400).text).toContain('could not reach the fraud service')
  })

  test('a goal finds its line', () => {
    expect(compress(jsonLinesLog(400), 300, 'On which port does the server listen?').text).toContain(
      'http://0.0.0.0:3004',
    )
  })
})

test('a log of many megabytes comes out within the budget', () => {
  const text = `${serviceLog(2000)}\n`.repeat(40)
  const output = compress(text, 1000, 'which volume is full?')
  expect(output.text).toContain('/var/data is 97% full')
  expect(countTokens(output.text)).toBeLessThanOrEqual(1000)
})

test('lines that are all different stay bounded', () => {
  const below = (i: number, n: number) => (i * 2654435761) % n
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const word = (i: number) => Array.from({ length: 8 }, (_, k) => letters[below(i + k * 7919, 26)]).join('')
  const text = Array.from({ length: 60_000 }, (_, i) => `${word(i)} ${word(i * 3)} ${word(i * 7)}`).join('\n')
  expect(countTokens(compress(text, 500).text)).toBeLessThanOrEqual(500)
})

test('terminal colours are not printed', () => {
  const text = serviceLog(300).replaceAll('INFO', '\u001b[32mINFO\u001b[0m')
  expect(compress(text, 500).text).not.toContain('\u001b')
})

test('commented lines keep the mark that makes them comments', () => {
  const settings = Array.from({ length: 400 }, (_, i) => `\t# limit-${i}-of-part: ${i * 7}\n`).join('')
  const shown = logStrategy.compress({ text: settings, goal: 'limit of part', budget: 200 })?.text ?? ''
  expect(shown).toContain('# limit-0-of-part')
})

test('without a goal a history shows its commits with their subjects', () => {
  const commits = Array.from({ length: 40 }, (_, i) => {
    const hash = (i * 7919 + 0x1a2b3c4).toString(16).padStart(40, 'a')
    const files = Array.from({ length: 5 }, (_, k) => ` src/part-${i}/file-${k}.ts | ${k + i} +++--`).join(
      '\n',
    )
    return `commit ${hash}\nAuthor: Ann Poe <ann@example.org>\nDate:   Tue Mar 3 10:${10 + i}:07 2026 +0100\n\n    Mend the part number ${i}\n\n${files}\n`
  })
  const { text = '' } =
    linesStrategy.compress({ text: commits.join('\n'), goal: undefined, budget: 400 }) ?? {}
  for (const i of [0, 1, 2]) {
    const hash = (i * 7919 + 0x1a2b3c4).toString(16).padStart(40, 'a')
    expect(text).toMatch(new RegExp(`commit ${hash}\\n(?:.*\\n){0,4}.*Mend the part number ${i}\\b`))
  }
})

test('a long log says its span only where its times are in order', () => {
  const log = (minuteOf: (n: number) => number) =>
    Array.from({ length: 700 }, (_, n) => {
      const minute = minuteOf(n)
      const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`
      return `2026-03-02 ${clock} INFO worker-${n % 7} took job ${n}`
    }).join('\n')
  const said = (text: string) => logStrategy.compress({ text, goal: undefined, budget: 300 })?.omitted
  expect(said(log((n) => n))).toContain('2026-03-02 00:00:00 to 11:39:00')
  expect(said(log((n) => (n * 37) % 700))).not.toContain(' to ')
})

test('the span of a history has its day whole, and is left out where the newest comes first', () => {
  const history = (minuteOf: (n: number) => number) =>
    Array.from({ length: 90 }, (_, n) => {
      const minute = minuteOf(n)
      const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:18`
      return `commit ${String(n).padStart(4, '0')}9bfe3c27\nDate:   Thu Nov 26 ${clock} 2026 +0000\n\n    Mend part ${n} of the gate\n`
    }).join('\n')
  const said = (text: string) => logStrategy.compress({ text, goal: undefined, budget: 300 })?.omitted
  expect(said(history((n) => 300 + n))).toContain('Thu Nov 26 05:00:18 2026 +0000 to 06:29:18 2026 +0000')
  expect(said(history((n) => 400 - n))).not.toContain(' to ')
})

test('a line keeps what names it alone, and what is left out before messages is said', () => {
  const words = ['gate', 'hinge', 'lock', 'post', 'rail', 'bolt', 'latch', 'panel', 'frame']
  const lines = (headOf: (n: number) => string) =>
    Array.from({ length: 120 }, (_, n) => {
      const clock = `${String(5 + (n % 9)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:18`
      const [one, two, three] = [1, 9, 81].map((by) => words[Math.floor(n / by) % 9] ?? '')
      return `${headOf(n)} Ann Smith Thu Nov 26 ${clock} 2026 +0000 Mend the ${one} of a ${two}${three}`
    }).join('\n')
  const said = (text: string) => logStrategy.compress({ text, goal: undefined, budget: 300 })
  const commits = said(lines((n) => `${(0x1a2b3c4 + n * 7919).toString(16)}e`))
  expect(commits?.text).toMatch(/^1a[0-9a-f]+e .*Mend the hinge/m)
  expect(commits?.omitted).toMatch(/left out where equal: Ann Smith/)
  expect(commits?.omitted).not.toContain('numbers')
})

test('kinds that begin alike say less each, and a few short failing lines are printed each', () => {
  const subjects = ['berth', 'crane', 'quay', 'pilot', 'cargo', 'hull', 'mast', 'voyage', 'anchor', 'rudder']
  const passed = subjects.flatMap((subject, i) =>
    [1, 2, 3].map((n) => `✔ ${subject} ${n} keeps its ${subjects[(i * 3 + 1) % 10]}`),
  )
  const failed = [4, 17, 31].map((n) => `✖ tide ${n} keeps its ledger`)
  const others = ['Reading the plan', 'Total of berths: 12', 'Report written to out/plan.txt']
  const text = [others[0], ...passed, ...failed, ...others.slice(1)].join('\n')
  const shown = compress(text, 120).text
  for (const line of [...failed, ...others]) expect(shown).toContain(line)
})

describe('blocks with a heading and blank lines between them', () => {
  const block = (n: number): string =>
    `Survey of pond ${n} (east ${n})\nWater is clear to ${n + 2} m.\nfrogs    ${n * 3} counted\n${
      n % 4 === 1 ? 'newts    seen' : 'newts    none'
    }\nSigned by keeper ${n}\n`
  const text = Array.from({ length: 24 }, (_, n) => block(n)).join('\n')
  const blocksOf = (shown: string): string[] =>
    shown
      .split('\n')
      .map((line) => line.replace(/^×\d+ (?:in all )?(?:like )?/, ''))
      .join('\n')
      .split(/\n(?=Survey)/)

  test('a line is found by its heading', () => {
    const { text: shown } = compress(text, 200, 'how many frogs at pond 17')
    expect(blocksOf(shown).find((part) => part.startsWith('Survey of pond 17 '))).toContain(
      'frogs  51 counted',
    )
  })

  test('equal lines of different blocks are each shown, below their heading', () => {
    const parts = blocksOf(compress(text, 400, 'newts seen').text).filter((part) =>
      part.includes('newts  seen'),
    )
    expect(parts.map((part) => /pond (\d+)/.exec(part)?.[1])).toEqual(['1', '5', '9', '13', '17', '21'])
  })
})

test('a line that is alone in its kind keeps who says it, and lines of base 64 say nothing', () => {
  const said = [
    'the kiln is cold',
    'order more clay',
    'who has the key',
    'glaze is on the shelf',
    'back at noon',
    'bring the wheel',
    'no post today',
    'roof leaks again',
    'tea is ready',
    'close the gate',
    'mind the step',
    'call the baker',
  ]
  const chat = said.map((words, i) => `[1${i % 10}:0${i % 6}] ${['Bo', 'Ute', 'Lev'][i % 3]}: ${words}`)
  const shown = logStrategy.compress({ text: chat.join('\n'), goal: undefined, budget: 90 })?.text ?? ''
  const lines = shown.split('\n')
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) expect(line).toMatch(/(?:Bo|Ute|Lev): /)
  const key = Array.from({ length: 14 }, (_, i) =>
    Buffer.from(`line ${i} of a key that is long enough, ${i * 7919}`).toString('base64'),
  )
  const text = ['Key:', '  Owner: Harbour Works', '  Kind: signing', ...key, 'End of key'].join('\n')
  const first = logStrategy.compress({ text, goal: undefined, budget: 60 })?.text ?? ''
  expect(first).toContain('Owner: Harbour Works')
  expect(first).toContain('Kind: signing')
  expect(first).toContain('End of key')
})

test('lines of a day that is asked for in words come first, with their times', () => {
  const text = Array.from({ length: 72 }, (_, n) => {
    const time = new Date(Date.UTC(2026, 10, 9, n)).toISOString()
    return JSON.stringify({ ts: time, svc: ['cart', 'mail'][n % 2], msg: `ran job ${n * 37}` })
  }).join('\n')
  const shown = compress(text, 300, 'what happened on 10 November').text.split('\n')
  expect(shown.length).toBeGreaterThan(5)
  for (const line of shown.slice(0, -1)) expect(line).toContain('"2026-11-10T')
})

test('without a goal lines keep their depth', () => {
  const names = ['copper', 'violin', 'gasket', 'ferry', 'lantern']
  const text = Array.from({ length: 40 }, (_, n) =>
    [
      `  ~ resource "${names[n % 5]}" no ${n} {`,
      `      + ${names[(n + 1) % 5]}_${n} = "${n * 7}"`,
      `          - ${names[(n + 2) % 5]} of ${n}`,
      '    }',
    ].join('\n'),
  ).join('\n')
  const source = new Set(text.split('\n').map((line) => line.search(/\S/) + line.trim().charAt(0)))
  for (const line of compress(text, 300).text.split('\n')) {
    const shown = line.replace(/^×\d+ (?:in all )?(?:like )?/, '')
    expect(source).toContain(shown.search(/\S/) + shown.trim().charAt(0))
  }
})

test('a line that begins with other marks is of another kind: counts are of lines like the printed one', () => {
  const poured = Array.from({ length: 40 }, (_, n) => `poured jug ${n}`)
  const spilled = ['Ash', 'Elm', 'Oak'].map((name) => `>> spilled: ${name} (0.03l)`)
  const { text } = compress([...poured, ...spilled, 'spilled\tsum\t0.12l'].join('\n'), 80)
  expect(text).toMatch(/^×\d+ like poured jug/m)
  expect(shownOf(text, /poured jug/)).toBe(40)
  expect(text).toMatch(/^spilled\s+sum\s+0\.12l$/m)
  expect(text).not.toContain('×4 ')
})
