import { describe, expect, test } from 'vitest'
import { findColumns } from '../../../../electron/engine/compression/lines/find-columns.ts'
import { readLogLines } from '../../../../electron/engine/compression/lines/log-lines.ts'
import { mineKinds } from '../../../../electron/engine/compression/lines/mine-kinds.ts'
import { accessLog, jsonLinesLog, serviceLog, sysLog } from '../../../fixtures/compression/make-logs.ts'

const columnsOf = (text: string) => findColumns(readLogLines(text))

describe('the columns before the message', () => {
  test.each([
    ['a Java service', serviceLog(300), ['time', 'level', 'source', 'source', 'constant']],
    ['syslog', sysLog(300), ['time', 'time', 'time', 'constant', 'source']],
    ['JSON lines', jsonLinesLog(100), []],
  ])('%s', (_, text, kinds) => {
    expect(columnsOf(text).kinds).toEqual(kinds)
  })

  test('an access log begins with its address and ends them with the time', () => {
    expect(columnsOf(accessLog(300)).kinds.at(-1)).toBe('time')
  })

  test('bars and a bracketed time are columns too', () => {
    const bars = Array.from(
      { length: 50 },
      (_, i) => `20240301-10:00:${10 + i}|Sensor_${'ABC'[i % 3]}|4711|value is ${i}`,
    ).join('\n')
    expect(columnsOf(bars).kinds.slice(0, 3)).toEqual(['time', 'source', 'constant'])
    const bracketed = Array.from(
      { length: 50 },
      (_, i) => `[Mon Mar 04 10:00:${10 + i} 2024] [notice] child ${i} started`,
    ).join('\n')
    expect(columnsOf(bracketed).kinds).toEqual(['time', 'level'])
  })

  const many = (line: (i: number) => string) => Array.from({ length: 80 }, (_, i) => line(i)).join('\n')
  test.each([
    [
      'a host name that is a word',
      many((i) => `Jun 14 15:16:${10 + (i % 50)} combo sshd(pam_unix)[${900 + i}]: check pass for user ${i}`),
      5,
    ],
    [
      'a host name with numbers',
      many((i) => `Jul  1 09:00:${10 + (i % 50)} laptop-10-105-${i % 7} kernel[0]: woke up ${i} times`),
      5,
    ],
    [
      'logcat',
      many((i) => `03-17 16:13:${10 + (i % 50)}.811  1702  ${2395 + i} D WindowManager: frozen ${i}`),
      6,
    ],
    [
      'a short date',
      many((i) => `17/06/09 20:10:${10 + (i % 50)} INFO executor.Backend: registered ${i}`),
      4,
    ],
    ['seconds since boot', many((i) => `[   ${i}.${100000 + i}] usb 1-${i % 4}: new device number ${i}`), 1],
  ])('%s', (_, text, columns) => {
    expect(columnsOf(text).kinds).toHaveLength(columns)
  })

  test('text without times has none', () => {
    expect(columnsOf('some words here\nand other words there\n'.repeat(100)).kinds).toEqual([])
  })
})

describe('kinds of lines', () => {
  const kindsOf = (text: string) => {
    const lines = readLogLines(text)
    return mineKinds(lines, findColumns(lines)).kinds
  }

  test('numbers, hexadecimal ids, addresses and paths with numbers make no kinds', () => {
    const text = Array.from(
      { length: 40 },
      (_, i) =>
        `2024-01-01 10:00:${10 + i} INFO job ${i} of 10.0.0.${i}:${8000 + i} wrote /data/part-${i}/x for ${(i * 7919).toString(16).padStart(8, 'a')}-3f2a`,
    ).join('\n')
    expect(kindsOf(text)).toHaveLength(1)
  })

  test('a place with many words is a variable, one with two is not', () => {
    const names = 'ada bert cleo dora emil fritz'.split(' ')
    const text = Array.from(
      { length: 120 },
      (_, i) =>
        `2024-01-01 10:00:${10 + (i % 50)} INFO login of ${names[i % 6]} ${i % 4 < 2 ? 'accepted' : 'refused'} by the server`,
    ).join('\n')
    expect(kindsOf(text).map(({ count }) => count)).toEqual([60, 60])
  })

  test('the lines of a trace go on from the line that has a time', () => {
    const lines = readLogLines(serviceLog(500))
    const log = mineKinds(lines, findColumns(lines))
    const cause = Array.from({ length: lines.count }, (_, i) => i).find((i) =>
      lines.read(i).startsWith('Caused by'),
    )
    expect(cause !== undefined && log.isContinuation(cause)).toBe(true)
  })

  test('Windows line ends and blank lines change nothing', () => {
    const text = serviceLog(300)
    const crlf = `\r\n${text.replaceAll('\n', '\r\n\r\n')}\r\n`
    expect(kindsOf(crlf).map(({ count }) => count)).toEqual(kindsOf(text).map(({ count }) => count))
  })

  test('of more kinds than memory should hold, the rest is told apart coarsely', () => {
    const word = (i: number) => i.toString().replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
    const text = Array.from(
      { length: 50_000 },
      (_, i) => `${word(i)} ${word(i * 31)} ${word(i * 77)} ended`,
    ).join('\n')
    const kinds = kindsOf(text)
    expect(kinds.length).toBeLessThanOrEqual(40_000)
    expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBe(50_000)
  })
})
