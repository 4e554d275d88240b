/**
 * Fits the table of tokens/estimate-tokens.ts: average tokens for a run of characters of one class and length. The
 * texts are this project's files and those of its dependencies under MIT, ISC, BSD and Apache licences. npx node
 * test/bench/fit-token-estimate.ts
 */
import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { classOf, RUN_CLASSES, RUN_LENGTHS } from '../../electron/engine/text/tokens/run-classes.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'

const root = resolve(import.meta.dirname, '../..')
const CHUNK = 1500
const PER_KIND = 700
const OPEN_LICENCES = /^\(?(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC-BY-4\.0)\b/

const licences = new Map<string, boolean>()
function isOpen(path: string): boolean {
  const parts = path.split('/')
  const at = parts.lastIndexOf('node_modules')
  if (at < 0) return true
  const folder = parts.slice(0, at + (parts[at + 1]?.startsWith('@') === true ? 3 : 2)).join('/')
  const known = licences.get(folder)
  if (known !== undefined) return known
  let open = false
  try {
    const manifest: { license?: unknown } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    )
    open = typeof manifest.license === 'string' && OPEN_LICENCES.test(manifest.license)
  } catch {
    open = false
  }
  licences.set(folder, open)
  return open
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  prose: ['**/*.md', '**/LICENSE*', '**/CHANGELOG*', 'docs/**/*'],
  json: ['**/*.json', '**/*.map'],
  code: ['**/*.ts', '**/*.js', '**/*.mjs', '**/*.vue', '**/*.py', '**/*.c', '**/*.h'],
  markup: ['**/*.html', '**/*.svg', '**/*.css', '**/*.yml', '**/*.yaml'],
}

const SENTENCES = `Der Zug nach München fährt über Nürnberg und hält später auch in Würzburg.
Die Größe der Wohnung wird für übermorgen noch einmal geprüft, schreibt der Verwalter.
Le déjeuner est prêt à midi, mais le café n’est servi qu’après la réunion générale.
El año pasado la compañía vendió más pañuelos que nunca en la región de Aragón.
A câmara aprovou ontem a reforma da estação de comboios e das ruas vizinhas.
Поезд в Казань отправляется вечером, билеты можно купить прямо на вокзале.
Совет рассмотрел отчёт за прошлый год и принял новое решение о бюджете.
Το πλοίο φεύγει το πρωί από τον Πειραιά και φτάνει το βράδυ στη Σύρο.
火车明天早上从北京出发，下午到达上海，请提前半小时到站。
会议讨论了去年的预算，并且决定在春天修建一座新的图书馆。
明日の朝、東京から京都まで新幹線で行きますので、駅で会いましょう。
회의에서는 작년 예산을 검토하고 봄에 새 도서관을 짓기로 했다.
يغادر القطار صباح الغد من المحطة الرئيسية ويصل إلى المدينة بعد الظهر.
הרכבת יוצאת מחר בבוקר מהתחנה המרכזית ומגיעה לעיר אחרי הצהריים.
Pociąg odjeżdża jutro rano i przyjeżdża do Łodzi późnym popołudniem.
Meclis geçen yılın bütçesini görüştü ve yeni bir kütüphane yapılmasına karar verdi.
सभा ने पिछले साल का बजट देखा और नया पुस्तकालय बनाने का निर्णय लिया।
The council looked at last year’s budget and decided to build a new library in spring.`.split('\n')

function* ownData(): Generator<string> {
  const words = 'order user city alpha beta worker cache timeout northern price Hamburg Osaka'.split(' ')
  const word = (i: number) => words[(i * 7919) % words.length] ?? ''
  const lines = (make: (i: number) => string) =>
    Array.from({ length: 40 }, (_, i) => make(i * 977 + 13)).join('\n')
  for (let k = 0; k < PER_KIND / 12; k++)
    yield lines((i) => SENTENCES[(i * 31 + k * 17 + (i % 7)) % SENTENCES.length] ?? '')
  for (let k = 0; k < PER_KIND / 6; k++) {
    yield lines(
      (i) =>
        `2024-0${(i % 9) + 1}-1${i % 9}T0${i % 10}:1${k % 10}:${(i % 50) + 10}.${i % 1000}Z INFO [${word(i)}-${k}] ${word(i + 1)} ${word(k)} took ${i % 917} ms (id=${(i * 2654435761).toString(16)})`,
    )
    yield lines(
      (i) =>
        `${i + k},${word(i)} ${word(i + k)},${(i * 1.37).toFixed(2)},${i % 2 === 0},${1990 + (i % 35)}-0${(i % 9) + 1}-2${i % 9}`,
    )
    yield lines(
      (i) => `| ${word(i)} | ${(i * k * 31) % 100000} | ${(i % 97) / 10} % | ${word(k + i)} ${word(i + 3)} |`,
    )
    yield lines(
      (i) =>
        `${word(i).padEnd(20)}${String(i % 9).padEnd(8)}Running   ${i % 30}d   10.244.${k % 255}.${i % 255}   ${word(k)}-${(i * 48271).toString(36)}-${(k * 69621 + i).toString(36)}`,
    )
    yield lines(
      (i) =>
        `192.168.${i % 255}.${k % 255} - - "GET /api/v${i % 3}/${word(i)}/${i * 17}?q=${word(k)} HTTP/1.1" ${[200, 404, 500][i % 3] ?? 200} ${i * 37}`,
    )
    yield lines(
      (i) =>
        `${(i * 2654435761 * (k + 1)).toString(16)}${(i * 40503).toString(16)} ${Buffer.from(`${word(i)}${i * k}`).toString('base64')}`,
    )
  }
}

