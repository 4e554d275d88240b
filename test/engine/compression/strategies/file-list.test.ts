import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'
import { readFileList } from '../../../../electron/engine/text/tree/read-file-list.ts'
import { fileListStrategy } from '../../../../electron/engine/compression/strategies/file-list.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'
import { removeFolder } from '../../../helpers/remove-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-files-'))
afterAll(() => removeFolder(folder))

const paths = [
  ...Array.from({ length: 40 }, (_, i) => `src/api/route-${i}.ts`),
  ...Array.from({ length: 25 }, (_, i) => `src/deep/only/child/part-${i}.ts`),
  ...Array.from({ length: 30 }, (_, i) => `test/unit/route-${i}.test.ts`),
  'src/payments/refund-policy.ts',
  'README.md',
  'docs/with blank/notes one.md',
]
for (const path of paths) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), path)
}
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  })
const found = run('find', '.', '-type', 'f').split('\n').sort().join('\n')
const recursive = run('ls', '-R')
const long = run('ls', '-lR')
const big = Array.from({ length: 4000 }, (_, i) => `packages/pkg-${i % 50}/lib/module-${i}.js`).join('\n')

describeStrategyContract(fileListStrategy, {
  texts: [found, recursive, long, big],
  goals: ['where is the refund policy?', 'module 1234'],
})

const compress = (text: string, budget: number, goal?: string) => {
  const output = fileListStrategy.compress({ text, goal, budget })
  if (!output) throw new Error('nothing came out')
  return output
}

describe('reading listings', () => {
  test.each([
    ['find', found],
    ['ls -R', recursive],
    ['ls -lR', long],
  ])('%s: every file is found under its path', (_, text) => {
    const read = new Set(readFileList(text).map(({ path }) => path))
    expect(paths.filter((path) => !read.has(path))).toEqual([])
  })

  test('the listing of the filesystem server', () => {
    expect(readFileList('[DIR] src\n[FILE] package.json\n').map(({ path }) => path)).toEqual([
      'src/',
      'package.json',
    ])
  })

  test('Windows paths', () => {
    expect(readFileList('C:\\users\\a.txt\nC:\\users\\b\\c.txt').map(({ path }) => path)).toEqual([
      'C:/users/a.txt',
      'C:/users/b/c.txt',
    ])
  })
})

describe('a list of files', () => {
  test('becomes a tree with counts', () => {
    const { text } = compress(found, 200)
    expect(text).toMatch(/^src\/ 66$/m)
    expect(text).toMatch(/^ {2}api\/ 40$/m)
    expect(text).toMatch(/^ {2}deep\/only\/child\/ 25$/m)
    expect(text).toMatch(/^test\/unit\/ 30$/m)
    expect(text).toContain('README.md')
  })

  test('gives what the goal asks for as it was listed', () => {
    expect(compress(found, 120, 'Where is the refund policy?').text.split('\n')[0]).toBe(
      './src/payments/refund-policy.ts',
    )
    expect(compress(long, 200, 'refund policy').text).toMatch(/refund-policy\.ts$/m)
    expect(compress(big, 120, 'module 1234').text).toContain('packages/pkg-34/lib/module-1234.js')
  })

  test('errors among the paths stand first and as they came', () => {
    const denied = "find: './lost+found': Permission denied"
    const wrong = "src/api/route-3.ts(29,14): error TS2322: Type 'string' is not assignable to type 'number'."
    const { text } = compress(
      [...big.split('\n').slice(0, 300), denied, wrong, ...big.split('\n')].join('\n'),
      200,
    )
    expect(text.split('\n').slice(0, 2)).toEqual([denied, wrong])
    const many = compress(`${big}\n${`${denied}\n`.repeat(99)}`, 200)
    expect(many.text.split(denied)).toHaveLength(100 - Number(/(\d+) errors$/.exec(many.omitted ?? '')?.[1]))
    expect(many.text).toContain('packages/')
  })

  test('absolute paths stay absolute', () => {
    const text = Array.from({ length: 60 }, (_, i) => `/srv/data/part-${i % 3}/file-${i}.bin`).join('\n')
    expect(compress(text, 100).text).toMatch(/^\/srv\/data\/ 60$/m)
    expect(compress(`${text}\n/etc/hosts\n/etc/passwd`, 100).text).toMatch(/^\/srv\/data\/ 60$/m)
  })

  test('counts stay right when folders are left out', () => {
    const { text, omitted } = compress(big, 100)
    expect(text).toMatch(/^packages\/ 4000$/m)
    expect(omitted).toMatch(/(?:of|all) 4,000 entries$/)
  })
})

test('the largest file of `find -ls` is shown with its size, in its own row', async () => {
  const compress = await loadCompressor()
  const text = Array.from({ length: 60 }, (_, n) => {
    const size = String(n === 41 ? 98_304 : 300 + n).padStart(8)
    const row = `-rw-r--r--   1 ann      staff    ${size} Nov 28 01:${10 + (n % 50)} /srv/docs/page-${n}.txt`
    return `  56610${10 + n}      4 ${row}`
  }).join('\n')
  const output = compress({ text, goal: 'which is the largest file', budget: 300 })
  expect(output.strategy).toBe('file-list')
  expect(output.text).toContain('98304 Nov 28 01:51 /srv/docs/page-41.txt')
})
