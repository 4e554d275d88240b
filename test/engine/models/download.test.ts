import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import {
  readShippedCatalogue,
  urlsOf,
  type CatalogueModel,
} from '../../../electron/engine/models/catalogue.ts'
import {
  createModelDownloads,
  type ModelDownloads,
} from '../../../electron/engine/models/download/model-downloads.ts'
import type { DownloadStatus } from '../../../electron/engine/models/download/fetch-model-file.ts'
import { readGgufHeader } from '../../../electron/engine/models/gguf/read-gguf-header.ts'
import { openModelLibrary, type ModelLibrary } from '../../../electron/engine/models/library.ts'
import { openTestModel } from '../../helpers/local-model.ts'
import { modelFile, offered } from '../../helpers/model-file.ts'
import { startRangeServer } from '../../helpers/range-server.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const MB = 1024 * 1024
/** A 64th of the model that is fetched for some seconds. */
const PART = MB / 4
const DOWNLOAD = resolve(import.meta.dirname, '../../fixtures/download-model.ts')

interface World {
  readonly folder: string
  readonly library: ModelLibrary
  readonly downloads: ModelDownloads
  readonly seen: DownloadStatus[]
}

function open(
  catalogue: readonly CatalogueModel[],
  folder = join(temporaryFolder(), 'models'),
  base?: string,
  pieceBytes = MB,
): World {
  const library = openModelLibrary({
    folder,
    catalogue,
    bundledFolders: [],
    readHeader: readGgufHeader,
    now: Date.now,
  })
  const seen: DownloadStatus[] = []
  const downloads = createModelDownloads({
    library,
    catalogue,
    readHeader: readGgufHeader,
    base: () => base,
    fetch,
    logger: silentLogger,
    onChange: () => seen.push(...downloads.list()),
    pieceBytes,
  })
  onTestFinished(() => downloads.close())
  return { folder, library, downloads, seen }
}

const until = async (condition: () => boolean): Promise<void> => {
  await expect.poll(condition, { interval: 10 }).toBe(true)
}
const leftovers = (folder: string): string[] =>
  existsSync(join(folder, 'downloads')) ? readdirSync(join(folder, 'downloads')) : []

