import { expect, test } from 'vitest'
import { isLineShaped } from '../../../../electron/engine/text/kinds/is-line-shaped.ts'

const lines = (line: (n: number) => string): string =>
  Array.from({ length: 20 }, (_, n) => line(n)).join('\n')

test.each([
  [
    'a path, a line and a column',
    lines((n) => `lib/client.py:${n}:4: S101 Use of an assertion was detected here`),
  ],
  [
    'a path and a line in brackets',
    lines((n) => `lib/client.ts(${n},4): error TS2304: cannot find the name of this`),
  ],
  [
    'sentences behind a pointer at the line above',
    lines(
      (n) => `In deploy.sh line ${n}:\n  cd $ROOT\n     ^---^ SC2086 (info): Double quote to prevent it.`,
    ),
  ],
])('what compilers and linters say is lines, though each begins with a small letter: %s', (_, text) => {
  expect(isLineShaped(text)).toBe(true)
})

test('wrapped sentences are no lines', () => {
  expect(isLineShaped(lines(() => 'the meeting was moved to the afternoon because the room was taken'))).toBe(
    false,
  )
})

test('a mail is to be read, however short its lines are; other keys before lines are none', () => {
  const headers = 'From: Ann <ann@pond.example>\nTo: Bob <bob@pond.example>\nSubject: Re: Frogs'
  const quoted = lines((n) => `> frog ${n} is green`)
  expect(isLineShaped(`${headers}\n\nDear Bob,\n\nall is well\n\nBob wrote:\n${quoted}`)).toBe(false)
  expect(isLineShaped(`Name: Ann\nTo: Bob\nSubject: Frogs\n\n${quoted}`)).toBe(true)
  expect(isLineShaped(lines((n) => `From: berth ${n}`))).toBe(true)
})

test('settings go on with no line above, however long that is', () => {
  const setting = (n: number): string =>
    `pam_module[]=/lib/x86_64-linux-gnu/security/pam_of_number_${n}_access.so`
  expect(isLineShaped(lines((n) => `${setting(n)}\nboot_loader=unknown`))).toBe(true)
})
