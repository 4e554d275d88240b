import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { lastWords } from '../../../../electron/engine/servers/upstream/last-words.ts'

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

test('of a Node program they name its error, not the frames below it', () => {
  const { stderr } = spawnSync(process.execPath, ['/there/is/no/such.js'], { encoding: 'utf8' })
  const words = lastWords(linesOf(stderr))
  expect(words).toMatch(/^ Its last words: Error: Cannot find module '\/there\/is\/no\/such\.js' \|/)
  expect(words).not.toMatch(/ at |Node\.js v/)
})

test('of npm they name what was not found, not its announcements', () => {
  const words = lastWords(
    linesOf(`npm error code E404
npm error 404 Not Found - GET https://registry.example/@a%2fb - Not found
npm error 404
npm error 404  '@a/b@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git folder.
npm notice
npm notice New minor version of npm available! 11.1.1 -> 11.2.2
npm notice Changelog: https://github.com/npm/cli/releases/tag/v11.2.2
npm notice
npm error A complete log of this run can be found in: /h/.npm/_logs/1-debug-0.log`),
  )
  expect(words).toContain("'@a/b@*' is not in this registry.")
  expect(words).not.toContain('npm notice')
})

test('of others they are the last lines', () => {
  expect(lastWords(linesOf('a\nb\nc\nd\ne\nf'))).toBe(' Its last words: b | c | d | e | f')
  expect(lastWords(['meet me at 12:30', '^'])).toBe(' Its last words: meet me at 12:30')
  expect(lastWords(['}'])).toBe(' Its last words: }')
  expect(lastWords([])).toBe('')
})