function chunksOf(patterns: readonly string[]): string[] {
  const paths = patterns
    .flatMap((pattern) => [
      ...globSync(`node_modules/*/${pattern}`, { cwd: root }),
      ...globSync(`docs/${pattern}`, { cwd: root }),
    ])
    .filter((path) => isOpen(path) && !path.includes('bpeRanks'))
    .sort()
  const step = Math.max(1, Math.floor(paths.length / PER_KIND))
  const chunks: string[] = []
  for (let i = 0; i < paths.length && chunks.length < PER_KIND; i += step) {
    const path = join(root, paths[i] ?? '')
    if (!statSync(path).isFile() || statSync(path).size > 3_000_000) continue
    const text = readFileSync(path, 'utf8')
    const start = Math.floor((text.length * ((i * 37) % 100)) / 130)
    if (text.length > 200 && dirname(path) !== root) chunks.push(text.slice(start, start + CHUNK))
  }
  return chunks
}

const chunks = [...Object.values(KINDS).flatMap(chunksOf), ...ownData()]
const train = chunks.filter((_, i) => i % 5 !== 0)
const test = chunks.filter((_, i) => i % 5 === 0)

/** A run's cost where data is sparse: a token for a few letters or marks, one for three digits. */
function prior(kind: number, length: number): number {
  const perCharacter = [0.2, 0.4, 0.34, 0.02, 0.05, 0.3, 0.5, 0.35, 0.8][kind] ?? 0.5
  return length === RUN_LENGTHS
    ? perCharacter
    : Math.max(kind === 3 || kind === 4 ? 0.2 : 0.7, perCharacter * length)
}

const RIDGE = 5e-3
const ROUNDS = 200

/** Ridge regression by coordinate descent; errors are relative to the text's size. */
function fit(texts: readonly string[]): Float64Array {
  const size = RUN_CLASSES * RUN_LENGTHS
  const rows = texts.map((text) => {
    const tokens = countTokens(text)
    return runLengths(text).map((value) => value / tokens)
  })
  const start = Float64Array.from({ length: size }, (_, k) =>
    prior(Math.floor(k / RUN_LENGTHS), (k % RUN_LENGTHS) + 1),
  )
  const weights = Float64Array.from(start)
  const residuals = rows.map(
    (features) => 1 - features.reduce((sum, value, k) => sum + value * (start[k] ?? 0), 0),
  )
  for (let round = 0; round < ROUNDS; round++)
    for (let k = 0; k < size; k++) {
      const old = weights[k] ?? 0
      let gradient = RIDGE * ((start[k] ?? 0) - old)
      let curvature = RIDGE
      for (const [r, features] of rows.entries()) {
        const value = features[k] ?? 0
        gradient += value * (residuals[r] ?? 0)
        curvature += value * value
      }
      const next = Math.max(0, old + gradient / curvature)
      weights[k] = next
      for (const [r, features] of rows.entries())
        residuals[r] = (residuals[r] ?? 0) - (features[k] ?? 0) * (next - old)
    }
  return weights
}

const weights = fit(train)
const errors = test
  .map((text) => {
    const exact = countTokens(text)
    const estimate = runLengths(text).reduce((sum, value, k) => sum + value * (weights[k] ?? 0), 0)
    return Math.abs(estimate - exact) / exact
  })
  .toSorted((a, b) => a - b)
const quantile = (q: number) => ((errors[Math.floor(errors.length * q)] ?? 0) * 100).toFixed(1)
console.error(
  `${train.length} chunks to fit, ${test.length} to test: error p50 ${quantile(0.5)} %, p95 ${quantile(0.95)} %, p99 ${quantile(0.99)} %`,
)
for (let c = 0; c < RUN_CLASSES; c++)
  console.log(
    `  ${Array.from(weights.slice(c * RUN_LENGTHS, (c + 1) * RUN_LENGTHS), (w) => w.toFixed(2)).join(', ')},`,
  )

/** Runs per class and length; runs of RUN_LENGTHS and more add their further characters to the last. */
function runLengths(text: string): number[] {
  const counts = Array.from({ length: RUN_CLASSES * RUN_LENGTHS }, () => 0)
  const add = (index: number, by: number) => {
    counts[index] = (counts[index] ?? 0) + by
  }
  let i = 0
  while (i < text.length) {
    const kind = classOf(text.charCodeAt(i))
    let end = i + 1
    while (end < text.length && classOf(text.charCodeAt(end)) === kind) end++
    const base = kind * RUN_LENGTHS
    const length = end - i
    add(base + Math.min(length, RUN_LENGTHS - 1) - 1, 1)
    if (length >= RUN_LENGTHS) add(base + RUN_LENGTHS - 1, length - RUN_LENGTHS + 1)
    i = end
  }
  return counts
}
