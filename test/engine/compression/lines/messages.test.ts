import { expect, test } from 'vitest'
import { joinMessages } from '../../../../electron/engine/compression/lines/messages.ts'
import { readTextLines } from '../../../../electron/engine/compression/lines/text-lines.ts'

const WHO = ['Ida', 'Omar', 'Ida', 'Li Wei', 'Omar', 'Ida', 'Li Wei', 'Omar']
const linesOf = (text: string): string[] => {
  const lines = joinMessages(readTextLines(text))
  return Array.from({ length: lines.count }, (_, line) => lines.read(line))
}

test.each([
  ['chats with blank lines', (i: number) => `[14/10/2025 08:1${i}] ${WHO[i]}\nmessage number ${i}\n`],
  ['chats without', (i: number) => `${WHO[i]}  9:1${i} AM\nmessage number ${i}`],
  ['names before times', (i: number) => `${WHO[i]}, [14.10.25 08:1${i}]\nmessage number ${i}\n`],
  ['subtitles', (i: number) => `${i + 1}\n00:00:0${i},100 --> 00:00:0${i},900\nmessage number ${i}\n`],
  [
    'cues that speakers open',
    (i: number) => `00:0${i}.100 --> 00:0${i}.900\n<v ${WHO[i]}>message number ${i}\n`,
  ],
])('%s have a line for each message, its head included', (_, write) => {
  const messages = WHO.map((__, i) => write(i))
  expect(linesOf(messages.join('\n'))).toEqual(messages.map((message) => message.trimEnd()))
})

test('the lines of a message are counted, and what follows behind a blank line is a line of its own', () => {
  const text = WHO.map((who, i) => `[08:1${i}] ${who}\nfirst ${i}\nsecond ${i}\n\n👍 (${i})\n`).join('\n')
  const lines = joinMessages(readTextLines(text))
  expect([lines.count, lines.all, lines.heightOf(0), lines.heightOf(1)]).toEqual([16, 32, 3, 1])
  expect(lines.read(0)).toBe('[08:10] Ida\nfirst 0\nsecond 0')
})

test.each([
  [
    'lines that say something behind their time',
    (i: number) => `08:1${i} opened the gate of ${WHO[i]} and left\nok ${i}`,
  ],
  ['details below', (i: number) => `08:1${i} ${WHO[i]}\n  detail ${i}`],
  ['long records below a time', (i: number) => `08:1${i}:00\n${'value a b\n'.repeat(9)}`],
  ['messages that never repeat', (i: number) => `08:1${i} ${'abcdefgh'[i]}tart\nok ${i}`],
])('%s are not messages', (_, write) => {
  const text = WHO.map((__, i) => write(i)).join('\n')
  expect(linesOf(text)).toHaveLength(readTextLines(text).count)
})
