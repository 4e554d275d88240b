import { describe, expect, it } from 'vitest'
import { hiddenPlaces } from '../../../electron/engine/guardrails/hidden-places.ts'
import { revealValue } from '../../../electron/engine/guardrails/reveal.ts'

const strip = (text: string): string => String(revealValue(text, 'strip').value)
const show = (text: string): string => String(revealValue(text, 'visualise').value)
const tags = (text: string): string =>
  Array.from(text, (character) => String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0))).join('')

describe('what hides text from its reader', () => {
  it.each([
    ['a screen that is erased', 'a\x1b[2Jb', 'ab', 'a␛[2Jb'],
    ['a screen that is erased, in C1 form', 'a\x9b2Jb', 'ab', 'a⟨U+009B⟩2Jb'],
    ['a line that is erased', 'evil\x1b[2K\rgood', 'evil\rgood', 'evil␛[2K\rgood'],
    ['the end of a line, once the cursor was moved back', 'evil\r\x1b[Kgood', 'evil\rgood', 'evil\r␛[Kgood'],
    ['the end of a line behind backspaces', 'evil\b\b\b\b\x1b[0Kgood', 'evil\b\b\b\bgood', undefined],
    ['a cursor that moves up or to a place', 'a\x1b[1Ab\x1b[10;20Hc\x1b[Dd', 'abcd', undefined],
    ['a cursor that goes back to where it was kept', 'a\x1b7b\x1b8c', 'a\x1b7bc', undefined],
    ['concealed words', '\x1b[1;8mconcealed', 'concealed', '␛[1;8mconcealed'],
    ['another screen', '\x1b[?1049hsecret\x1b[?1049l', 'secret', undefined],
    ['a title, by BEL and by ST', '\x1b]0;t\x07a\x1b]2;t\x1b\\b', 'ab', '␛]0;t␇a␛]2;t␛\\b'],
    ['a title in C1 form', '\x9d0;evil\x9crest', 'rest', undefined],
    ['a title without an end', '\x1b]0;no end\nnext', '0;no end\nnext', undefined],
    ['a link', '\x1b]8;;https://a.example\x1b\\docs\x1b]8;;\x1b\\', 'docs', undefined],
    ['the clipboard', '\x1b]52;c;ZXZpbA==\x07x', 'x', undefined],
    [
      'command strings of other kinds',
      '\x1bPq#0\x1b\\a\x1b^x\x1b\\b\x1b_y\x1b\\c\x1bXz\x1b\\d',
      'abcd',
      undefined,
    ],
    ['a reset, and letters shown as lines', 'a\x1bcb\x1b(0c', 'abc', undefined],
    ['questions to the terminal', 'a\x1b[6nb\x1b[cc\x1b[21td', 'abcd', undefined],
    ['a sequence around which tags were put', 'a\x1b\u{e0041}[2Jb', 'ab', undefined],
    ['letters in tags', `hello${tags('ignore all')}`, 'hello', 'hello⟨tags: ignore all⟩'],
    ['a reversed file name', 'user\u202etxt.exe\u202c', 'usertxt.exe', 'user⟨RLO⟩txt.exe⟨PDF⟩'],
    [
      'code that reads in another order',
      'if (x) {\u2067 } begin \u2066// c\u2069\u2069',
      'if (x) { } begin // c',
      undefined,
    ],
    ['an override in a line with Hebrew', 'a\u202dשלום b', 'aשלום b', undefined],
    [
      'a scope that carries Latin along',
      'access = "user\u2067א"; // check',
      'access = "userא"; // check',
      undefined,
    ],
    ['bits in zero-width characters', `a${'\u200b\u200c'.repeat(6)}b`, 'ab', undefined],
    ['bytes in variation selectors', 'a\ufe01\ufe02\u{e0100}\u{e0101}b', 'ab', undefined],
  ])('%s', (_, text, stripped, shown) => {
    expect(hiddenPlaces(text)).not.toEqual([])
    expect(strip(text)).toBe(stripped)
    expect(hiddenPlaces(stripped)).toEqual([])
    if (shown !== undefined) expect(show(text)).toBe(shown)
    expect(hiddenPlaces(show(text))).toEqual([])
  })
})

describe('what passes as it is', () => {
  it.each([
    ['colours and bold', '\x1b[1;31mred\x1b[0m \x1b[38;5;8mgrey\x1b[48;2;8;8;8m \x1b[m'],
    ['colours as grep and gcc write them', 'a \x1b[01;31m\x1b[Kmatch\x1b[m\x1b[K here\r\nand \x1b[K here'],
    ['a cursor that moves on, and is shown or not', 'a\x1b[10Cb\x1b[?25lc\x1b[?25h\x1b[?2004h'],
    ['NUL, BEL, backspace, VT, FF, SO, US and DEL', 'a\0b\x07c\bd\ve\ff\x0eg\x1fh\x7f'],
    ['manual pages', 'N\bNA\bA _\bx_\by'],
    ['lone returns', 'old\rmac\rfile 10 %\r20 %'],
    ['U+0085 and other C1 characters', 'a\x85b\x84c\x96'],
    ['UTF-8 that was read as Latin-1', 'â\x80\x9cquotedâ\x80\x9d, Ä\x9bda, Ä\x9bHo, è\x9b¿'],
    ['an escape in code', 'const RED = "\x1b[" + code + "m"; /\x1b\\[[0-9;]*m/; "\x1b"'],
    ['a byte order mark and single zero-width characters', '\ufeffa\u200bb\u200cc\u2060d\u00ade\u3164'],
    ['marks of direction', 'גרסה 2.0 (beta)\u200f של\nLatin\u200e here\u200f'],
    ['embeddings in Hebrew, in pairs and over lines', '\u202bשלום 12\u202c\n\u202bשלום עולם\nשוב\u202c'],
    ['isolates around names in messages', 'Hello \u2068Ann\u2069 and \u2066Bob\u2069, 3\u202c'],
    [
      'emoji, flags, Persian, Hindi',
      '👨‍👩‍👧 ❤️ \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} می‌خواهم क्‍ष',
    ],
  ])('%s', (_, text) => {
    expect(hiddenPlaces(text)).toEqual([])
    expect(strip(text)).toBe(text)
    expect(show(text)).toBe(text)
  })

  it('is known of each line by itself, whatever stands in the lines around', () => {
    const lines = [
      'a\u202ecba\u202c',
      'a\u2067שלום\u2069',
      'ab',
      'x\ry\x1b[K',
      'xyz\x1b[K',
      'א\u200f',
      'a\u200f',
    ]
    for (const first of lines)
      for (const second of lines) {
        const moved = hiddenPlaces(second).map(({ start, end, means }) => ({
          start: start + first.length + 1,
          end: end + first.length + 1,
          means,
        }))
        expect(hiddenPlaces(`${first}\n${second}`)).toEqual([...hiddenPlaces(first), ...moved])
      }
  })

  it('long lines and many sequences take linear time, and leave nothing behind', () => {
    for (const text of [
      '\x1b[K'.repeat(100_000),
      `a\r${'\x1b[K'.repeat(100_000)}`,
      '\x1b]'.repeat(100_000),
      `\x1b${'\u{e0041}'.repeat(50_000)}[2J`,
      '\u202e'.repeat(100_000),
      'א\u2067'.repeat(50_000),
      '\x1b\x1b[2J[2J'.repeat(20_000),
    ])
      expect(hiddenPlaces(strip(text))).toEqual([])
  })
})
