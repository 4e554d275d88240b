import { SluiceError, messageOf } from '../../ground/errors.ts'

/** Before download. */
export interface ProbedFile {
  /** Undefined if not reported. */
  readonly bytes: number | undefined
  /** Required for resuming. */
  readonly hasRanges: boolean
  /** Strong: parts are joined only while it is unchanged. */
  readonly etag: string | undefined
}

/** Rejects with DOWNLOAD_FAILED or the signal's reason. */
export async function probeFile(
  url: string,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch,
): Promise<ProbedFile> {
  let response: Response
  try {
    response = await fetch(url, {
      headers: { range: 'bytes=0-0', 'accept-encoding': 'identity' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
    })
  } catch (error) {
    signal.throwIfAborted()
    throw unreachable(url, error)
  }
  // A server without ranges starts sending everything.
  await response.body?.cancel()
  if (!response.ok) throw refused(url, response.status)
  if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) throw pageInstead(url)
  const etag = response.headers.get('etag') ?? undefined
  const strong = etag !== undefined && !etag.startsWith('W/') ? etag : undefined
  if (response.status !== 206) {
    return { bytes: toSize(response.headers.get('content-length')), hasRanges: false, etag: strong }
  }
  const total = /^bytes 0-0\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  return { bytes: toSize(total ?? null), hasRanges: total !== undefined, etag: strong }
}

const toSize = (text: string | null): number | undefined => {
  const size = Number(text ?? Number.NaN)
  return Number.isSafeInteger(size) && size > 0 ? size : undefined
}

const hostOf = (url: string): string => new URL(url).host

const unreachable = (url: string, error: unknown): SluiceError => {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new SluiceError(
    'DOWNLOAD_FAILED',
    `${hostOf(url)} can't be reached (${messageOf(reason)}). Check the connection, or set model.downloadFrom to a mirror.`,
    { cause: error },
  )
}

/** Networks with a login page. */
const pageInstead = (url: string): SluiceError =>
  new SluiceError(
    'DOWNLOAD_FAILED',
    `${hostOf(url)} answered with a web page instead of the file. Perhaps this network wants you to log in: open any page in a browser, then try again. Else set model.downloadFrom to a mirror.`,
  )

export const refused = (url: string, status: number): SluiceError =>
  new SluiceError(
    'DOWNLOAD_FAILED',
    `${hostOf(url)} does not hand the file out (it answered ${status}). Try again later, or set model.downloadFrom to a mirror.`,
    { data: { status } },
  )