describe('a model of 16 MB', () => {
  let content: Buffer
  beforeAll(() => {
    content = modelFile(64 * PART)
  })
  afterAll(() => {
    content = Buffer.alloc(0)
  })

  it('comes in parallel pieces, with progress, speed and time left, and works', async () => {
    const server = await startRangeServer({ content, bytesPerSecond: 12 * PART })
    const { library, downloads, seen, folder } = open([offered(content, [`${server.url}/tiny.gguf`])])
    const model = await downloads.run('tiny')
    expect(readFileSync(model.path).equals(content)).toBe(true)
    expect(library.list()).toMatchObject([{ id: 'tiny', from: 'catalogue', bytes: 64 * PART }])
    // The server's response ends slightly after the client has all of it.
    expect(server.atOnce()).toBeGreaterThanOrEqual(4)
    expect(leftovers(folder)).toEqual([])
    const coming = seen.filter(({ state, speed }) => state === 'downloading' && speed !== undefined)
    expect(coming.length).toBeGreaterThan(10)
    const middle = coming[Math.floor(coming.length / 2)]
    expect(middle?.done).toBeLessThan(64 * PART)
    expect(middle?.secondsLeft).toBeGreaterThan(0)
    expect(seen.at(-1)?.state).toBe('checking')
    expect(downloads.list()).toEqual([])
    const { text } = await openTestModel({ path: model.path }).complete({
      system: 'x',
      prompt: 'y',
      maxTokens: 20,
    })
    expect(text).toBe('alpha beta gamma delta')
  })

  it('is paused within a piece, goes on, and fetches nothing twice', async () => {
    const server = await startRangeServer({ content, bytesPerSecond: 8 * PART })
    const catalogue = [offered(content, [`${server.url}/tiny.gguf`])]
    const { downloads, seen } = open(catalogue, undefined, undefined, 8 * PART)
    const first = downloads.run('tiny').catch((error: unknown) => error)
    await until(() => (seen.at(-1)?.done ?? 0) > 20 * PART)
    await downloads.pause('tiny')
    expect(await first).toMatchObject({ message: 'The download was paused.' })
    const reached = seen.findLast(({ state }) => state === 'downloading')?.done
    expect(downloads.list()).toMatchObject([{ state: 'paused', total: 64 * PART, done: reached }])
    await expect.poll(server.open).toBe(0)
    const model = await downloads.run('tiny')
    expect(readFileSync(model.path).equals(content)).toBe(true)
    // Data in flight on each of the four connections.
    expect(server.sent()).toBeLessThan(64 * PART + 3 * MB)
  })

  it('survives kill -9 of its process: the next one goes on from a second before', async () => {
    // Slow enough that no piece completes: 1 MB/s in all.
    const slow = await startRangeServer({ content, bytesPerSecond: PART })
    const server = await startRangeServer({ content })
    const folder = join(temporaryFolder(), 'models')
    const catalogue = [offered(content, [`${slow.url}/tiny.gguf`])]
    mkdirSync(folder)
    writeFileSync(join(folder, 'catalogue.json'), JSON.stringify({ models: catalogue }))
    const child = spawn(process.execPath, [DOWNLOAD, folder, 'tiny'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let done = 0
    child.stdout.on('data', (chunk: Buffer) => (done = Number(chunk.toString().trim().split('\n').at(-1))))
    await until(() => done > 11 * PART)
    const { downloads } = open(catalogue, folder)
    expect(downloads.list()).toMatchObject([{ state: 'elsewhere' }])
    await expect(downloads.run('tiny')).rejects.toThrow('being downloaded by another Sluice process')
    const ended = new Promise((resolveEnd) => child.once('close', resolveEnd))
    child.kill('SIGKILL')
    await ended

    const again = open([offered(content, [`${server.url}/tiny.gguf`])], folder)
    const [left] = again.downloads.list()
    expect(left).toMatchObject({ state: 'paused', total: 64 * PART })
    expect(left?.done).toBeGreaterThan(5 * PART)
    await again.downloads.run('tiny')
    expect(server.sent()).toBeLessThanOrEqual(64 * PART - (left?.done ?? 0) + PART)
    expect(readFileSync(again.library.get('tiny').path).equals(content)).toBe(true)
    expect(leftovers(folder)).toEqual([])
  })

  it('is refused and deleted when one byte is wrong; the next mirror is asked', async () => {
    const bent = Buffer.from(content)
    bent[50 * PART] = (bent[50 * PART] ?? 0) ^ 1
    const wrong = await startRangeServer({ content: bent })
    const right = await startRangeServer({ content })
    const one = open([offered(content, [`${wrong.url}/a.gguf`])])
    await expect(one.downloads.run('tiny')).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      message: expect.stringContaining('SHA-256 differs') as string,
    })
    expect(leftovers(one.folder)).toEqual([])
    expect(one.library.list()).toEqual([])
    expect(one.downloads.list()).toMatchObject([{ state: 'failed', failure: expect.any(String) as string }])
    const two = open([offered(content, [`${wrong.url}/a.gguf`, `${right.url}/a.gguf`])])
    await two.downloads.run('tiny')
    expect(two.library.list()).toHaveLength(1)
  })

  it('says that the disk is full, keeps what came, and goes on when there is room', async (context) => {
    const folder = join(temporaryFolder(), 'small-disk')
    mkdirSync(folder)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      context.skip('A small disk needs the right to mount one.')
    }
    onTestFinished(() => void execFileSync('umount', [folder]))
    const server = await startRangeServer({ content, bytesPerSecond: 12 * PART })
    const catalogue = [offered(content, [`${server.url}/tiny.gguf`])]
    const { downloads, seen, library } = open(catalogue, folder, undefined, 8 * PART)
    const started = downloads.run('tiny').catch((error: unknown) => error)
    await until(() => (seen.at(-1)?.done ?? 0) > 5 * PART)
    const filler = join(folder, 'filler')
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M', 'count=300'], { stdio: 'ignore' })
    } catch {
      // Stops when the disk is full.
    }
    expect(await started).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringMatching(/is full\. Make room and resume/) as string,
    })
    const reached = seen.findLast(({ state }) => state === 'downloading')?.done ?? 0
    const [left] = downloads.list()
    expect(left?.state).toBe('failed')
    expect(left?.done).toBeGreaterThanOrEqual(reached - PART)
    await expect(downloads.run('tiny')).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: expect.stringContaining('not enough room') as string,
    })
    execFileSync('rm', [filler])
    const model = await downloads.run('tiny')
    expect(readFileSync(model.path).equals(content)).toBe(true)
    expect(library.list()).toHaveLength(1)
  })

  it('leaves nothing behind when it is cancelled', async () => {
    const server = await startRangeServer({ content, bytesPerSecond: 8 * PART })
    const { downloads, seen, folder, library } = open([offered(content, [`${server.url}/tiny.gguf`])])
    const started = downloads.run('tiny').catch((error: unknown) => error)
    await until(() => (seen.at(-1)?.done ?? 0) > 10 * PART)
    await downloads.cancel('tiny')
    expect(await started).toMatchObject({ message: 'The download was cancelled.' })
    expect(leftovers(folder)).toEqual([])
    expect(downloads.list()).toEqual([])
    expect(library.list()).toEqual([])
  })
})

