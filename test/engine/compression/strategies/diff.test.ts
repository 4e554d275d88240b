import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseDiff } from '../../../../electron/engine/compression/diff/parse-diff.ts'
import { diffStrategy } from '../../../../electron/engine/compression/strategies/diff.ts'
import { detectKind } from '../../../../electron/engine/text/kinds/detect-kind.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'
import { removeFolder } from '../../../helpers/remove-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-diff-'))
afterAll(() => removeFolder(folder))

type Files = Readonly<Record<string, string>>

/** A real diff, made by git itself. */
function gitDiff(before: Files, after: Files): string {
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'core.pager=cat', ...args],
      { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
    )
  git('init', '-q')
  git('rm', '-rqf', '--cached', '--ignore-unmatch', '.')
  for (const [name, text] of Object.entries(before)) writeFileSync(join(folder, name), text)
  git('add', '-A')
  git('commit', '-qm', 'before', '--allow-empty')
  for (const name of Object.keys(before)) if (!(name in after)) rmSync(join(folder, name))
  for (const [name, text] of Object.entries(after)) writeFileSync(join(folder, name), text)
  git('add', '-A')
  const diff = git('diff', '--cached', 'HEAD')
  git('commit', '-qm', 'after', '--allow-empty')
  return diff
}

const lines = (count: number, line: (i: number) => string) =>
  `${Array.from({ length: count }, (_, i) => line(i)).join('\n')}\n`
const before: Files = {
  'server.ts': lines(300, (i) => `export const setting${i} = ${i}`),
  'package-lock.json': lines(400, (i) => `  "package-${i}": "1.0.${i}",`),
  'notes.md': lines(40, (i) => `- note number ${i}`),
  'gone.txt': lines(5, (i) => `line ${i}`),
}
const after: Files = {
  'server.ts': lines(300, (i) =>
    i === 150
      ? `export const retryLimit = 5 // was unlimited`
      : i % 40 === 7
        ? `export const setting${i} = ${i * 2}`
        : `export const setting${i} = ${i}`,
  ),
  'package-lock.json': lines(400, (i) => `  "package-${i}": "1.1.${i}",`),
  'notes.md': lines(40, (i) => (i === 3 ? '- note number three' : `- note number ${i}`)),
  'added.py': lines(60, (i) => `def function_${i}(): return ${i}`),
}
const diff = gitDiff(before, after)

describeStrategyContract(diffStrategy, {
  texts: [diff, `commit 1234\nAuthor: A <a@example.org>\n\n    Limit the retries\n\n${diff}`],
  goals: ['retry limit', 'which package changed?'],
})

const compress = (text: string, budget: number, goal?: string) => {
  const output = diffStrategy.compress({ text, goal, budget })
  if (!output) throw new Error('nothing came out')
  return output
}

describe('a diff', () => {
  test('every file is named with what became of it and its counts', () => {
    const { text } = compress(diff, 500)
    expect(text).toContain('server.ts +9 -9')
    expect(text).toContain('package-lock.json +400 -400')
    expect(text).toContain('gone.txt (deleted file mode 100644) +0 -5')
    expect(text).toContain('added.py (new file mode 100644) +60 -0')
  })

  test('the goal picks the hunk, with the header of its file before it', () => {
    const { text } = compress(diff, 220, 'What is the new retry limit?')
    expect(text).toContain('+export const retryLimit = 5 // was unlimited')
    expect(text.indexOf('+++ b/server.ts')).toBeLessThan(text.indexOf('+export const retryLimit'))
  })

  test('lock files do not push out source', () => {
    const { text } = compress(diff, 600)
    expect(text).toContain('+++ b/server.ts')
    expect(text).toContain('+- note number three')
    expect(text).not.toContain('+++ b/package-lock.json')
  })

  test.each([150, 400, 900, 2500])(
    'at %i tokens, hunks have their own first lines, and lines stand where the marks say',
    (budget) => {
      const source = diff.split('\n')
      let [path, next] = ['', 0]
      for (const line of compress(diff, budget, 'retry limit').text.split('\n')) {
        if (line.startsWith('+++ ')) path = line.slice('+++ b/'.length)
        else if (line.startsWith('@@')) {
          expect(source).toContain(line)
          next = Number(/\+(\d+)/.exec(line)?.[1])
        } else if (line.startsWith('… line ')) next = Number(line.slice('… line '.length))
        else if (/^[ +]/.test(line) && next > 0)
          expect((after[path] ?? '').split('\n')[next++ - 1]).toBe(line.slice(1))
      }
      expect(path).not.toBe('')
    },
  )

  test('says how many hunks are left out', () => {
    expect(compress(diff, 300).omitted).toMatch(/^\d+ of \d+ hunks in 5 files(?:, and lines of others)?$/)
  })
})

