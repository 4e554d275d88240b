export interface FollowOptions<Event> {
  /** Calls the function for each event until the returned function is called. */
  subscribe(listener: (event: Event) => void): () => void
  /** Ends the stream. */
  readonly signal: AbortSignal | undefined
  /** What comes before the first event; asked after the subscription, so that nothing falls in between. */
  readonly first?: () => readonly Event[] | Promise<readonly Event[]>
  /** The most that waits for a reader that is slow; older ones are dropped, since screens show the latest. */
  readonly backlog?: number
}

/** Events as an async iterator, for streams to the screens. Ends its subscription when the reader leaves. */
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