describe('a download', () => {
  it('bears cut connections and overloaded servers', async () => {
    const content = modelFile(6 * MB)
    const server = await startRangeServer({
      content,
      fault: (request) => {
        if (request === 1) return { status: 503 }
        if (request === 3) return { cutAfter: 1000 }
        return undefined
      },
    })
    const { downloads } = open([offered(content, [`${server.url}/a.gguf`])])
    const { path } = await downloads.run('tiny')
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('takes servers without ranges, whole', async () => {
    const content = modelFile(3 * MB)
    const server = await startRangeServer({ content, ranges: false })
    const { downloads } = open([offered(content, [`${server.url}/a.gguf`])])
    const { path } = await downloads.run('tiny')
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('starts anew when the file was replaced between two parts', async () => {
    const content = modelFile(6 * MB)
    let version = 1
    const server = await startRangeServer({ content, bytesPerSecond: 2 * MB, etag: () => `"${version}"` })
    const { downloads, seen } = open([offered(content, [`${server.url}/a.gguf`])])
    const first = downloads.run('tiny').catch((error: unknown) => error)
    await until(() => (seen.at(-1)?.done ?? 0) > 2 * MB)
    version = 2
    expect(await first).toMatchObject({ message: expect.stringContaining('was replaced') as string })
    const { path } = await downloads.run('tiny')
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('comes from a base of the user’s own, under the same path', async () => {
    const content = modelFile(2 * MB)
    const server = await startRangeServer({ content })
    const catalogue = [offered(content, ['https://models.invalid/some/folder/a.gguf'])]
    const { downloads, library } = open(catalogue, undefined, `${server.url}/mirror/`)
    await downloads.run('tiny')
    expect(library.list()).toHaveLength(1)
  })

  it.each([
    ['nobody listens', 'http://127.0.0.1:9/a.gguf', {}, /can't be reached/],
    ['it is not there', undefined, { fault: () => ({ status: 404 }) }, /answered 404/],
    ['it is another file', undefined, {}, /another file in this place/],
    ['a login page comes instead', undefined, { ranges: false, type: 'text/html' }, /web page instead/],
  ] as const)('says so when %s', async (_, url, faults, why) => {
    const content = modelFile(2 * MB)
    const server = await startRangeServer({ content, ...faults })
    const model = offered(
      content,
      [url ?? `${server.url}/a.gguf`],
      why.source.includes('another') ? { bytes: 5 } : {},
    )
    const { downloads } = open([model])
    await expect(downloads.run('tiny')).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      message: expect.stringMatching(why) as string,
    })
  })

  it('refuses what is no model, even with the right checksum', async () => {
    const content = Buffer.alloc(2 * MB, 'x')
    const server = await startRangeServer({ content })
    const { downloads, library, folder } = open([offered(content, [`${server.url}/a.gguf`])])
    await expect(downloads.run('tiny')).rejects.toMatchObject({ code: 'MODEL_FILE_INVALID' })
    expect(library.list()).toEqual([])
    expect(leftovers(folder)).toEqual([])
  })

  it('knows no model by a wrong name', async () => {
    const { downloads } = open([])
    expect(() => downloads.run('huge')).toThrow(/no model "huge"/)
  })
})

it('U29: a shipped model comes from its publisher alone, or from the mirror that the user set', () => {
  for (const model of readShippedCatalogue()) {
    expect(urlsOf(model, undefined).map((url) => new URL(url).host)).toEqual(['huggingface.co'])
    expect(urlsOf(model, 'https://mirror.example/').map((url) => new URL(url).host)).toEqual([
      'mirror.example',
    ])
  }
})
