/**
 * Writes test/guard/messages.jsonl.gz: `node test/train/collect-messages.ts`. What programs say: messages in the code of installed
 * packages under MIT, Apache-2.0, BSD or ISC, and of Sluice itself, with names, paths and numbers in the place of values.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { seededRandom } from './seeded-random.ts'

const ROOT = new URL('../../', import.meta.url)
const LICENCES = new Set(['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC'])
const MESSAGE =
  /(?:Error|warn|error|log|info|fail|reject)\(\s*(["'`])((?:(?!\1)[^\\\n]){25,300})\1|(?:text|message|reason|description)(?: =|:) (["'`])((?:(?!\3)[^\\\n]){25,300})\3/g
const OWN = /(["'`])((?:(?!\1)[^\\\n]){40,300}[.:])\1/g
const VALUES = [
  '/home/ana/projects/ai-notes/made/moving.txt',
  '/tmp/build-3fa9/agent/files/report.md',
  'C:\\Users\\Tom\\Documents\\assistant\\rules.json',
  'system',
  'read_file',
  'user-42',
  'q_e4b93',
  '17',
  'https://example.com/api/v2/items?id=3',
  'prompt.md',
  'main',
]
const MOST_OF_ONE = 12
const MOST_OF_OURS = 400
const LARGEST = 400_000

const random = seededRandom(23)
const filled = (text: string): string =>
  text.replaceAll(/\$\{[^}]*\}|%[sdoj]|\{\d\}/g, () => VALUES[Math.floor(random() * VALUES.length)] ?? '')
const isSentence = (text: string): boolean =>
  (text.match(/[a-z]{2,} /gi)?.length ?? 0) >= 3 && !/[<>{}=;]|\$\{/.test(text)
const order = (text: string): string => createHash('sha256').update(text).digest('hex')
const messagesIn = (code: string, pattern: RegExp): string[] =>
  [...code.matchAll(pattern)].map((match) => filled(match[2] ?? match[4] ?? '')).filter(isSentence)

const seen = new Set<string>()
const rows: string[] = []
const add = (texts: readonly string[], source: string, more: object, most: number): void => {
  const fresh = [...new Set(texts)].filter((text) => !seen.has(text))
  for (const text of fresh.toSorted((a, b) => order(a).localeCompare(order(b))).slice(0, most)) {
    seen.add(text)
    rows.push(JSON.stringify({ id: `message-${rows.length}`, source, ...more, text }))
  }
}
for (const path of globSync('node_modules/{*,@*/*}/package.json', { cwd: ROOT }).toSorted()) {
  const { name, license } = JSON.parse(readFileSync(new URL(path, ROOT), 'utf8')) as Record<string, unknown>
  if (typeof name !== 'string' || typeof license !== 'string' || !LICENCES.has(license)) continue
  const folder = path.replace(/package\.json$/, '')
  const texts = globSync(`${folder}{dist,lib,src,build,.}/*.{js,cjs,mjs}`, { cwd: ROOT })
    .toSorted()
    .map((file) => readFileSync(new URL(file, ROOT), 'utf8'))
    .filter(({ length }) => length < LARGEST)
    .flatMap((code) => messagesIn(code, MESSAGE))
  add(texts, 'messages of packages', { path: name, licence: license }, MOST_OF_ONE)
}
const own = globSync('electron/**/*.ts', { cwd: ROOT })
  .toSorted()
  .map((file) => readFileSync(new URL(file, ROOT), 'utf8'))
  .flatMap((code) => messagesIn(code, OWN))
add(own, 'messages of Sluice', {}, MOST_OF_OURS)
writeFileSync(
  new URL('../guard/messages.jsonl.gz', import.meta.url),
  gzipSync(`${rows.join('\n')}\n`, { level: 9 }),
)
process.stdout.write(`${rows.length} messages.\n`)
