import { setTimeout as sleep } from 'node:timers/promises'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { SluiceError } from '../../ground/errors.ts'
import {
  bytesDone,
  giveWay,
  isWhole,
  piecesOf,
  readPieceState,
  removePart,
  spanOf,
  writePieceState,
  type PieceState,
} from './piece-state.ts'
import { probeFile, refused, type ProbedFile } from './probe-file.ts'

export interface FetchPiecesOptions {
  readonly url: string
  /** Joins the pieces. */
  readonly partPath: string
  /** If known. */
  readonly bytes: number | undefined
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number | undefined) => void
  readonly fetch: typeof globalThis.fetch
  /** Default: 4. */
  readonly parallel?: number
  readonly pieceBytes?: number
}

const PARALLEL = 4
const PIECE_BYTES = 4 * 1024 * 1024
const TRIES = 5
const FIRST_PAUSE_MS = 500
/** A silent connection is dropped after this, and the piece requested again. */
const SILENCE_MS = 30_000
/** Lost in a crash, at most. */
const SAVE_EVERY_MS = 1000
const RECORD_BYTES = 256 * 1024

/**
 * Resumes earlier downloads: bytes count only once flushed, every second and at the end. Rejects with
 * DOWNLOAD_FAILED, the disk's error, or the signal's reason; downloaded bytes stay.
 */
export async function fetchPieces(options: FetchPiecesOptions): Promise<void> {
  const { url, partPath, signal, fetch } = options
  const probed = await probeFile(url, signal, fetch)
  const bytes = probed.bytes ?? options.bytes
  if (options.bytes !== undefined && bytes !== options.bytes) {
    throw new SluiceError(
      'DOWNLOAD_FAILED',
      `${new URL(url).host} has another file in this place: ${bytes} bytes instead of ${options.bytes}. Try another mirror.`,
    )
  }
  if (bytes === undefined || !probed.hasRanges) return fetchWhole(options, bytes)
  const state = startingState(options, probed, bytes)
  const file = await openPart(partPath)
  try {
    await fetchMissing(options, state, file, probed.etag)
  } finally {
    await file.close()
  }
}

function startingState(
  { partPath, pieceBytes = PIECE_BYTES }: FetchPiecesOptions,
  { etag }: ProbedFile,
  bytes: number,
): PieceState {
  const known = readPieceState(partPath)
  if (known && known.bytes === bytes && known.etag === etag && isWhole(partPath, known))
    return { ...known, done: [...new Set(known.done)] }
  removePart(partPath)
  return { bytes, pieceBytes, ...(etag === undefined ? {} : { etag }), done: [], begun: [] }
}

/** `r+` fails on a missing file, and `a` can't write in the middle. */
const openPart = async (path: string): Promise<FileHandle> => {
  await (await open(path, 'a', 0o600)).close()
  return open(path, 'r+')
}

async function fetchMissing(
  options: FetchPiecesOptions,
  state: PieceState,
  file: FileHandle,
  etag: string | undefined,
): Promise<void> {
  const { partPath, signal, onProgress, parallel = PARALLEL } = options
  const done = new Set(state.done)
  const missing = Array.from({ length: piecesOf(state) }, (_, piece) => piece).filter(
    (piece) => !done.has(piece),
  )
  // Of pieces in progress.
  const partial = new Map(state.begun.filter(([piece]) => !done.has(piece)))
  const now = (): PieceState => ({ ...state, done: [...done], begun: [...partial] })
  /** Only the last record may take its room from the file: an earlier one would drop bytes that later records count. */
  const save = async (isLast = false): Promise<void> => {
    const written = now()
    await file.datasync()
    await (isLast ? record(partPath, file, written) : writePieceState(partPath, written))
  }
  let lastSave = performance.now()
  let saving: Promise<void> | undefined
  const report = (): void => {
    onProgress(bytesDone(now()), state.bytes)
    if (saving || performance.now() - lastSave < SAVE_EVERY_MS) return
    saving = save()
      .catch(() => {})
      .finally(() => {
        lastSave = performance.now()
        saving = undefined
      })
  }
  report()

  const stop = new AbortController()
  const ended = AbortSignal.any([signal, stop.signal])
  const work = async (): Promise<void> => {
    for (;;) {
      const piece = missing.shift()
      if (piece === undefined) return
      ended.throwIfAborted()
      const { start, end } = spanOf(state, piece)
      const came = Math.min(partial.get(piece) ?? 0, end - start)
      await fetchPiece(options, { start, at: start + came, end, etag, signal: ended, file }, (at) => {
        if (at > start) partial.set(piece, at - start)
        report()
      })
      partial.delete(piece)
      done.add(piece)
      report()
    }
  }
  const workers = Array.from({ length: Math.min(parallel, missing.length) }, async () => {
    try {
      await work()
    } catch (error) {
      stop.abort(error)
      throw error
    }
  })
  const outcomes = await Promise.allSettled(workers)
  await saving
  await save(true)
  signal.throwIfAborted()
  // The first failure stopped the others.
  if (stop.signal.aborted) throw stop.signal.reason
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** Without room for the record, drops the last bytes. */
async function record(partPath: string, file: FileHandle, written: PieceState): Promise<void> {
  try {
    writePieceState(partPath, written)
  } catch (error) {
    if (!isDiskError(error)) throw error
    const { left, length } = giveWay(written, RECORD_BYTES)
    await file.truncate(length)
    writePieceState(partPath, left)
  }
}

interface Piece {
  readonly start: number
  readonly at: number
  readonly end: number
  readonly etag: string | undefined
  readonly signal: AbortSignal
  readonly file: FileHandle
}

async function fetchPiece(
  options: FetchPiecesOptions,
  piece: Piece,
  onBytes: (at: number) => void,
): Promise<void> {
  let { at } = piece
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(options, { ...piece, at }, (reached) => {
        at = reached
        onBytes(reached)
      })
    } catch (error) {
      piece.signal.throwIfAborted()
      const status = error instanceof SluiceError ? error.data['status'] : undefined
      const isHopeless =
        isDiskError(error) ||
        (error instanceof SluiceError && !(typeof status === 'number' && (status === 429 || status >= 500)))
      if (isHopeless) throw error
      if (attempt >= TRIES) throw interrupted(options.url, error)
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: piece.signal })
    }
  }
}

