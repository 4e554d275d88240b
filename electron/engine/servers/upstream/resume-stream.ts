import type { FetchLike, StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/client'

type Resuming = Required<
  Pick<StreamableHTTPClientTransportOptions, 'reconnectionOptions' | 'reconnectionScheduler' | 'fetch'>
>

const FIRST_RESUME_MS = 100
const LAST_RESUME_MS = 10_000
const LAST_LISTEN_MS = 60_000
/** The retry pause grows after streams shorter than this. */
const USEFUL_MS = 10_000

/** Characters; longer lines are ignored. */
const LONGEST_ID = 4000

const reconnectionOptions = {
  initialReconnectionDelay: FIRST_RESUME_MS,
  reconnectionDelayGrowFactor: 1,
  maxReconnectionDelay: FIRST_RESUME_MS,
  maxRetries: Number.POSITIVE_INFINITY,
}

/** From its last event id, until the server was unreachable for `patienceMs`. */
export function resuming(fetch: FetchLike, patienceMs: number, onGivenUp: () => void): Resuming {
  let patience: NodeJS.Timeout | undefined
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.ok) clearTimeout(patience)
      return response
    },
    reconnectionOptions,
    // The SDK would wait the server's retry time before each attempt, regardless of failures.
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

/** Indefinitely, because only the server's own stream reports changes. `onEvent`: id of each read event, if any. */
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

/** Reports ids of complete events. */
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
      state.line = (lines.pop() ?? '').slice(0, LONGEST_ID)
      for (const line of lines) readLine(line)
    },
  })
}