test('the combined diff of a merge has the lines of both parents', () => {
  const repository = mkdtempSync(join(tmpdir(), 'sluice-merge-'))
  onTestFinished(() => removeFolder(repository))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const write = (value: (i: number) => string): void => {
    for (let file = 0; file < 12; file++)
      writeFileSync(
        join(repository, `part${file}.c`),
        lines(20, (i) => (i === 9 ? value(file) : `int same${i};`)),
      )
  }
  git('init', '-q', '-b', 'main')
  for (const [branch, value] of [
    ['main', 'base'],
    ['theirs', 'theirs'],
    ['main', 'ours'],
  ] as const) {
    if (branch === 'theirs') git('checkout', '-qb', branch)
    else if (value === 'ours') git('checkout', '-q', branch)
    write((file) => `int ${value}${file};`)
    git('add', '-A')
    git('commit', '-qm', value)
  }
  expect(() => git('merge', '-q', 'theirs')).toThrow()
  write((file) => `int merged${file};`)
  git('commit', '-qam', 'merged')
  const text = git('show', 'HEAD')
  expect(detectKind(text)).toBe('diff')
  const files = parseDiff(text).flatMap((part) => part.files)
  expect(files.map(({ path, added, removed }) => `${path} ${added} ${removed}`)).toContain('part7.c 1 2')
  const shown = compress(text, 200, 'what became of part7 after merging')
  expect(shown.text).toContain('- int ours7;\n -int theirs7;\n++int merged7;')
  expect(shown.text).not.toContain('…\n…')
})

test('a plain diff of two files, without git, is read as well', () => {
  const plain = `--- old.txt\t2024-01-01\n+++ new.txt\t2024-01-02\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n`
  const files = parseDiff(plain.repeat(2)).flatMap((part) => part.files)
  expect(files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['new.txt', 1, 1],
    ['new.txt', 1, 1],
  ])
})

test('a removed line that looks like a file header stays in its hunk', () => {
  const sql = `diff --git a/x.sql b/x.sql\n--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+-- new comment\n select 1;\n`
  const [file] = parseDiff(sql)[0]?.files ?? []
  expect(file?.hunks[0]?.lines).toEqual(['--- old comment', '+-- new comment', ' select 1;'])
})

test('a printed hunk of a history stands below its commit and its file', () => {
  const history = Array.from(
    { length: 40 },
    (_, i) =>
      `commit ${(0x1234567 + i * 7919).toString(16).padStart(40, 'a')}\nAuthor: A${i} <a${i}@example.org>\nDate:   Mon Jan 1 2024\n\n    ${i === 23 ? 'Bound the retries' : `Change number ${i}`}\n\n${diff}`,
  ).join('\n')
  for (const goal of [undefined, 'which commit bounds the retries?', 'what is the retry limit?'])
    for (const budget of [200, 600, 1500]) {
      let [commit, file] = ['', '']
      for (const line of compress(history, budget, goal).text.split('\n')) {
        if (line.startsWith('commit ')) [commit, file] = [line, '']
        if (line.startsWith('+++ ')) file = line
        if (line.startsWith('@@')) expect([commit, file]).not.toContain('')
      }
    }
  const { text } = compress(history, 400, 'which commit bounds the retries?')
  expect(text).toContain(`commit ${(0x1234567 + 23 * 7919).toString(16).padStart(40, 'a')}`)
})

test('the list of files says which are new, deleted and renamed, and those come first that the goal asks for', () => {
  const file = (name: string, head: readonly string[], from: string, to: string, signs: string): string =>
    [
      `diff --git a/src/${name} b/src/${name}`,
      ...head,
      `--- ${from}`,
      `+++ ${to}`,
      `@@ -1,20 +1,20 @@`,
      ...Array.from(
        { length: 20 },
        (_, i) => `${signs}const value${i} = compute(${name.length * i}, 'of ${name}')`,
      ),
    ].join('\n')
  const usual = Array.from({ length: 30 }, (_, i) =>
    file(
      `module-${i}.ts`,
      ['index 1..2 100644'],
      `a/src/module-${i}.ts`,
      `b/src/module-${i}.ts`,
      i % 2 ? '+' : '-',
    ),
  )
  const gone = file(
    'legacy.ts',
    ['deleted file mode 100644', 'index 1..0'],
    'a/src/legacy.ts',
    '/dev/null',
    '-',
  )
  const text = [...usual.slice(0, 17), gone, ...usual.slice(17)].join('\n')
  const shown = diffStrategy.compress({ text, goal: 'which file was deleted', budget: 300 })?.text
  expect(shown).toContain('src/legacy.ts (deleted file mode 100644) +0 -20')
})

test('a renamed file without a change has its new name', () => {
  const rename = (i: number): string =>
    `diff --git a/docs/old${i}.md b/docs/new${i}.md\nsimilarity index 100%\nrename from docs/old${i}.md\nrename to docs/new${i}.md`
  const text = Array.from({ length: 30 }, (_, i) => rename(i)).join('\n')
  const shown = diffStrategy.compress({ text, goal: 'what became of old6.md', budget: 300 })?.text
  expect(shown).toContain('docs/new6.md (rename from docs/old6.md) +0 -0')
})
