import type { FetchLike, StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/client'

type Resuming = Required<
  Pick<StreamableHTTPClientTransportOptions, 'reconnectionOptions' | 'reconnectionScheduler' | 'fetch'>
>

const FIRST_RESUME_MS = 100
const LAST_RESUME_MS = 10_000
const LAST_LISTEN_MS = 60_000
/** A stream that lived for less was no use, and the next one is opened later. */
const USEFUL_MS = 10_000

/** Characters; of longer lines no id is read. */
const LONGEST_ID = 4000

const reconnectionOptions = {
  initialReconnectionDelay: FIRST_RESUME_MS,
  reconnectionDelayGrowFactor: 1,
  maxReconnectionDelay: FIRST_RESUME_MS,
  // The scheduler below ends it.
  maxRetries: Number.POSITIVE_INFINITY,
}

/**
 * A request's stream that broke off is taken up by its last event's id, until the server could not be had for `patienceMs`:
 * somebody waits for the answer.
 */
export function resuming(fetch: FetchLike, patienceMs: number, onGivenUp: () => void): Resuming {
  let patience: NodeJS.Timeout | undefined
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.ok) clearTimeout(patience)
      return response
    },
    reconnectionOptions,
    // The SDK would wait as long as the server once said before each attempt, however many failed.
    reconnectionScheduler: (resume, delay, attempt) => {
      if (attempt === 0) {
        clearTimeout(patience)
        patience = setTimeout(onGivenUp, delay + patienceMs)
        patience.unref()
      }
      const pause = attempt === 0 ? 0 : Math.min(FIRST_RESUME_MS * 2 ** attempt, LAST_RESUME_MS)
      const timer = setTimeout(
        resume,
        attempt === 0 ? delay : Math.min(Math.max(delay, pause), patienceMs / 2),
      )
      timer.unref()
      return () => {
        clearTimeout(timer)
        clearTimeout(patience)
      }
    },
  }
}

/**
 * The server's own stream is opened again without end, since nothing else would tell of its changes. `onEvent` hears the id of
 * each event that was read of it, where the server gives any.
 */
export function listening(
  fetch: FetchLike,
  { onBroken, onEvent }: { readonly onBroken: () => void; readonly onEvent: (id: string) => void },
): Resuming {
  const state = { tries: 0, lastAt: -Infinity }
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method !== 'GET' || !response.ok || !response.body) return response
      const { status, statusText, headers } = response
      return new Response(response.body.pipeThrough(readIds(onEvent)), { status, statusText, headers })
    },
    reconnectionOptions,
    reconnectionScheduler: (listen, delay) => {
      onBroken()
      state.tries = performance.now() - state.lastAt < USEFUL_MS ? state.tries + 1 : 0
      const patience = Math.min(FIRST_RESUME_MS * 2 ** state.tries, LAST_LISTEN_MS)
      const timer = setTimeout(
        () => {
          state.lastAt = performance.now()
          listen()
        },
        Math.max(delay, patience),
      )
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
}

/** Lets a stream of events pass and tells the id of each that is complete. */
function readIds(onEvent: (id: string) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const state = { line: '', id: undefined as string | undefined }
  const readLine = (line: string): void => {
    if (line === '') {
      if (state.id !== undefined) onEvent(state.id)
      state.id = undefined
    } else state.id = /^id: ?(.*)$/.exec(line)?.[1] ?? state.id
  }
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk)
      const lines = (state.line + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
      // The rest of a line longer than any id is no matter of ours.
      state.line = (lines.pop() ?? '').slice(0, LONGEST_ID)
      for (const line of lines) readLine(line)
    },
  })
}