async function fetchOnce(
  { url, fetch }: FetchPiecesOptions,
  { at: first, end, etag, signal, file }: Piece,
  onBytes: (at: number) => void,
): Promise<void> {
  if (first >= end) return
  const silence = watchSilence()
  try {
    const response = await fetch(url, {
      headers: {
        range: `bytes=${first}-${end - 1}`,
        'accept-encoding': 'identity',
        ...(etag === undefined ? {} : { 'if-range': etag }),
      },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    const range = response.headers.get('content-range') ?? ''
    if (response.status !== 206 || !range.startsWith(`bytes ${first}-${end - 1}/`)) {
      await response.body?.cancel()
      if (!response.ok) throw refused(url, response.status)
      throw new SluiceError(
        'DOWNLOAD_FAILED',
        `The file at ${new URL(url).host} was replaced while it was downloaded. Start the download again.`,
      )
    }
    let at = first
    for await (const chunk of response.body ?? []) {
      silence.received()
      if (at + chunk.length > end) throw new Error('more came than was asked for')
      await writeAll(file, chunk, at)
      at += chunk.length
      onBytes(at)
    }
    if (at !== end) throw new Error('the connection ended early')
  } finally {
    silence.stop()
  }
}

/** Server without ranges: one stream, not resumable. */
async function fetchWhole(options: FetchPiecesOptions, bytes: number | undefined): Promise<void> {
  const { url, partPath, signal, onProgress, fetch } = options
  removePart(partPath)
  const silence = watchSilence()
  const file = await open(partPath, 'w', 0o600)
  try {
    const response = await fetch(url, {
      headers: { 'accept-encoding': 'identity' },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok) throw refused(url, response.status)
    let at = 0
    for await (const chunk of response.body ?? []) {
      silence.received()
      await writeAll(file, chunk, at)
      at += chunk.length
      onProgress(at, bytes)
    }
    if (bytes !== undefined && at !== bytes) throw new Error('the connection ended early')
    await file.datasync()
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof SluiceError || isDiskError(error) ? error : interrupted(url, error)
  } finally {
    silence.stop()
    await file.close()
  }
}

/** A nearly full disk may write part of a chunk without error. */
async function writeAll(file: FileHandle, chunk: Uint8Array, at: number): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written, chunk.length - written, at + written)
    written += bytesWritten
  }
}

function watchSilence(): { signal: AbortSignal; received(): void; stop(): void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error('nothing came any more')), SILENCE_MS)
  return { signal: controller.signal, received: () => timer.refresh(), stop: () => clearTimeout(timer) }
}

const DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EFBIG'])
export const isDiskError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && DISK_ERRORS.has(String(error.code))

const interrupted = (url: string, error: unknown): SluiceError => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const why = cause instanceof Error ? cause.message : String(cause)
  return new SluiceError(
    'DOWNLOAD_FAILED',
    `The connection to ${new URL(url).host} failed ${TRIES} times (${why}). Resume the download later: what came so far is kept.`,
    { cause: error },
  )
}
