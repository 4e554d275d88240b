export interface FollowOptions<Event> {
  /** Returns the stop. */
  subscribe(listener: (event: Event) => void): () => void
  readonly signal: AbortSignal | undefined
  /** Requested after subscribing, so that none is missed. */
  readonly first?: () => readonly Event[] | Promise<readonly Event[]>
  /** For a slow reader; drops older events, because screens show the latest. */
  readonly backlog?: number
}

export async function* follow<Event>(options: FollowOptions<Event>): AsyncGenerator<Event, void, void> {
  const { signal, backlog = 500 } = options
  const waiting: Event[] = []
  let wake = (): void => {}
  const stop = options.subscribe((event) => {
    waiting.push(event)
    if (waiting.length > backlog) waiting.shift()
    wake()
  })
  const onAbort = (): void => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    if (options.first) yield* await options.first()
    for (const ended = (): boolean => signal?.aborted === true; !ended();) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (ended()) resolve()
        })
      }
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', onAbort)
  }
}
